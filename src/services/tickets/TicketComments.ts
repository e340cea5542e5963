import { Duration, Effect } from "effect"
import { trackerNames } from "../../schema/Tracker.ts"
import { TicketTrackerError, TicketTrackers } from "../ports/TicketTracker.ts"
import { growingPause, sending } from "../support/sending.ts"
import { type ClaimedComment, TicketCommentsRepo } from "./TicketCommentsRepo.ts"
import { Trackers } from "./Trackers.ts"
import { commentOf, publicName } from "./ticketText.ts"

const firstPause = Duration.seconds(30)
const longestPause = Duration.hours(6)

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

    return sending({
      name: "TicketComments",
      noun: "A comment on a ticket",
      repo,
      send,
      pauseAfter: (attempts, { reason, retryAfterSeconds }) =>
        reason === "ticket_not_found" || reason === "rejected"
          ? null
          : Duration.max(growingPause(attempts, firstPause, longestPause), Duration.seconds(retryAfterSeconds ?? 0)),
      lease: Duration.minutes(5),
      patience: Duration.days(3)
    })
  })
}) {}

const unreachable = (message: string) =>
  new TicketTrackerError({ reason: "credentials", message, retryAfterSeconds: null })
