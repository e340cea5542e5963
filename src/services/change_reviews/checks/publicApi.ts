import { Effect } from "effect"
import type { LostName } from "../../../engine/index.ts"
import type { ChangeFacts } from "../ChangeFacts.ts"
import { globMatcher } from "./glob.ts"
import { spotAt, verdictsOn } from "./verdict.ts"
import { counted, named } from "./wording.ts"

const lossOf = ({ name, loss, path, line_start }: LostName): string => `${name} ${loss} (${path}:${line_start})`

/** Whether callers of what the product exports find it as it was before the change. */
export const noPublicApiRemoved = Effect.fnUntraced(function* (
  facts: ChangeFacts,
  globs: ReadonlyArray<string> | undefined
) {
  const { met, notMet, undecided } = verdictsOn(facts)
  const description = yield* facts.description
  if ("problem" in description) return undecided(`The changed files could not be parsed: ${description.problem}`)
  const { files, names, lost, moved, unread } = description.api
  const matchers = globs?.map(globMatcher)
  const isAsked = (path: string): boolean => matchers?.some((matches) => matches(path)) ?? true
  const gone = lost.filter(({ path }) => isAsked(path))
  if (gone.length > 0) {
    return notMet(
      `Callers lose ${counted(gone.length, "exported name")}: ${named(gone.map(lossOf))}.`,
      gone.map(({ path, line_start, line_end }) => spotAt("base", path, line_start, line_end))
    )
  }
  const unknown = unread.filter(({ path }) => isAsked(path))
  if (unknown.length > 0) {
    return undecided(
      `No exported name is known to be gone, but ${counted(unknown.length, "changed file")} could not be compared: ${named(unknown.map(({ path, reason }) => `${path} (${reason})`))}.`,
      unknown.map(({ path }) => spotAt(facts.paths.head.has(path) ? "head" : "base", path, 1))
    )
  }
  const compared = files.filter(isAsked)
  if (compared.length === 0) return met("The change edits and deletes no file that exports something.")
  const elsewhere = moved.filter(({ from }) => isAsked(from))
  const note =
    elsewhere.length === 0
      ? ""
      : ` ${counted(elsewhere.length, "name")} moved: ${named(elsewhere.map(({ name, from, to }) => `${name} from ${from} to ${to}`))}.`
  const all = matchers === undefined ? `the ${counted(names, "exported name")}` : "the exported names"
  return met(`Every one of ${all} of ${counted(compared.length, "changed file")} is still there.${note}`)
})
