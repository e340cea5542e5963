import { violationsOf } from "./checker.ts"
import { grouped } from "./history.ts"
import type { Soaked } from "./soaked.ts"

/** What a soak found: a line for each figure, and a line for each violation. */
export interface Report {
  readonly figures: ReadonlyArray<string>
  readonly violations: ReadonlyArray<string>
}

/** Whatever a client may be answered; anything else is a fault of the service. */
const expected: ReadonlySet<string> = new Set([
  "ok",
  "unanswered",
  "already_claimed",
  "claim_lost",
  "issue_closed",
  "illegal_transition"
])

const figure = (name: string, value: number | string): string => `${name.padEnd(34)}${value}`

export const reportOf = ({ history, seconds, kills, clockMoves, changes, records }: Soaked): Report => {
  const { calls, events } = history
  const api = calls.filter(({ action }) => action !== "expire")
  const outcomes = grouped(api, ({ outcome }) => outcome)
  const count = (outcome: string) => outcomes.get(outcome)?.length ?? 0
  const happened = (action: string) => events.filter((event) => event.action === action).length
  const faults = [...outcomes]
    .filter(([outcome]) => !expected.has(outcome))
    .map(([outcome, of]) => `${of.length} calls were rejected with ${outcome}.`)
  const unrecorded = changes === records ? [] : [`${changes} changes have ${records} records in the audit log.`]
  const violations = [...violationsOf(history), ...faults, ...unrecorded]
  return {
    figures: [
      figure("operations", api.length),
      figure("operations a second", Math.round(api.length / seconds)),
      figure("clients", new Set(api.map(({ client }) => client)).size),
      figure("issues", new Set(api.map(({ issue }) => issue)).size),
      figure("processes killed and restarted", kills),
      figure("clocks moved by two hours", clockMoves),
      figure("leases granted", happened("claim")),
      figure("leases ended by the test", calls.length - api.length),
      figure("highest fence of an issue", Math.max(0, ...history.claims.map(({ fence }) => fence))),
      figure("rejected: already_claimed", count("already_claimed")),
      figure("rejected: claim_lost", count("claim_lost")),
      figure("calls without a response", count("unanswered")),
      figure("changes kept as events", changes),
      figure("uncertainty of clocks (ms)", history.tolerance.toFixed(1)),
      figure("violations", violations.length)
    ],
    violations
  }
}
