import { DateTime, Duration, Effect, Option } from "effect"
import { trackerNames } from "../../schema/Tracker.ts"
import { TicketTrackerError, TicketTrackers } from "../ports/TicketTracker.ts"
import { type ClaimedComment, TicketCommentsRepo } from "./TicketCommentsRepo.ts"
import { Trackers } from "./Trackers.ts"
import { commentOf, publicName } from "./ticketText.ts"

const interval = "15 seconds"

// Longer than the slowest conversation with a tracker: only a sender that died holds a comment as long.
const lease = Duration.minutes(5)

/** A comment that was not accepted for so long is given up. */
const patience = Duration.days(3)
const firstPause = Duration.seconds(30)
const longestPause = Duration.hours(6)

const pauseAfter = (attempts: number, retryAfterSeconds: number | null) =>
  Duration.max(
    Duration.min(Duration.times(firstPause, 2 ** Math.min(attempts - 1, 20)), longestPause),
    Duration.seconds(retryAfterSeconds ?? 0)
  )

/** Comments on tickets whose observation was closed or reopened; any number of processes may send them, each is sent once. */
export class TicketComments extends Effect.Service<TicketComments>()("TicketComments", {
  effect: Effect.gen(function* () {
    const repo = yield* TicketCommentsRepo
    const trackers = yield* Trackers
    const kinds = yield* TicketTrackers

    /** Access to where the ticket is, which the configuration may name no longer. */
    const accountOf = Effect.fnUntraced(function* (comment: ClaimedComment) {
      const { workspace_id, repository_id, kind, base_url, project } = comment
      const serving = yield* trackers.serving(workspace_id, repository_id)
      const tracker = serving.find((one) => one.kind === kind && one.base_url === base_url)
      if (tracker === undefined) {
        return yield* unreachable(`No tracker is set for ${trackerNames[kind]} at ${base_url}, where the ticket is.`)
      }
      const account = yield* Effect.mapError(tracker.account, ({ message }) => unreachable(message))
      return { ...account, project }
    })

    const send = Effect.fnUntraced(function* (comment: ClaimedComment) {
      const account = yield* accountOf(comment)
      const tracker = kinds[comment.kind]
      const ticket = { key: comment.ticket_key, url: comment.ticket_url }
      const mark = { about: publicName(comment.workspace_id, comment.ref), id: comment.id, since: comment.at }
      // An earlier attempt may have come through although no answer did.
      const isThere = comment.attempts > 1 && (yield* tracker.hasComment(account, ticket, mark))
      if (!isThere) yield* tracker.comment(account, ticket, commentOf(comment, mark))
    })

    const deliver = Effect.fn("TicketComments.deliver")(function* (comment: ClaimedComment) {
      const { workspace_id, id, attempts } = comment
      const failed = yield* send(comment).pipe(
        Effect.as(null),
        Effect.catchTag("TicketTrackerError", (error) => Effect.succeed(error))
      )
      const at = yield* DateTime.now
      if (failed === null) return yield* repo.markSent({ workspace_id, id, attempts, at: DateTime.formatIso(at) })
      yield* Effect.logWarning(`A comment on a ticket could not be sent: ${failed.message}`).pipe(
        Effect.annotateLogs({ comment_id: id, attempts })
      )
      const isFinal = failed.reason === "ticket_not_found" || failed.reason === "rejected"
      const next = isFinal ? null : DateTime.addDuration(at, pauseAfter(attempts, failed.retryAfterSeconds))
      yield* repo.markFailed({
        workspace_id,
        id,
        attempts,
        error: failed.message,
        next: next === null ? null : DateTime.formatIso(next)
      })
    })

    const sendNext = Effect.gen(function* () {
      const at = yield* DateTime.now
      const comment = yield* repo.claimDue({
        now: DateTime.formatIso(at),
        until: DateTime.formatIso(DateTime.addDuration(at, lease))
      })
      if (Option.isSome(comment)) yield* deliver(comment.value)
      return Option.isSome(comment)
      // Stopping in between would leave in doubt whether it was sent; the tracker's time limits bound this.
    }).pipe(Effect.uninterruptible)

    /** Sends all that is due now. */
    const tick = Effect.fn("TicketComments.tick")(function* () {
      const at = yield* DateTime.now
      yield* repo.giveUp({
        now: DateTime.formatIso(at),
        before: DateTime.formatIso(DateTime.subtractDuration(at, patience)),
        error: `Not sent within ${Duration.format(patience)}.`
      })
      yield* Effect.repeat(sendNext, { while: (sent) => sent })
    })

    /** For ever, every 15 seconds. */
    const loop = Effect.forever(
      tick().pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("Comments on tickets could not be sent.", cause)),
        Effect.zipRight(Effect.sleep(interval))
      )
    )

    return { tick, loop }
  })
}) {}

const unreachable = (message: string) =>
  new TicketTrackerError({ reason: "credentials", message, retryAfterSeconds: null })
