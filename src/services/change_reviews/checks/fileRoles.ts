import { Files } from "../../../engine/index.ts"
import type { ChangeFacts, FileFacts } from "../ChangeFacts.ts"

/** Whether the lines of a file changed: a new mode or name changes none, and a submodule has none. */
export const hasChangedLines = ({ kind, isBinary, added, removed }: FileFacts): boolean =>
  kind !== "submodule" && !isBinary && added.length + removed.length > 0

const headOf = ({ added }: FileFacts): string =>
  added
    .slice(0, 25)
    .filter(({ line }, index) => line === index + 1)
    .map(({ text }) => text)
    .join("\n")

/** What the changed files of a branch are for, by their paths, those around them, and how they begin where that changed. */
export const roles = ({ paths }: ChangeFacts) => {
  const roleOf = Files.rolesIn([...paths.head, ...paths.base])
  return (file: FileFacts) => roleOf(file.path, headOf(file))
}

/** Written by a program or copied from elsewhere: no person reads a change of it. */
export const isWrittenByTools = (role: ReturnType<ReturnType<typeof roles>>, path: string): boolean =>
  role === "generated" || role === "vendored" || role === "minified" || Files.isLockfile(path)
