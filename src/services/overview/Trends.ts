import { Clock, Effect } from "effect"
import { InvalidPayload } from "../../schema/Errors.ts"
import type { Scope } from "../../schema/Key.ts"
import { maxTrendBuckets, type TrendsQuery, type Trends as TrendsRecord } from "../../schema/Trends.ts"
import { Caller, holds } from "../access/Caller.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { TrendsRepo } from "./TrendsRepo.ts"
import { type Buckets, bucketsOf, historySeries, sharesOf, spendSeries } from "./trendSeries.ts"

/** Money and jobs are read with their own permission, too: a summary is no way around scopes. */
const neededForSpend: Scope = "view_jobs"

/** How observations and money developed. */
export class Trends extends Effect.Service<Trends>()("Trends", {
  effect: Effect.gen(function* () {
    const repo = yield* TrendsRepo
    const repositories = yield* Repositories

    const read = Effect.fn("Trends.read")(function* (query: TrendsQuery) {
      const { workspace_id, permissions } = yield* Caller
      const { bucket = "day", domain = null, rule = null } = query
      const buckets = yield* bucketsFor(query, bucket)
      const repository_id = query.repo === undefined ? null : yield* repositories.resolveSlug(query.repo)
      const { from, to, days } = buckets
      const where = { workspace_id, repository_id, from, to, days }
      const history = yield* repo.history({ ...where, domain, rule })
      const showsSpend = holds(permissions, neededForSpend)
      const spending = showsSpend
        ? spendSeries(buckets, yield* repo.spend(where), yield* repo.coverage(where))
        : { spend: [], forecast_coverage: [] }
      return {
        from,
        to,
        bucket,
        series: { ...historySeries(buckets, history), ...spending },
        false_positive_share_by_rule: sharesOf(history.decisions),
        not_shown: showsSpend ? [] : [neededForSpend]
      } satisfies TrendsRecord
    })

    return { read }
  })
}) {}

const bucketsFor = (
  { from, to }: TrendsQuery,
  bucket: TrendsRecord["bucket"]
): Effect.Effect<Buckets, InvalidPayload> =>
  Effect.gen(function* () {
    const millis = (time: string | undefined) => (time === undefined ? null : Date.parse(time))
    const buckets = bucketsOf({ from: millis(from), to: millis(to), bucket, now: yield* Clock.currentTimeMillis })
    if (buckets === null) {
      return yield* new InvalidPayload({ message: "from must lie before to, and before now.", param: "from" })
    }
    if (buckets.count > maxTrendBuckets) {
      return yield* new InvalidPayload({
        message: `The period has ${buckets.count} buckets, at most are ${maxTrendBuckets}: choose a later from, or bucket=week.`,
        param: "from"
      })
    }
    return buckets
  })
