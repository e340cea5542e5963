import { DateTime, Effect } from "effect"
import { CreditExhausted, JobCostCap, SpendCeilingReached, SpendPaused } from "../../schema/Spend.ts"
import { Caller, type CallerInfo } from "./Caller.ts"
import { millisUntilRoom, totalUsd, windowMillis } from "./ceilings.ts"
import { unrestricted, withinWorkspace } from "./Reach.ts"
import { type SpendLimits, SpendRepo } from "./SpendRepo.ts"

interface Ceiling {
  readonly name: "workspace" | "key"
  readonly usd: number
}

/** What a workspace, and a key within it, may spend. */
export class Spend extends Effect.Service<Spend>()("Spend", {
  effect: Effect.gen(function* () {
    const repo = yield* SpendRepo

    /** Rejects while a ceiling leaves no room for `amount` more; reports when the last of them will. */
    const rejectWithoutRoom = Effect.fn("Spend.rejectWithoutRoom")(function* (
      { workspace_id, credential }: CallerInfo,
      limits: SpendLimits,
      amount: number
    ) {
      const ceilings = ceilingsOf(limits)
      if (ceilings.length === 0) return
      const now = yield* DateTime.now
      const since = DateTime.formatIso(DateTime.subtract(now, { millis: windowMillis }))
      const spent = yield* repo.spentSince({ workspace_id, since })
      const waits = ceilings.map((ceiling) => {
        const counted =
          ceiling.name === "workspace" ? spent : spent.filter(({ api_key_id }) => api_key_id === credential.id)
        const millis = millisUntilRoom(counted, ceiling.usd, amount, DateTime.toEpochMillis(now))
        return { ceiling, millis, spent: totalUsd(counted) }
      })
      const longest = waits.reduce((a, b) => (b.millis > a.millis ? b : a))
      if (longest.millis === 0) return
      const seconds = Math.ceil(longest.millis / 1000)
      return yield* new SpendCeilingReached({
        message: `The ${longest.ceiling.name} may spend ${longest.ceiling.usd} USD per hour; there is room again in ${seconds} s.`,
        retryAfterSeconds: seconds,
        details: {
          ceiling: longest.ceiling.name,
          usd_per_hour: longest.ceiling.usd,
          spent_usd: longest.spent
        }
      })
    })

    const limitsOf = ({ workspace_id, credential }: CallerInfo) =>
      repo.limits({ workspace_id, api_key_id: credential.kind === "api_key" ? credential.id : null })

    /** Whether an hourly ceiling of this caller is used up. */
    const rejectWhenExhausted = Effect.fn("Spend.rejectWhenExhausted")(
      function* (caller: CallerInfo) {
        yield* rejectWithoutRoom(caller, yield* limitsOf(caller), 0)
      },
      (effect, { workspace_id }) => withinWorkspace(workspace_id)(effect)
    )

    /**
     * Whether a job of this forecast (its middle is what is reserved) may be queued now. Exact when called in the
     * transaction that queues the job, under the workspace's admission lock.
     */
    const admit = Effect.fn("Spend.admit")(function* (forecast: { readonly cost_mid: number }) {
      const caller = yield* Caller
      const limits = yield* limitsOf(caller)
      const amount = forecast.cost_mid
      if (limits.spend_paused) {
        return yield* new SpendPaused({ message: "Spending is paused in this workspace; an operator can resume it." })
      }
      const cap = lowestCap(limits)
      if (cap !== null && amount > cap.usd) {
        return yield* new JobCostCap({
          message: `The forecast of this job is ${amount} USD; ${cap.what} is ${cap.usd} USD.`,
          details: { forecast_usd: amount, limit_usd: cap.usd }
        })
      }
      if (limits.credit_usd !== null) {
        const left = Math.round((limits.credit_usd - limits.held_usd) * 1e9) / 1e9
        if (left <= 0 || left < amount) {
          return yield* new CreditExhausted({
            message: `The workspace has ${Math.max(0, left)} USD of credit that no job holds; this job is forecast to cost ${amount} USD.`,
            details: { forecast_usd: amount, credit_usd: limits.credit_usd, held_usd: limits.held_usd }
          })
        }
      }
      yield* rejectWithoutRoom(caller, limits, amount)
    }, unrestricted)

    /** The limits of the caller, and what counts towards the workspace's hourly ceiling now. */
    const state = Effect.fn("Spend.state")(function* () {
      const caller = yield* Caller
      const since = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { millis: windowMillis }))
      const spent = yield* repo.spentSince({ workspace_id: caller.workspace_id, since })
      return { limits: yield* limitsOf(caller), last_hour_usd: totalUsd(spent) }
    }, unrestricted)

    return { rejectWhenExhausted, admit, state }
  })
}) {}

const ceilingsOf = ({ workspace_per_hour, key_per_hour }: SpendLimits): ReadonlyArray<Ceiling> => [
  ...(workspace_per_hour === null ? [] : [{ name: "workspace" as const, usd: workspace_per_hour }]),
  ...(key_per_hour === null ? [] : [{ name: "key" as const, usd: key_per_hour }])
]

// A job that alone exceeds a ceiling would never fit: waiting does not help, so it is a cap.
const lowestCap = (limits: SpendLimits) => {
  const caps = [
    ...(limits.job_cap_usd === null ? [] : [{ what: "what one job may cost", usd: limits.job_cap_usd }]),
    ...ceilingsOf(limits).map(({ name, usd }) => ({ what: `what the ${name} may spend in an hour`, usd }))
  ]
  return caps.length === 0 ? null : caps.reduce((a, b) => (b.usd < a.usd ? b : a))
}
