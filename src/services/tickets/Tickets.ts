import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect, Option } from "effect"
import { RepositoryId, TicketId } from "../../schema/Ids.ts"
import { ObservationClosed, type ObservationNumber } from "../../schema/Observation.ts"
import {
  NoTicketIntegration,
  TicketRejected,
  TrackerAddressRejected,
  TrackerCredentialsRejected,
  TrackerProjectNotFound,
  TrackerUnavailable,
  trackerNames
} from "../../schema/Tracker.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { Observations } from "../observations/Observations.ts"
import {
  type Mark,
  type PublishedTicket,
  type TicketDraft,
  type TicketTracker,
  TicketTrackerError,
  TicketTrackers,
  type TrackerAccount
} from "../ports/TicketTracker.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { type Claim, TicketsRepo } from "./TicketsRepo.ts"
import { type ServingTracker, Trackers } from "./Trackers.ts"
import { type Published, publicName, ticketOf } from "./ticketText.ts"

/** Longer than looking for a ticket, creating it and looking again: only a process that died holds a claim as long. */
const hold = Duration.seconds(90)
const searchTime = Duration.seconds(25)

/** A request without an answer may still be on its way: the next attempt waits, and then finds what it did. */
const settling = Duration.seconds(15)

/** How long a call waits for another one that publishes the same ticket. */
const patience = Duration.seconds(20)
const pause = Duration.millis(250)

/** Observations in a ticket tracker: one ticket an observation, however many ask and whatever is lost on the way. */
export class Tickets extends Effect.Service<Tickets>()("Tickets", {
  effect: Effect.gen(function* () {
    const repo = yield* TicketsRepo
    const observations = yield* Observations
    const trackers = yield* Trackers
    const kinds = yield* TicketTrackers
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const subjectOf = ({ id: observation_id }: Published) =>
      Effect.map(Caller, ({ workspace_id }) => ({ workspace_id, observation_id }))

    const trackerOf = Effect.fnUntraced(function* (observation: Published) {
      const subject = yield* subjectOf(observation)
      const found = Option.getOrThrow(yield* repo.repositoryOf(subject))
      const repository_id = RepositoryId.make(found.repository_id)
      const [tracker] = yield* trackers.serving(subject.workspace_id, repository_id)
      if (tracker !== undefined) return { tracker, repository_id }
      return yield* new NoTicketIntegration({
        message: `${observation.repo_name} has no ticket integration; an admin sets one up with PUT /api/trackers/{kind}.`
      })
    })

    const claim = Effect.fnUntraced(function* (
      observation: Published,
      { tracker, repository_id }: { readonly tracker: ServingTracker; readonly repository_id: RepositoryId }
    ) {
      const at = yield* DateTime.now
      const { kind, base_url, project } = tracker
      const claimed = yield* repo.claim({
        ...(yield* subjectOf(observation)),
        id: yield* newId(TicketId),
        repository_id,
        kind,
        base_url,
        project,
        now: DateTime.formatIso(at),
        until: DateTime.formatIso(DateTime.addDuration(at, hold))
      })
      return claimed
    })

    const record = Effect.fn("Tickets.record")(function* (observation: Published, ticket: PublishedTicket) {
      const subject = yield* subjectOf(observation)
      if (!(yield* repo.publish({ ...subject, ...ticket, at: yield* now }))) return
      yield* auditLog.record({
        object: { kind: "observation", ref: observation.ref },
        before: { ticket_url: null },
        after: { ticket_url: ticket.url }
      })
    }, inTransaction)

    const release = Effect.fnUntraced(function* (observation: Published, { attempt }: Claim, wait: Duration.Duration) {
      const at = DateTime.formatIso(DateTime.addDuration(yield* DateTime.now, wait))
      yield* repo.release({ ...(yield* subjectOf(observation)), attempt, at })
    })

    const publishClaimed = Effect.fn("Tickets.publishClaimed")(function* (
      observation: Published,
      { kind, account }: ServingTracker,
      claimed: Claim
    ) {
      const { workspace_id } = yield* Caller
      const { id, claimed_at, attempt } = claimed
      const mark = { about: publicName(workspace_id, observation.ref), id, since: claimed_at }
      const draft = ticketOf(observation, mark)
      const created = Effect.flatMap(
        Effect.mapError(account, ({ message }) => credentialsError(message)),
        (access) => (attempt === 1 ? create(kinds[kind], access, draft) : findOrCreate(kinds[kind], access, draft))
      )
      yield* created.pipe(
        Effect.tapError(({ reason }) =>
          release(observation, claimed, reason === "unavailable" ? settling : Duration.zero)
        ),
        Effect.mapError(rejectionOf),
        Effect.flatMap((ticket) => record(observation, ticket)),
        // A caller that goes away must not leave in doubt whether there is a ticket; time limits bound this.
        Effect.uninterruptible
      )
    })

    /** The observation with its ticket; the same one for all who ask at once or again. */
    const publish = Effect.fn("Tickets.publish")(function* (number: ObservationNumber) {
      const deadline = DateTime.addDuration(yield* DateTime.now, patience)
      for (;;) {
        const observation = yield* observations.get(number)
        if (observation.ticket_url !== null) return observation
        // A repository without tracker has no ticket, whatever the state of the observation is.
        const found = yield* trackerOf(observation)
        if (observation.status === "closed") {
          return yield* new ObservationClosed({
            message: `${observation.ref} is closed (${observation.close_reason}); reopen it to publish a ticket.`
          })
        }
        const claimed = yield* claim(observation, found)
        if (Option.isSome(claimed)) yield* publishClaimed(observation, found.tracker, claimed.value)
        else if (DateTime.greaterThan(yield* DateTime.now, deadline)) return yield* busy(found.tracker)
        else yield* Effect.sleep(pause)
      }
    })

    return { publish }
  })
}) {}

const find = (tracker: TicketTracker, account: TrackerAccount, mark: Mark) =>
  Effect.timeoutFail(Effect.interruptible(tracker.find(account, mark)), {
    duration: searchTime,
    onTimeout: () =>
      new TicketTrackerError({ reason: "unavailable", message: "The tracker takes too long.", retryAfterSeconds: 30 })
  })

/** Where the outcome of creating is in doubt, what is in the tracker says it. */
const create = (tracker: TicketTracker, account: TrackerAccount, draft: TicketDraft) =>
  Effect.catchIf(
    tracker.create(account, draft),
    ({ reason }) => reason === "unavailable" || reason === "rejected",
    (error) =>
      Effect.flatMap(Effect.option(find(tracker, account, draft.mark)), (found) =>
        Effect.mapError(Option.flatten(found), () => error)
      )
  )

const findOrCreate = (tracker: TicketTracker, account: TrackerAccount, draft: TicketDraft) =>
  Effect.flatMap(find(tracker, account, draft.mark), (found) =>
    Option.isSome(found) ? Effect.succeed(found.value) : create(tracker, account, draft)
  )

const credentialsError = (message: string) =>
  new TicketTrackerError({ reason: "credentials", message, retryAfterSeconds: null })

const rejectionOf = ({ reason, message, retryAfterSeconds }: TicketTrackerError) => {
  switch (reason) {
    case "unavailable":
      return new TrackerUnavailable({
        message: `${message} Ask again: the ticket is published once.`,
        retryAfterSeconds: retryAfterSeconds ?? Duration.toSeconds(settling)
      })
    case "address_refused":
      return new TrackerAddressRejected({ message })
    case "credentials":
      return new TrackerCredentialsRejected({ message })
    case "project_not_found":
      return new TrackerProjectNotFound({ message })
    default:
      return new TicketRejected({ message })
  }
}

const busy = ({ kind }: ServingTracker) =>
  new TrackerUnavailable({
    message: `Another call publishes this observation to ${trackerNames[kind]} already; ask again for its ticket.`,
    retryAfterSeconds: Duration.toSeconds(settling)
  })
