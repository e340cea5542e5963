import type { IssueStatus } from "../../../src/schema/Issue.ts"
import { isClosed, mayMove } from "../../../src/services/issues/transitions.ts"
import { grouped } from "../claims/history.ts"
import type { KeptState, Limited, SharedCall, StatusEvent } from "./history.ts"

/** What each invariant's violations are called, and the cases. */
export type Violations = Readonly<Record<string, ReadonlyArray<string>>>

const isWrite = ({ action }: SharedCall) => ["put", "patch", "disable", "restore"].includes(action)

/** The versions of each entry are 1, 2, 3 … in the history, and each acknowledged write has one of its own. */
export const versionGaps = (calls: ReadonlyArray<SharedCall>, { entries, entryEvents }: KeptState) => {
  const events = grouped(entryEvents, ({ entry_id }) => entry_id)
  const gaps = entries.flatMap(({ id, key, version }) => {
    const versions = (events.get(id) ?? []).map((event) => event.version).sort((a, b) => a - b)
    const isGapless = versions.length === version && versions.every((one, i) => one === i + 1)
    return isGapless ? [] : [`${key} has version ${version} and events ${versions.join(", ")}.`]
  })
  const written = calls.filter((call) => isWrite(call) && call.entry !== null)
  const known = new Set(entryEvents.map(({ entry_id, version }) => `${entry_id}:${version}`))
  const acknowledged = grouped(written, ({ entry }) => `${entry?.id}:${entry?.version}`)
  const shared = [...acknowledged].flatMap(([etag, of]) => [
    ...(of.length > 1 ? [`${of.length} writes were acknowledged as ${etag}.`] : []),
    ...(known.has(etag) ? [] : [`The acknowledged ${etag} is not in the history.`])
  ])
  return [...gaps, ...shared]
}

/** At no moment has a key two enabled entries. */
export const doubleEntries = ({ entryEvents }: KeptState) => {
  const enabled = new Map<string, string>()
  return entryEvents.flatMap(({ key, entry_id, event }) => {
    const holder = enabled.get(key)
    if (event === "deleted") {
      if (holder === entry_id) enabled.delete(key)
      return []
    }
    enabled.set(key, entry_id)
    return holder === undefined || holder === entry_id ? [] : [`${key} had two entries: ${holder} and ${entry_id}.`]
  })
}

interface Holding {
  readonly client: number
  readonly fence: number
  readonly from: number
  /** When it surely still held the claim. */
  readonly until: number
}

/**
 * A claim is surely held from its response to the request that gives it up; leases outlive the run. Two clients may share a
 * key: what one gives up may be what the other was granted, in a response that is still on its way.
 */
const holdingsOf = (calls: ReadonlyArray<SharedCall>): ReadonlyArray<Holding> =>
  calls
    .filter(({ action, outcome }) => action === "claim" && outcome === "ok")
    .map((claim) => {
      const ends = calls.filter(
        (call) =>
          (call.action === "release" || call.action === "close") &&
          call.client === claim.client &&
          call.answeredAt > claim.invokedAt
      )
      const until = Math.min(...ends.map(({ invokedAt }) => invokedAt))
      return { client: claim.client, fence: claim.fence ?? 0, from: claim.answeredAt, until }
    })

/** No two clients hold an issue at once, and no fence is granted to two. */
export const doubleClaims = (calls: ReadonlyArray<SharedCall>) =>
  [...grouped(calls, ({ subject }) => subject)].flatMap(([issue, of]) => {
    const holdings = [...holdingsOf(of)].sort((a, b) => a.from - b.from)
    return holdings.flatMap((one, i) =>
      holdings
        .slice(i + 1)
        .filter((other) => other.client !== one.client)
        .flatMap((other) => {
          if (other.fence === one.fence) return [`${issue}: fence ${one.fence} was granted to two clients.`]
          return other.from < one.until ? [`${issue}: fences ${one.fence} and ${other.fence} were held at once.`] : []
        })
    )
  })

const chained = (moves: ReadonlyArray<StatusEvent>, isLegal: (move: StatusEvent) => boolean) =>
  [...grouped(moves, ({ subject }) => subject)].flatMap(([subject, of]) =>
    of.flatMap((move, i) => {
      const before = of[i - 1]?.to
      const problem =
        before !== undefined && before !== move.from
          ? `follows ${before}`
          : isLegal(move)
            ? undefined
            : "is not allowed"
      return problem === undefined ? [] : [`${subject}: ${move.event} from ${move.from} to ${move.to} ${problem}.`]
    })
  )

const isLegalOfIssue = ({ event, from, to }: StatusEvent) => {
  if (event === "reopened") return isClosed(from as IssueStatus) && to === "open"
  return from === to || mayMove(from as IssueStatus, to as IssueStatus)
}

const isLegalOfObservation = ({ event, from, to }: StatusEvent) =>
  event === "dismissed"
    ? from === "new" && to === "closed"
    : event === "reopened"
      ? from === "closed" && to === "new"
      : true

export const illegalMoves = ({ issueMoves, observationMoves }: KeptState) => [
  ...chained(issueMoves, isLegalOfIssue),
  ...chained(observationMoves, isLegalOfObservation)
]

export const lostMoney = ({ money: { before, after, settled } }: KeptState) => {
  const difference = before - settled - after
  return Math.abs(difference) < 0.005 ? [] : [`${difference.toFixed(6)} of ${before} USD are neither left nor settled.`]
}

/** A number is acknowledged once, and stays with what it was given to. */
export const reusedNumbers = (calls: ReadonlyArray<SharedCall>, { issues }: KeptState) => {
  const titles = new Map(issues.map(({ ref, title }) => [ref, title]))
  const filed = calls.filter(({ action, outcome }) => action === "file" && outcome === "ok")
  const shared = [...grouped(filed, ({ subject }) => subject)].filter(([, of]) => of.length > 1)
  return [
    ...shared.map(([ref, of]) => `${ref} was given to ${of.length} issues.`),
    ...filed
      .filter(({ subject, mark }) => titles.get(subject) !== mark)
      .map(({ subject, mark }) => `${subject} was filed as ${mark} and is ${titles.get(subject)}.`)
  ]
}

export const unrecorded = ({ recorded }: KeptState) =>
  recorded
    .filter(({ changes, records }) => changes !== records)
    .map(({ kind, changes, records }) => `${changes} changes (${kind}) have ${records} records in the audit log.`)

/** How many calls the limit lets through: a full bucket, and what flowed in meanwhile. */
export const expectedOf = ({ perMinute, seconds }: Limited) => perMinute * (1 + seconds / 60)

export const wrongLimits = (limited: ReadonlyArray<Limited>) =>
  limited.flatMap((of) => {
    const expected = expectedOf(of)
    const isWithin = of.accepted <= expected * 1.02 + 1 && of.accepted + of.open >= expected * 0.98 - 1
    if (isWithin) return []
    return [`${of.accepted} calls (${of.open} open) passed a limit that lets ${expected.toFixed(1)} pass.`]
  })

export const violationsOf = (
  calls: ReadonlyArray<SharedCall>,
  limited: ReadonlyArray<Limited>,
  kept: KeptState
): Violations => ({
  "versions with a gap": versionGaps(calls, kept),
  "two enabled entries of a key": doubleEntries(kept),
  "two valid claims of an issue": doubleClaims(calls),
  "illegal transitions": illegalMoves(kept),
  "money lost or made": lostMoney(kept),
  "limits off by more than 2 %": wrongLimits(limited),
  "numbers used again": reusedNumbers(calls, kept),
  "changes without one record in the audit log": unrecorded(kept)
})
