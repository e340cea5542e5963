import { type Call, grouped, type History, isAccepted, mayHaveHappened, type StoredEvent } from "./history.ts"

// The events of an issue are written in the transactions of their changes, one after another. Read in that order they must
// be a legal course of claims, hold every change that was acknowledged, and nothing that no one asked for.

/** What contradicts the rules in the events, and between them and the calls. */
export const replayed = (history: History): ReadonlyArray<string> => {
  const calls = grouped(history.calls, ({ issue }) => issue)
  const events = grouped(history.events, ({ issue }) => issue)
  const claims = new Map(history.claims.map((claim) => [claim.issue, claim]))
  return [...new Set([...calls.keys(), ...events.keys()])].flatMap((issue) => {
    const [ofCalls, ofEvents] = [calls.get(issue) ?? [], events.get(issue) ?? []]
    const { problems, state } = courseOf(ofEvents, ofCalls, history.tolerance)
    return [
      ...problems,
      ...keptAndAskedFor(ofCalls, ofEvents),
      ...inRealTimeOrder(ofCalls, ofEvents),
      ...endState(state, claims.get(issue))
    ].map((problem) => `${issue}: ${problem}`)
  })
}

interface State {
  readonly fence: number
  readonly holder: string | null
  /** When the lease ends. */
  readonly ends: number
}

const endsClaim: ReadonlySet<string> = new Set(["release", "withdraw", "close", "lapse"])

/** What calls say of the times at which events were written. */
const timesOf = (calls: ReadonlyArray<Call>, tolerance: number) => {
  const claimed = new Map<string, Call>()
  const marked = new Map<string, Call>()
  const expired = new Map<number, Array<Call>>()
  for (const call of calls) {
    if (call.granted !== null && call.action === "claim") claimed.set(`${call.client}/${call.granted.fence}`, call)
    if (call.mark !== null) marked.set(call.mark, call)
    if (call.action === "expire" && call.fence !== null) {
      expired.set(call.fence, [...(expired.get(call.fence) ?? []), call])
    }
  }
  // A response that was lost came at some time: nothing is known of it.
  const writtenBy = ({ client, fence, mark }: StoredEvent) =>
    (mark === null ? claimed.get(`${client}/${fence}`) : marked.get(mark))?.answeredAt ?? Number.POSITIVE_INFINITY
  const writtenAfter = ({ mark }: StoredEvent) => (mark === null ? 0 : (marked.get(mark)?.invokedAt ?? 0))
  /** Whether the lease may have ended before the event was written. */
  const isOver = ({ fence, holder, ends }: State, by: StoredEvent) => {
    const at = writtenBy(by)
    const isCut = ({ invokedAt, granted }: Call) => invokedAt < at && (granted?.ends ?? 0) - tolerance <= at
    return holder === null || ends - tolerance <= at || (expired.get(fence) ?? []).some(isCut)
  }
  const isLate = ({ ends }: State, event: StoredEvent) => writtenAfter(event) > ends + tolerance
  return { isOver, isLate }
}

/** The claims of one issue as its events have them. */
const courseOf = (events: ReadonlyArray<StoredEvent>, calls: ReadonlyArray<Call>, tolerance: number) => {
  const { isOver, isLate } = timesOf(calls, tolerance)
  const problems: Array<string> = []
  let state: State = { fence: 0, holder: null, ends: 0 }
  for (const event of events) {
    const { action, client, fence } = event
    if ((action === "claim" || action === "lapse") && !isOver(state, event)) {
      problems.push(`the ${action} of fence ${fence} was written while ${state.holder} held ${state.fence}.`)
    }
    if (action === "claim") {
      if ((fence ?? 0) <= state.fence) problems.push(`fence ${fence} was written after fence ${state.fence}.`)
      state = { fence: fence ?? 0, holder: client, ends: event.ends ?? 0 }
      continue
    }
    const isFenced = fence !== null && action !== "withdraw" && action !== "lapse"
    if (isFenced && (fence !== state.fence || client !== state.holder || isLate(state, event))) {
      problems.push(`the ${action} of ${client} under fence ${fence} was written; ${state.holder} held ${state.fence}.`)
    }
    if (action === "renew") state = { ...state, ends: event.ends ?? 0 }
    if (endsClaim.has(action)) state = { ...state, holder: null }
  }
  return { problems, state }
}

// A claim by the holder is a renewal.
const familyOf = (action: string) => (action === "claim" || action === "renew" ? "lease" : action)

const fenceOf = (call: Call) => call.granted?.fence ?? call.fence

const nameOf = (one: { readonly client: string; readonly action: string; readonly mark: string | null }) =>
  `${familyOf(one.action)} of ${one.client}${one.mark === null ? "" : ` (${one.mark})`}`

/** Every acknowledged change has its event, and every event its change. */
const keptAndAskedFor = (calls: ReadonlyArray<Call>, events: ReadonlyArray<StoredEvent>): ReadonlyArray<string> => {
  const counts = new Map<string, { readonly name: string; difference: number }>()
  const count = (name: string, fence: number | null, by: number) => {
    const entry = counts.get(`${name}/${fence}`) ?? { name, difference: 0 }
    entry.difference += by
    counts.set(`${name}/${fence}`, entry)
  }
  const unanswered = new Map<string, number>()
  for (const call of calls) {
    if (call.action === "expire" || !mayHaveHappened(call)) continue
    // One that was open already is left as it is, without an event. A manager sends no fence and is not shown any.
    if (isAccepted(call) && call.action !== "reopen")
      count(nameOf(call), call.action === "withdraw" ? null : fenceOf(call), -1)
    else unanswered.set(nameOf(call), (unanswered.get(nameOf(call)) ?? 0) + 1)
  }
  for (const event of events) {
    if (event.action !== "lapse") count(nameOf(event), event.action === "withdraw" ? null : event.fence, 1)
  }

  const lost = [...counts.values()].filter(({ difference }) => difference < 0)
  const additional = new Map<string, number>()
  for (const { name, difference } of counts.values()) {
    if (difference > 0) additional.set(name, (additional.get(name) ?? 0) + difference)
  }
  const unexplained = [...additional].filter(([name, number]) => number > (unanswered.get(name) ?? 0))
  return [
    ...lost.map(({ name }) => `an acknowledged ${name} has no event.`),
    ...unexplained.map(([name]) => `an event of a ${name} belongs to no call.`)
  ]
}

/** What was answered before another call began comes before that call's event. */
const inRealTimeOrder = (calls: ReadonlyArray<Call>, events: ReadonlyArray<StoredEvent>): ReadonlyArray<string> => {
  const identified = new Map<string, Call>()
  for (const call of calls) {
    if (!isAccepted(call)) continue
    if (call.mark !== null) identified.set(`${call.action}/${call.mark}`, call)
    if (call.action === "release") identified.set(`release/${call.fence}`, call)
  }
  const problems: Array<string> = []
  let latest: Call | undefined
  for (const { action, mark, fence } of events) {
    const call = identified.get(`${action}/${action === "release" ? fence : mark}`)
    if (call === undefined) continue
    if (latest !== undefined && call.answeredAt < latest.invokedAt) {
      problems.push(`the ${nameOf(call)} is written after the ${nameOf(latest)}, which began later.`)
    }
    if (latest === undefined || call.invokedAt > latest.invokedAt) latest = call
  }
  return problems
}

const endState = (state: State, final: { readonly fence: number; readonly holder: string | null } | undefined) => {
  if (final === undefined) return ["the issue is not in the database."]
  // A lease that has ended may leave its holder behind or not.
  const isSame = final.fence === state.fence && (final.holder === state.holder || final.holder === null)
  return isSame ? [] : [`the issue holds fence ${final.fence} of ${final.holder}, its events end with ${state.fence}.`]
}
