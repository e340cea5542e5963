import { Effect } from "effect"
import type { CodeHostError } from "../../services/ports/Remote.ts"
import type { TreeChange } from "../../services/ports/WorkTrees.ts"

interface Entry {
  readonly path: string
  readonly old_mode: string | null
  readonly new_mode: string | null
  readonly old_blob: string
  readonly new_blob: string
}

type Git = (
  args: ReadonlyArray<string>,
  options?: { readonly maxOutputBytes?: number }
) => Effect.Effect<Buffer, CodeHostError>

/** Contents of larger files are not read: no fix needs them. */
const maxFileBytes = 4 * 1024 * 1024
const maxListBytes = 64 * 1024 * 1024
/** Contents of more files are not read: a change of so many is no fix. */
const maxFiles = 100

/** How two trees differ, without looking for renames. */
export const changesBetween = Effect.fnUntraced(function* (git: Git, from: string, to: string) {
  const args = ["diff-tree", "-r", "-z", "--raw", "--numstat", "--no-abbrev", "--no-renames", from, to]
  const { entries, counts } = listed((yield* git(args, { maxOutputBytes: maxListBytes })).toString())
  const changes: Array<TreeChange> = []
  for (const { path, old_mode, new_mode, old_blob, new_blob } of entries) {
    const { lines, isBinary } = counts.get(path) ?? { lines: 0, isBinary: false }
    const read = (mode: string | null, blob: string) =>
      mode?.startsWith("100") === true && changes.length < maxFiles ? contentOf(git, blob) : Effect.succeed(null)
    const previous = yield* read(old_mode, old_blob)
    const content = yield* read(new_mode, new_blob)
    changes.push({ path, old_mode, new_mode, lines, isBinary, previous, content })
  }
  return changes
})

const contentOf = (git: Git, blob: string) =>
  git(["cat-file", "blob", blob], { maxOutputBytes: maxFileBytes }).pipe(
    Effect.catchIf(
      ({ reason }) => reason === "too_large",
      () => Effect.succeed(null)
    )
  )

// For each file ":<old mode> <new mode> <old blob> <new blob> <status>" NUL "<path>" NUL, and then the counts of all.
const listed = (output: string) => {
  const fields = output.split("\0")
  const entries: Array<Entry> = []
  let index = 0
  for (; fields[index]?.startsWith(":"); index += 2) {
    const [old_mode = "", new_mode = "", old_blob = "", new_blob = ""] = fields[index]!.slice(1).split(" ")
    const path = fields[index + 1]!
    entries.push({ path, old_mode: modeOf(old_mode), new_mode: modeOf(new_mode), old_blob, new_blob })
  }
  return { entries, counts: countsOf(fields.slice(index)) }
}

const modeOf = (mode: string) => (mode === "000000" ? null : mode)

// "<added>" TAB "<removed>" TAB "<path>", with "-" for both counts of a binary file.
const countsOf = (records: ReadonlyArray<string>) =>
  new Map(
    records
      .filter((record) => record !== "")
      .map((record) => {
        const [added = "", removed = "", ...path] = record.split("\t")
        const isBinary = added === "-"
        return [path.join("\t"), { lines: isBinary ? 0 : Number(added) + Number(removed), isBinary }] as const
      })
  )
