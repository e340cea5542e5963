import { Effect, Schema } from "effect"
import type { ApiError } from "../schema/ApiError.ts"
import { FixRequest, RequestFix, ReviseFix } from "../schema/Fix.ts"
import {
  Complete,
  dismissFields,
  filePath,
  type Observation,
  type ObservationNumber,
  ObservationNumberFromRef,
  ObservationStatus,
  observationFilters,
  observationFlags,
  observationListing,
  Priority,
  Reopen,
  searchFilters
} from "../schema/Observation.ts"
import { ObservationExplanation } from "../schema/ObservationExplanation.ts"
import { observations as operations } from "../schema/operations/index.ts"
import { field, list, optional } from "../schema/Text.ts"
import type { Caller } from "../services/access/Caller.ts"
import { Fixes } from "../services/fixes/Fixes.ts"
import { Observations } from "../services/observations/Observations.ts"
import { Tickets } from "../services/tickets/Tickets.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { changed, excerpt, forRefs, type RefArgs, read, refArgs, shortly } from "./manyRefs.ts"
import {
  eventsCursor,
  FileObservationRows,
  FixAcknowledgement,
  include,
  ObservationAcknowledgement,
  ObservationRows,
  ObservationWithEvents,
  rowsWithin,
  withEvents
} from "./observationAnswers.ts"
import { tool } from "./Tool.ts"

const ref = { ref: field(ObservationNumberFromRef, "Reference of the observation, such as `OBS-12`.") }

/** A change of one observation, or of each of several. */
const changing = (refs: RefArgs, change: (ref: ObservationNumber) => Effect.Effect<Observation, ApiError, Caller>) =>
  forRefs(refs, change, { run: change, entry: shortly })

/** Filters that take several values. */
const listFilters = {
  priorities: optional(list(Priority, 0, 4), "Only these priorities, such as `P0` and `P1`."),
  statuses: optional(list(ObservationStatus, 0, 2), "Only these statuses; `new` as in `status`.")
}

const flags = observationFlags(Schema.Boolean)

export const ObservationsTools = Effect.map(
  Effect.all([Observations, Fixes, Tickets]),
  ([observations, fixes, tickets]) => [
    tool({
      name: "list_observations",
      title: "List observations",
      description: "List observations that match all filters, newest first. Use get_observation for full details.",
      operation: operations.listObservations,
      args: {
        ...observationListing,
        ...listFilters,
        ...flags,
        ...include,
        ...pageArgs(25)
      },
      result: ObservationRows,
      run: ({ limit = 25, include, ...query }) =>
        rowsWithin(include, limit, (limit) => observations.briefs({ ...query, limit }))
    }),
    tool({
      name: "search_issues",
      title: "Search findings",
      description: "Full-text search over findings. Accepts the same filters as list_observations.",
      operation: operations.searchObservations,
      args: {
        ...searchFilters,
        ...listFilters,
        ...flags,
        ...include,
        ...pageArgs(25)
      },
      result: ObservationRows,
      run: ({ limit = 25, include, ...query }) =>
        rowsWithin(include, limit, (limit) => observations.search({ ...query, limit, include: "locations" }))
    }),
    tool({
      name: "recent_issues",
      title: "Recent findings of a file",
      description:
        "List open findings that touch a file, newest first. Use get_applicable_rules for the rules before changing it.",
      operation: operations.listRecentObservations,
      args: { ...repositoryArgs, file_path: filePath, ...include, ...pageArgs(25) },
      result: FileObservationRows,
      run: ({ file_path, limit = 25, include, cursor, ...path }) =>
        rowsWithin(include, limit, (limit) =>
          observations.recent(path, {
            file_path,
            limit,
            include: "locations",
            ...(cursor === undefined ? {} : { cursor })
          })
        )
    }),
    tool({
      name: "list_pending_migrations",
      title: "List pending migrations",
      description:
        "List open migration suggestions; empty unless audit suggestions are enabled. Use list_observations for other kinds.",
      operation: operations.listPendingMigrations,
      args: { repo: observationFilters.repo, ...include, ...pageArgs(25) },
      result: ObservationRows,
      run: ({ limit = 25, include, ...query }) =>
        rowsWithin(include, limit, (limit) => observations.pendingMigrations({ ...query, limit, include: "locations" }))
    }),
    tool({
      name: "explain_observation",
      title: "Explain observation",
      description:
        "Explain an observation in prose: cause, fix, evidence, similar ones, history. Use get_observation for the record.",
      operation: operations.explainObservation,
      args: ref,
      result: ObservationExplanation,
      run: (args) => observations.explain(args.ref)
    }),
    tool({
      name: "get_observation",
      title: "Get observation",
      description:
        "Read one observation with its locations, evidence and fix attempts. Use explain_observation for prose.",
      operation: operations.readObservation,
      args: { ...refArgs, ...eventsCursor },
      result: read(ObservationWithEvents),
      run: ({ events_cursor: cursor, ...refs }) =>
        forRefs(
          refs,
          (ref) =>
            Effect.flatMap(fixes.detail(ref), (observation) =>
              withEvents(observation, cursor, (page) => observations.events(ref, page))
            ),
          { run: fixes.detail, entry: excerpt }
        )
    }),
    tool({
      name: "dismiss_observation",
      title: "Dismiss observation",
      description:
        "Dismiss an open observation with a category and a note. Use acknowledge_observation to keep it open.",
      operation: operations.dismissObservation,
      args: { ...refArgs, ...dismissFields },
      result: changed(ObservationAcknowledgement),
      run: ({ ref, refs, ...dismissal }) => changing({ ref, refs }, (number) => observations.dismiss(number, dismissal))
    }),
    tool({
      name: "acknowledge_observation",
      title: "Acknowledge observation",
      description: "Acknowledge an open observation without closing it. Use dismiss_observation to close it.",
      operation: operations.acknowledgeObservation,
      args: refArgs,
      result: changed(ObservationAcknowledgement),
      run: (refs) => changing(refs, observations.acknowledge)
    }),
    tool({
      name: "complete_observation",
      title: "Complete observation",
      description:
        "Close an observation that was fixed, with an optional note and link. Use dismiss_observation for a false positive.",
      operation: operations.completeObservation,
      args: { ...refArgs, ...Complete.fields },
      result: changed(ObservationAcknowledgement),
      run: ({ ref, refs, ...completion }) =>
        changing({ ref, refs }, (number) => observations.complete(number, completion))
    }),
    tool({
      name: "reopen_observation",
      title: "Reopen observation",
      description: "Reopen a closed observation with a reason. Use get_observation to see why it was closed.",
      operation: operations.reopenObservation,
      args: { ...refArgs, ...Reopen.fields },
      result: changed(ObservationAcknowledgement),
      run: ({ ref, refs, ...reopening }) => changing({ ref, refs }, (number) => observations.reopen(number, reopening))
    }),
    tool({
      name: "submit_fix",
      title: "Submit fix",
      description:
        "Start a fix job that opens a pull request for a finding, which spends credit. Use complete_observation after your own fix.",
      operation: operations.fixObservation,
      args: { ...ref, ...FixRequest.fields },
      result: FixAcknowledgement,
      run: ({ ref, ...request }) => fixes.submit(ref, request)
    }),
    tool({
      name: "request_fix",
      title: "Request fix",
      description: "Use a queued fix job for a finding, which spends credit. Use submit_fix to start one.",
      operation: operations.requestFix,
      args: { ...ref, ...RequestFix.fields },
      result: FixAcknowledgement,
      run: ({ ref, job_id }) => fixes.request(ref, job_id)
    }),
    tool({
      name: "revise_fix_pr",
      title: "Revise fix PR",
      description:
        "Send an open fix pull request back with instructions, which spends credit. Use list_fix_prs to see which are open.",
      operation: operations.reviseFix,
      args: { ...ref, ...ReviseFix.fields },
      result: FixAcknowledgement,
      run: ({ ref, instructions }) => fixes.revise(ref, instructions)
    }),
    tool({
      name: "create_ticket",
      title: "Create ticket",
      description:
        "Create a ticket for an observation in the configured tracker. Use get_observation to read its `ticket_url`.",
      operation: operations.publishTicket,
      args: ref,
      result: ObservationAcknowledgement,
      run: (args) => tickets.publish(args.ref)
    })
  ]
)
