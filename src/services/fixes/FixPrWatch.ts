import { Array, DateTime, Duration, Effect, Schedule } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { withinWorkspace, withReach } from "../access/Reach.ts"
import type { CodeHostError } from "../ports/Remote.ts"
import { FixRecordsRepo, type WatchedPr, type WatchRequest } from "./FixRecordsRepo.ts"
import { PullRequestHost } from "./PullRequestHost.ts"

const interval = Duration.minutes(1)
/** Looked at since then, it is not looked at again in this round. */
const openAge = Duration.seconds(45)
/** How long closed pull requests are looked at, in case people reopen them, and how often. */
const closedMemory = Duration.days(1)
const closedAge = Duration.minutes(10)
const perRound = 100
const hostsAtOnce = 4
/** An audit waits no longer than this for the state of pull requests. */
const longestLook = Duration.seconds(60)

/** After these, the next question to the same host would fail, too. */
const isOfHost = ({ reason }: CodeHostError) =>
  reason === "unreachable" || reason === "timeout" || reason === "rate_limited"

/**
 * Follows the open pull requests of fixes at their code hosts: merged ones close their observations, closed ones bring
 * them back. One host that fails does not hold up the others.
 */
export class FixPrWatch extends Effect.Service<FixPrWatch>()("FixPrWatch", {
  effect: Effect.gen(function* () {
    const records = yield* FixRecordsRepo
    const hosts = yield* PullRequestHost

    const due = (of: WatchRequest["of"], age: Duration.Duration) =>
      Effect.flatMap(DateTime.now, (time) => {
        const ago = (duration: Duration.Duration) => DateTime.formatIso(DateTime.subtractDuration(time, duration))
        return records.watched({
          of,
          openBefore: ago(age),
          closedSince: ago(closedMemory),
          closedBefore: ago(closedAge),
          limit: perRound
        })
      })

    /** Whether the host can be asked on. */
    const check = (pr: WatchedPr) =>
      hosts.look(pr).pipe(
        Effect.as(true),
        Effect.catchAll((error) =>
          Effect.as(
            Effect.logWarning(`The state of the fix pull request of ${pr.ref} is not known: ${error.message}`),
            !isOfHost(error)
          )
        ),
        Effect.catchAllCause((cause) =>
          Effect.as(
            Effect.logError(`The state of the fix pull request of ${pr.ref} could not be applied.`, cause),
            true
          )
        ),
        Effect.annotateLogs({ attempt_id: pr.id }),
        withinWorkspace(pr.workspace_id),
        withReach
      )

    /** One after another; once the host fails, the others wait for the next round, behind those of other hosts. */
    const checkHost = (ofHost: ReadonlyArray<WatchedPr>) =>
      Effect.reduce(ofHost, true, (answers, pr) => (answers ? check(pr) : Effect.as(hosts.postpone(pr), false)))

    const checkAll = (found: ReadonlyArray<WatchedPr>) =>
      Effect.forEach(Object.values(Array.groupBy(found, ({ clone_url }) => hostOf(clone_url))), checkHost, {
        concurrency: hostsAtOnce,
        discard: true
      })

    /** Of one repository, now: a base branch that has moved may have merged them. */
    const look = Effect.fn("FixPrWatch.look")(function* (repository: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
    }) {
      const { workspace_id, repository_id } = repository
      const found = yield* due({ workspace_id, repository_id }, Duration.zero)
      yield* Effect.timeoutOption(checkAll(found), longestLook)
    })

    const tick = Effect.fn("FixPrWatch.tick")(function* () {
      yield* checkAll(yield* due("all", openAge))
    })

    /** For ever, about once a minute. One process of an installation runs this at a time. */
    const loop = Effect.repeat(
      Effect.catchAllCause(tick(), (cause) => Effect.logWarning("The watch of fix pull requests failed.", cause)),
      Schedule.jittered(Schedule.spaced(interval))
    )

    return { look, tick, loop }
  })
}) {}

/** What a failure of one remote says about others: the host's name; of a remote without one, the remote itself. */
const hostOf = (url: string): string => /^(?!file:)(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^:/]+)/i.exec(url)?.[1] ?? url
