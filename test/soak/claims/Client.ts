import { Effect } from "effect"
import type pg from "pg"
import type { Chance } from "../../support/generate.ts"
import type { Action, Call } from "./history.ts"
import type { Attempt, Outcome } from "./requests.ts"

/** What a client believes of an issue that it holds. */
interface Lease {
  readonly fence: number
  readonly status: string
  readonly criterion: { readonly id: string; readonly met: boolean }
}

/** One that claims issues, works under its claims and goes on doing so when it has lost them without noticing. */
export interface Client {
  /** As events name it. */
  readonly name: string
  readonly isManager: boolean
  readonly send: Send
  readonly chance: Chance
  readonly leases: Map<string, Lease>
  /** Fences of leases that it has lost: nothing may be accepted under them. */
  readonly lost: Map<string, number>
}

/** One call on an issue; `null` when no response came. */
export type Send = (issue: string, attempt: Attempt, chance: Chance) => Effect.Effect<Outcome | null>

export interface Soak {
  readonly issues: ReadonlyArray<string>
  /** As the owner of the database: what a test does behind the service's back. */
  readonly database: pg.Pool
  readonly calls: Array<Call>
  /** Milliseconds of the database's time at the zero of the monotonic clock. */
  readonly databaseTime: number
  marks: number
}

export const aClient = (of: Pick<Client, "name" | "isManager" | "send">, chance: Chance): Client => ({
  ...of,
  chance,
  leases: new Map(),
  lost: new Map()
})

interface Plan {
  readonly action: Exclude<Action, "expire" | "lapse">
  readonly fence: number | null
  readonly mark: string | null
  readonly attempt: Attempt
}

const plans = {
  claim: (minutes: number): Plan => ({
    action: "claim",
    fence: null,
    mark: null,
    attempt: { tool: "claim_issue", method: "POST", path: "/claim", body: { lease_minutes: minutes } }
  }),
  renew: (fence: number, minutes: number): Plan => ({
    action: "renew",
    fence,
    mark: null,
    attempt: { tool: "renew_claim", method: "POST", path: "/claim/renewal", body: { fence, lease_minutes: minutes } }
  }),
  release: (fence: number): Plan => ({
    action: "release",
    fence,
    mark: null,
    attempt: { tool: "release_issue", method: "DELETE", path: "/claim", body: { fence } }
  }),
  withdraw: (): Plan => ({
    action: "withdraw",
    fence: null,
    mark: null,
    attempt: { tool: "release_issue", method: "DELETE", path: "/claim", body: {} }
  }),
  note: (fence: number, mark: string): Plan => ({
    action: "note",
    fence,
    mark,
    attempt: { tool: "note_issue", method: "POST", path: "/notes", body: { body_md: mark, fence } }
  }),
  status: (fence: number, status: string): Plan => ({
    action: "status",
    fence,
    mark: null,
    attempt: { tool: "update_issue_status", method: "POST", path: "/status", body: { status, fence } }
  }),
  criterion: (fence: number, { id, met }: Lease["criterion"], mark: string): Plan => ({
    action: "criterion",
    fence,
    mark,
    attempt: {
      tool: "set_acceptance_criterion_met",
      method: "PUT",
      path: `/criteria/${id}`,
      inPath: { criterion_id: id },
      body: { met: !met, note: mark, fence }
    }
  }),
  close: (fence: number, mark: string): Plan => ({
    action: "close",
    fence,
    mark,
    attempt: { tool: "close_issue", method: "POST", path: "/close", body: { reason: "cancelled", note: mark, fence } }
  }),
  reopen: (mark: string): Plan => ({
    action: "reopen",
    fence: null,
    mark,
    attempt: { tool: "reopen_issue", method: "POST", path: "/reopen", body: { reason: mark } }
  })
}

const otherStatus: Readonly<Record<string, string>> = { in_progress: "in_review", in_review: "in_progress" }

const minutesOf = (chance: Chance) => chance.pick([1, 1, 2, 30, 1440])

/** What a holder does next. */
const underLease = (client: Client, lease: Lease, mark: string): Plan => {
  const { fence, status, criterion } = lease
  const turn = client.chance.below(100)
  if (turn < 30) return plans.note(fence, mark)
  if (turn < 45) return plans.renew(fence, minutesOf(client.chance))
  if (turn < 60) return plans.criterion(fence, criterion, mark)
  if (turn < 70 && otherStatus[status] !== undefined) return plans.status(fence, otherStatus[status])
  if (turn < 78) return plans.claim(minutesOf(client.chance))
  if (turn < 96) return plans.release(fence)
  return plans.close(fence, mark)
}

/** What one does that does not know that its lease is over. */
const underLostLease = (client: Client, fence: number, mark: string): Plan =>
  client.chance.pick([
    plans.note(fence, mark),
    plans.renew(fence, 30),
    plans.release(fence),
    plans.status(fence, "in_review"),
    plans.close(fence, mark)
  ])

const planOf = (client: Client, issue: string, mark: string): Plan => {
  const lease = client.leases.get(issue)
  const lost = client.lost.get(issue)
  if (lease !== undefined) return underLease(client, lease, mark)
  if (lost !== undefined && client.chance.oneIn(3)) return underLostLease(client, lost, mark)
  return client.isManager && client.chance.oneIn(4) ? plans.withdraw() : plans.claim(minutesOf(client.chance))
}

interface ClaimAnswer {
  readonly fence: number
  readonly lease_expires_at: string
  readonly issue: {
    readonly status: string
    readonly acceptance_criteria: ReadonlyArray<Lease["criterion"]>
  }
}

/** What the client knows after a call. */
const learn = (client: Client, issue: string, { action, fence }: Plan, outcome: Outcome | null) => {
  const lease = client.leases.get(issue)
  if (outcome === null) {
    // It does not know what it holds; only another claim will say.
    client.leases.delete(issue)
  } else if (outcome.code === "claim_lost" && fence !== null) {
    client.leases.delete(issue)
    client.lost.set(issue, fence)
  } else if (outcome.code !== "ok") {
    return
  } else if (action === "claim") {
    const { fence: granted, issue: record } = outcome.body as unknown as ClaimAnswer
    const [criterion] = record.acceptance_criteria
    if (criterion !== undefined) client.leases.set(issue, { fence: granted, status: record.status, criterion })
  } else if (action === "release" || action === "close") {
    client.leases.delete(issue)
    if (fence !== null) client.lost.set(issue, fence)
  } else if (lease !== undefined && (action === "status" || action === "criterion")) {
    const criterion = { ...lease.criterion, met: lease.criterion.met !== (action === "criterion") }
    const status = action === "status" ? (otherStatus[lease.status] ?? lease.status) : lease.status
    client.leases.set(issue, { ...lease, status, criterion })
  }
}

const grantOf = (soak: Soak, { action }: Plan, outcome: Outcome | null): Call["granted"] => {
  if (outcome?.code !== "ok" || (action !== "claim" && action !== "renew")) return null
  const { fence, lease_expires_at } = outcome.body as unknown as ClaimAnswer
  return { fence, ends: Date.parse(lease_expires_at) - soak.databaseTime }
}

const perform = (soak: Soak, client: Client, issue: string, plan: Plan) =>
  Effect.gen(function* () {
    const invokedAt = performance.now()
    const outcome = yield* client.send(issue, plan.attempt, client.chance)
    soak.calls.push({
      client: client.name,
      issue,
      action: plan.action,
      fence: plan.fence,
      mark: plan.mark,
      invokedAt,
      answeredAt: outcome === null ? Number.POSITIVE_INFINITY : performance.now(),
      outcome: outcome?.code ?? "unanswered",
      granted: grantOf(soak, plan, outcome)
    })
    learn(client, issue, plan, outcome)
    return outcome
  })

interface Cut {
  readonly fence: string
  readonly ends: number
}

/** Ends a lease, mostly at once and otherwise in a moment, as if its minutes had passed. */
const expire = (soak: Soak, client: Client, issue: string) =>
  Effect.gen(function* () {
    const seconds = client.chance.oneIn(4) ? client.chance.next() / 2 : -0.002
    const invokedAt = performance.now()
    const { rows } = yield* Effect.promise(() =>
      soak.database.query<Cut>(
        `UPDATE issues SET lease_expires_at = clock_timestamp() + make_interval(secs => $1)
        WHERE number = $2 AND lease_expires_at > clock_timestamp() + make_interval(secs => $1)
          AND lease_expires_at > clock_timestamp()
        RETURNING fence, extract(epoch FROM lease_expires_at)::float8 * 1000 AS ends`,
        [seconds, Number(issue.slice("ISS-".length))]
      )
    )
    for (const { fence, ends } of rows) {
      soak.calls.push({
        client: "the test",
        issue,
        action: "expire",
        fence: Number(fence),
        mark: null,
        invokedAt,
        answeredAt: performance.now(),
        outcome: "ok",
        granted: { fence: Number(fence), ends: ends - soak.databaseTime }
      })
    }
  })

/** One call of a client on an issue of its choice; now and then the end of a lease instead. */
export const step = (soak: Soak, client: Client) =>
  Effect.gen(function* () {
    const held = [...client.leases.keys()]
    const issue =
      held.length > 0 && !client.chance.oneIn(4) ? client.chance.pick(held) : client.chance.pick(soak.issues)
    if (client.chance.oneIn(16)) yield* expire(soak, client, issue)
    const mark = () => `mark-${++soak.marks}-`
    const outcome = yield* perform(soak, client, issue, planOf(client, issue, mark()))
    if (outcome?.code === "issue_closed") yield* perform(soak, client, issue, plans.reopen(mark()))
  })
