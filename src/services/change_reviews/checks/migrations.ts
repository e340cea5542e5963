import { Effect } from "effect"
import type { ChangeFacts } from "../ChangeFacts.ts"
import { type Spot, spotAt, verdictsOn } from "./verdict.ts"
import { counted, named } from "./wording.ts"

interface Located {
  readonly path: string
  readonly line_start: number
  readonly line_end: number
}

const spotOf = ({ path, line_start, line_end }: Located): Spot => spotAt("head", path, line_start, line_end)

/** Whether every migration that a branch adds or edits can be taken back. */
export const migrationReversible = Effect.fnUntraced(function* (facts: ChangeFacts) {
  const { met, notMet, undecided, notApplicable } = verdictsOn(facts)
  const description = yield* facts.description
  if ("problem" in description) return undecided(`The changed files could not be parsed: ${description.problem}`)
  const { migrations } = description
  if (migrations.length === 0) return notApplicable("The change has no migration of a database.")
  const sentences = (of: typeof migrations) => named(of.map(({ path, reason }) => `${path} ${reason}`))
  const oneWay = migrations.filter(({ reversible }) => reversible === false)
  if (oneWay.length > 0) {
    return notMet(
      `${counted(oneWay.length, "migration")} cannot be taken back: ${sentences(oneWay)}.`,
      oneWay.map(spotOf)
    )
  }
  const unknown = migrations.filter(({ reversible }) => reversible === null)
  if (unknown.length > 0) {
    return undecided(
      `Whether ${counted(unknown.length, "migration")} can be taken back is not known: ${sentences(unknown)}.`,
      unknown.map(spotOf)
    )
  }
  return met(
    `${counted(migrations.length, "migration")} can be taken back: ${sentences(migrations)}.`,
    migrations.map(spotOf)
  )
})
