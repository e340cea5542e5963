import { describeChange } from "../../src/engine/changes/describeChange.ts"
import { treeOf } from "./audit.ts"

export type Files = Readonly<Record<string, string>>

/** What the engine describes of a change of these files; `renames` is by old path. */
export const described = (base: Files, head: Files, renames: Files = {}) => {
  const moved = new Set(Object.values(renames))
  const changes = [
    ...Object.keys(base)
      .filter((path) => base[path] !== head[path])
      .map((path) => ({ base: path, head: path in head ? path : (renames[path] ?? null) })),
    ...Object.keys(head)
      .filter((path) => !(path in base) && !moved.has(path))
      .map((path) => ({ base: null, head: path }))
  ]
  return describeChange(treeOf(base), treeOf(head), changes)
}
