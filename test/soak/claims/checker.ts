import { type Call, grouped, type History, isAccepted, mayHaveHappened } from "./history.ts"
import { replayed } from "./replay.ts"

/** A time during which a client surely held a lease: the claim was answered, and nothing that may end it had begun. */
interface Hold {
  readonly client: string
  readonly fence: number
  readonly from: number
  readonly until: number
}

type Rule = (calls: ReadonlyArray<Call>, issue: string, history: History) => ReadonlyArray<string>

/** What contradicts the rules of claims in a history; nothing when all of them held. */
export const violationsOf = (history: History): ReadonlyArray<string> => {
  const byIssue = [...grouped(history.calls, ({ issue }) => issue)]
  const ofIssues = rules.flatMap((rule) => byIssue.flatMap(([issue, calls]) => rule(calls, issue, history)))
  return [...ofIssues, ...replayed(history)]
}

const ends: ReadonlySet<string> = new Set(["release", "withdraw", "close", "expire"])

/** Whether the call may have ended the lease of a fence. */
const mayEnd = (call: Call, fence: number): boolean =>
  ends.has(call.action) && mayHaveHappened(call) && (call.fence === null || call.fence === fence)

const least = (numbers: Iterable<number>): number => {
  let smallest = Number.POSITIVE_INFINITY
  for (const number of numbers) smallest = Math.min(smallest, number)
  return smallest
}

const grantsOf = (calls: ReadonlyArray<Call>) =>
  calls.flatMap((call) =>
    isAccepted(call) && call.granted !== null && call.action !== "expire" ? [{ ...call, granted: call.granted }] : []
  )

interface End {
  readonly fence: number | null
  /** Before this the lease had not ended by this call. */
  readonly notBefore: number
  /** From here on it surely had. */
  readonly at: number
}

/** Ends of leases that are certain: a lease that ends a little later can still be renewed. */
const certainEnds = (calls: ReadonlyArray<Call>, { tolerance }: History): ReadonlyArray<End> => {
  const renewals = calls.filter((call) => (call.action === "renew" || call.action === "claim") && mayHaveHappened(call))
  return calls.flatMap((call) => {
    if (!ends.has(call.action) || !isAccepted(call)) return []
    const { fence, invokedAt, granted } = call
    const at = granted === null ? call.answeredAt : Math.max(call.answeredAt, granted.ends + tolerance)
    const isRenewed =
      granted !== null &&
      renewals.some(
        (one) =>
          one.answeredAt > invokedAt && one.invokedAt < at && (one.granted === null || one.granted.fence === fence)
      )
    return isRenewed ? [] : [{ fence, notBefore: invokedAt, at }]
  })
}

/** The times that leases surely lasted, by what their holders saw; a renewal may have made a lease shorter. */
const holdsOf = (calls: ReadonlyArray<Call>, { tolerance }: History): ReadonlyArray<Hold> => {
  const enders = calls.filter((call) => ends.has(call.action) && mayHaveHappened(call))
  return [...grouped(grantsOf(calls), ({ granted }) => String(granted.fence))].flatMap(([name, grants]) => {
    const [fence, client] = [Number(name), grants[0]?.client ?? ""]
    // A response may arrive when the lease is over already.
    const grantedAfter = least(grants.map(({ invokedAt }) => invokedAt))
    const from = least(grants.map(({ answeredAt }) => answeredAt))
    const lastsUntil = least(grants.map(({ granted }) => granted.ends - tolerance))
    const endedAt = least(
      enders.filter((call) => mayEnd(call, fence) && call.answeredAt > grantedAfter).map(({ invokedAt }) => invokedAt)
    )
    const until = Math.min(lastsUntil, endedAt)
    return until > from ? [{ client, fence, from, until }] : []
  })
}

const oneLeaseAtATime: Rule = (calls, issue, history) => {
  const holds = [...holdsOf(calls, history)].sort((a, b) => a.from - b.from)
  let last: Hold | undefined
  return holds.flatMap((hold) => {
    const earlier = last
    if (last === undefined || hold.until > last.until) last = hold
    return earlier !== undefined && earlier.until > hold.from
      ? [`${issue}: ${hold.client} held fence ${hold.fence} while ${earlier.client} held fence ${earlier.fence}.`]
      : []
  })
}

const oneHolderForEachFence: Rule = (calls, issue) =>
  [...grouped(grantsOf(calls), ({ granted }) => String(granted.fence))].flatMap(([fence, grants]) => {
    const clients = [...new Set(grants.map(({ client }) => client))]
    return clients.length > 1 ? [`${issue}: fence ${fence} was granted to ${clients.join(" and ")}.`] : []
  })

/** The highest fence that was granted before a time, by responses. */
const highestBefore = (calls: ReadonlyArray<Call>): ((at: number) => number) => {
  const sorted = [...grantsOf(calls)].sort((a, b) => a.answeredAt - b.answeredAt)
  const highest: Array<number> = []
  for (const { granted } of sorted) highest.push(Math.max(highest.at(-1) ?? 0, granted.fence))
  return (at) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle]?.answeredAt ?? 0) < at) low = middle + 1
      else high = middle
    }
    return highest[low - 1] ?? 0
  }
}

const fencesOnlyRise: Rule = (calls, issue) => {
  const highest = highestBefore(calls)
  return grantsOf(calls).flatMap(({ client, granted, invokedAt }) => {
    const earlier = highest(invokedAt)
    return granted.fence < earlier
      ? [`${issue}: ${client} was granted fence ${granted.fence} after fence ${earlier} had been granted.`]
      : []
  })
}

const noWriteUnderAnOldFence: Rule = (calls, issue, history) => {
  const highest = highestBefore(calls)
  const ended = new Map<number, number>()
  for (const { fence, at } of certainEnds(calls, history)) {
    if (fence !== null) ended.set(fence, Math.min(at, ended.get(fence) ?? Number.POSITIVE_INFINITY))
  }
  return calls.flatMap((call) => {
    const { client, action, fence, invokedAt } = call
    if (fence === null || action === "expire" || !isAccepted(call)) return []
    const isOld = fence < highest(invokedAt) || (ended.get(fence) ?? Number.POSITIVE_INFINITY) < invokedAt
    return isOld ? [`${issue}: the ${action} of ${client} was accepted under the old fence ${fence}.`] : []
  })
}

const noHolderIsRejected: Rule = (calls, issue, history) => {
  const holds = new Map(holdsOf(calls, history).map((hold) => [hold.fence, hold]))
  return calls.flatMap(({ client, action, fence, outcome, invokedAt, answeredAt }) => {
    const hold = fence === null ? undefined : holds.get(fence)
    if (hold === undefined || outcome !== "claim_lost" || hold.client !== client) return []
    return hold.from < invokedAt && answeredAt < hold.until
      ? [`${issue}: the ${action} of ${client} was rejected while it held fence ${fence}.`]
      : []
  })
}

/** A free issue is claimed at once, by anyone. */
const freeIssuesAreGranted: Rule = (calls, issue, history) => {
  const claims = calls.filter((call) => call.action === "claim" && mayHaveHappened(call))
  const frees = [...certainEnds(calls, history)].sort((a, b) => a.at - b.at)
  return calls.flatMap((call) => {
    if (call.action !== "claim" || call.outcome !== "already_claimed") return []
    const freed = frees.findLast(({ at }) => at < call.invokedAt)
    if (freed === undefined) return []
    const isTaken = claims.some((one) => one.answeredAt > freed.notBefore && one.invokedAt < call.answeredAt)
    return isTaken ? [] : [`${issue}: ${call.client} was rejected although the issue was free.`]
  })
}

const rules: ReadonlyArray<Rule> = [
  oneLeaseAtATime,
  oneHolderForEachFence,
  fencesOnlyRise,
  noWriteUnderAnOldFence,
  noHolderIsRejected,
  freeIssuesAreGranted
]
