import { Effect, Schema } from "effect"
import { FixableObservation, FixObservationResponse, fixInstructions, RequestFix } from "../schema/Fix.ts"
import {
  completionText,
  DismissalCategory,
  dismissalNote,
  filePath,
  Observation,
  ObservationExplanation,
  ObservationRef,
  observationFilters,
  reopenReason,
  searchFilters
} from "../schema/Observation.ts"
import { observations as operations } from "../schema/operations/index.ts"
import type { Page } from "../schema/Page.ts"
import { optional } from "../schema/Text.ts"
import { Fixes } from "../services/observations/Fixes.ts"
import { Observations } from "../services/observations/Observations.ts"
import { Tickets } from "../services/observations/Tickets.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { tool } from "./Tool.ts"

// A page of whole observations would fill a model's context; the text and the evidence are one call away.
const Row = Schema.Struct({
  ref: Observation.fields.ref,
  kind: Observation.fields.kind,
  status: Observation.fields.status,
  priority: Observation.fields.priority,
  category: Observation.fields.category,
  title: Schema.String,
  rule_id: Schema.String,
  repo_name: Schema.String,
  file_path: Schema.NullOr(Schema.String),
  line: Schema.NullOr(Schema.Number)
})

const Rows = Schema.Struct({
  data: Schema.Array(Row),
  next_cursor: Schema.NullOr(Schema.String),
  has_more: Schema.Boolean
})

const row = (observation: Observation): typeof Row.Type => ({
  ref: observation.ref,
  kind: observation.kind,
  status: observation.status,
  priority: observation.priority,
  category: observation.category,
  title: observation.title,
  rule_id: observation.rule_id,
  repo_name: observation.repo_name,
  file_path: observation.locations?.[0]?.file_path ?? null,
  line: observation.locations?.[0]?.line_start ?? null
})

const rows = (page: Page<Observation>): typeof Rows.Type => ({ ...page, data: page.data.map(row) })

const ref = { ref: ObservationRef }

export const ObservationsTools = Effect.map(
  Effect.all([Observations, Fixes, Tickets]),
  ([observations, fixes, tickets]) => [
    tool({
      name: "list_observations",
      title: "List observations",
      description: "List observations with filters, newest first; get_observation has the whole of one.",
      operation: operations.listObservations,
      args: {
        ...observationFilters,
        has_fix_pr: optional(Schema.Boolean),
        easy_wins: optional(Schema.Boolean),
        needs_review: optional(Schema.Boolean),
        ...pageArgs(25)
      },
      result: Rows,
      run: ({ limit = 25, ...query }) => Effect.map(observations.list({ ...query, limit, include: "locations" }), rows)
    }),
    tool({
      name: "search_issues",
      title: "Search findings",
      description: "Search findings by words of their title, description, rule or path; with the filters of the list.",
      operation: operations.searchObservations,
      args: {
        ...searchFilters,
        has_fix_pr: optional(Schema.Boolean),
        easy_wins: optional(Schema.Boolean),
        needs_review: optional(Schema.Boolean),
        ...pageArgs(25)
      },
      result: Rows,
      run: ({ limit = 25, ...query }) =>
        Effect.map(observations.search({ ...query, limit, include: "locations" }), rows)
    }),
    tool({
      name: "recent_issues",
      title: "Recent findings of a file",
      description: "List the open findings that touch a file, newest first; ask before and after you change it.",
      operation: operations.listRecentObservations,
      args: { ...repositoryArgs, file_path: filePath, ...pageArgs(25) },
      result: Rows,
      run: ({ file_path, limit = 25, cursor, ...path }) =>
        Effect.map(
          observations.recent(path, {
            file_path,
            limit,
            include: "locations",
            ...(cursor === undefined ? {} : { cursor })
          }),
          rows
        )
    }),
    tool({
      name: "list_pending_migrations",
      title: "List pending migrations",
      operation: operations.listPendingMigrations,
      args: { repo: observationFilters.repo, ...pageArgs(25) },
      result: Rows,
      run: ({ limit = 25, ...query }) =>
        Effect.map(observations.pendingMigrations({ ...query, limit, include: "locations" }), rows)
    }),
    tool({
      name: "explain_observation",
      title: "Explain observation",
      operation: operations.explainObservation,
      args: ref,
      result: ObservationExplanation,
      run: (args) => observations.explain(args.ref)
    }),
    tool({
      name: "get_observation",
      title: "Get observation",
      operation: operations.readObservation,
      args: ref,
      result: FixableObservation,
      run: (args) => fixes.detail(args.ref)
    }),
    tool({
      name: "dismiss_observation",
      title: "Dismiss observation",
      operation: operations.dismissObservation,
      args: { ...ref, dismissal_category: DismissalCategory, dismissal_note: dismissalNote },
      result: Observation,
      run: (args) => observations.dismiss(args.ref, args)
    }),
    tool({
      name: "acknowledge_observation",
      title: "Acknowledge observation",
      operation: operations.acknowledgeObservation,
      args: ref,
      result: Observation,
      idempotent: true,
      run: (args) => observations.acknowledge(args.ref)
    }),
    tool({
      name: "complete_observation",
      title: "Complete observation",
      operation: operations.completeObservation,
      args: { ...ref, note: optional(completionText), url: optional(completionText) },
      result: Observation,
      run: ({ ref, ...completion }) => observations.complete(ref, completion)
    }),
    tool({
      name: "reopen_observation",
      title: "Reopen observation",
      operation: operations.reopenObservation,
      args: { ...ref, reopen_reason: reopenReason },
      result: Observation,
      run: (args) => observations.reopen(args.ref, args)
    }),
    tool({
      name: "submit_fix",
      title: "Submit fix",
      operation: operations.fixObservation,
      args: {
        ...ref,
        extra_attempt: optional(
          Schema.Boolean.annotations({ description: "Try again although the automatic attempts are used up." })
        )
      },
      result: FixObservationResponse,
      run: ({ ref, ...request }) => fixes.submit(ref, request)
    }),
    tool({
      name: "request_fix",
      title: "Request fix",
      operation: operations.requestFix,
      args: { ...ref, job_id: RequestFix.fields.job_id },
      result: FixObservationResponse,
      idempotent: true,
      run: ({ ref, job_id }) => fixes.request(ref, job_id)
    }),
    tool({
      name: "revise_fix_pr",
      title: "Revise fix PR",
      operation: operations.reviseFix,
      args: { ...ref, instructions: fixInstructions },
      result: FixObservationResponse,
      run: ({ ref, instructions }) => fixes.revise(ref, instructions)
    }),
    tool({
      name: "create_ticket",
      title: "Create ticket",
      operation: operations.publishTicket,
      args: ref,
      result: Observation,
      run: (args) => tickets.publish(args.ref)
    })
  ]
)
