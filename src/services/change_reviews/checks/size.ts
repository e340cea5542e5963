import type { ChangeFacts, ChangeVerdict, FileFacts } from "../ChangeFacts.ts"
import { isWrittenByTools, roles } from "./fileRoles.ts"
import { MAX_EVIDENCE, type Spot, spotAt, verdictsOn } from "./verdict.ts"
import { counted, named } from "./wording.ts"

export interface SizeLimit {
  readonly files?: number | undefined
  readonly lines?: number | undefined
}

interface Size {
  readonly files: number
  readonly lines: number
}

/** What people have to read of a branch: without lock files and what is generated or copied. */
const sizeOf = (facts: ChangeFacts) => {
  const roleOf = roles(facts)
  const isOwn = (file: FileFacts): boolean => !isWrittenByTools(roleOf(file), file.path)
  const own = facts.files.filter(isOwn)
  const left = facts.files.filter((file) => !isOwn(file)).map(({ path }) => path)
  return { own, left, files: own.length, lines: own.reduce((sum, file) => sum + linesOf(file), 0) }
}

const linesOf = ({ added, removed }: FileFacts): number => added.length + removed.length

const over = (size: Size, { files, lines }: SizeLimit): ReadonlyArray<string> => [
  ...(files !== undefined && size.files > files ? [`more than ${counted(files, "file")}`] : []),
  ...(lines !== undefined && size.lines > lines ? [`more than ${counted(lines, "line")}`] : [])
]

/** Whether all branches of a change together are at most so large. */
export const maxSize = (changes: ReadonlyArray<ChangeFacts>, limit: SizeLimit): ChangeVerdict => {
  const sizes = changes.map((facts) => ({ facts, ...sizeOf(facts) }))
  const total = {
    files: sizes.reduce((sum, { files }) => sum + files, 0),
    lines: sizes.reduce((sum, { lines }) => sum + lines, 0)
  }
  const left = sizes.flatMap(({ left }) => left)
  const binary = sizes.flatMap(({ own }) => own.filter(({ isBinary }) => isBinary))
  const notes = [
    ...(left.length === 0 ? [] : [` Not counted: ${counted(left.length, "lock or generated file")} (${named(left)}).`]),
    ...(binary.length === 0 ? [] : [` Without lines: ${named(binary.map(({ path }) => path))}, not a text.`])
  ].join("")
  const what = `The change touches ${counted(total.files, "file")} and ${counted(total.lines, "line")}`
  const exceeded = over(total, limit)
  if (exceeded.length === 0) return { verdict: "met", reason: `${what}, within the limit.${notes}`, evidence: [] }
  const evidence = sizes.flatMap(({ facts, own }) => verdictsOn(facts).notMet("", largestOf(own)).evidence)
  return {
    verdict: "not_met",
    reason: `${what}, ${exceeded.join(" and ")}.${notes}`,
    evidence: evidence.slice(0, MAX_EVIDENCE)
  }
}

const largestOf = (files: ReadonlyArray<FileFacts>): ReadonlyArray<Spot> =>
  [...files]
    .sort((a, b) => linesOf(b) - linesOf(a))
    .map(({ path, kind, previous_path, added, removed }) =>
      kind === "deleted" || added[0] === undefined
        ? spotAt("base", previous_path ?? path, removed[0]?.line ?? 1)
        : spotAt("head", path, added[0].line)
    )
