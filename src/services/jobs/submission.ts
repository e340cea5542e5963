import { Effect, Schema } from "effect"
import type { InvalidPayload } from "../../schema/Errors.ts"
import {
  type InternalWorkflow,
  internalWorkflows,
  retiredWorkflows,
  SubmissionInvalid,
  type Workflow,
  WorkflowNotEntitled,
  workflows
} from "../../schema/Job.ts"
import { JsonObject } from "../../schema/Text.ts"
import { isOpenTo, requireFeature, type Subscription } from "../access/Features.ts"
import type { Workflows } from "../ports/Workflows.ts"
import { decoderOf } from "../support/decoding.ts"
import { canonicalJson, sha256Hex } from "../support/ids.ts"

const successors: Record<(typeof retiredWorkflows)[number], string> = {
  benchmark: "nothing replaces it: every job's record shows its duration and cost",
  improve: "submit `audit`, then `fix` for the observations you choose",
  learn: "submit `discover`",
  meta_review: "submit `review`",
  mini_audit: "submit `standard_audit`",
  publish: "publish an observation to your ticket tracker instead",
  scan: "submit `standard_audit`, or `audit` for the full set of tools",
  suggest: "submit `audit`: suggestions come with it where they are switched on"
}

/** What starts a workflow that is not submitted by its name, and starts it again. */
export const internalStarts: Record<InternalWorkflow, string> = {
  change_review: "start a change review with POST /api/change-reviews, or refresh the one that it is of",
  mission_step: "submit a mission with POST /api/missions, or decide on the step of the one that it is of",
  mission_pull_request: "submit a mission with POST /api/missions, or decide on the one that it is of"
}

type SubmittableWorkflow = (typeof workflows)[number]

const isWorkflow = (name: string): name is SubmittableWorkflow => (workflows as ReadonlyArray<string>).includes(name)
export const isInternal = (name: string): name is InternalWorkflow =>
  (internalWorkflows as ReadonlyArray<string>).includes(name)
const isRetired = (name: string): name is keyof typeof successors => Object.hasOwn(successors, name)

/** What a workspace may run. */
export interface Entitlement extends Subscription {
  /** Null: all workflows. */
  readonly entitled_workflows: ReadonlyArray<string> | null
}

/** The workflow of that name, if this installation serves it and the workspace may run it. */
export const chooseWorkflow = (served: typeof Workflows.Service, entitlement: Entitlement, name: string) =>
  Effect.gen(function* () {
    if (isRetired(name)) {
      return yield* new SubmissionInvalid({
        message: `The workflow \`${name}\` was retired; ${successors[name]}.`,
        param: "workflow"
      })
    }
    if (isInternal(name)) {
      return yield* new SubmissionInvalid({
        message: `The service starts the workflow \`${name}\` itself; ${internalStarts[name]}.`,
        param: "workflow"
      })
    }
    if (!isWorkflow(name)) {
      return yield* new SubmissionInvalid({
        message: `There is no such workflow; it must be one of ${workflows.join(", ")}.`,
        param: "workflow"
      })
    }
    const { entitled_workflows: entitled } = entitlement
    const isEntitled = (known: Workflow) => entitled === null || entitled.includes(known)
    const allowed = [...served.values()]
      .filter(isOpenTo(entitlement))
      .map((known) => known.name)
      .filter(isWorkflow)
      .filter(isEntitled)
    const rejected = { param: "workflow", details: { allowed_workflows: allowed } }
    const workflow = served.get(name)
    if (workflow === undefined || !isEntitled(name)) {
      const message = workflow === undefined ? notServed(name, allowed) : notPermitted(name, allowed)
      return yield* new WorkflowNotEntitled({ message, ...rejected })
    }
    yield* requireFeature(workflow, entitlement, rejected)
    return workflow
  })

/** A workflow that the service starts itself: what the workspace may submit does not limit it, its feature does. */
export const chooseInternal = (
  served: typeof Workflows.Service,
  subscription: Subscription,
  name: InternalWorkflow
) => {
  const workflow = served.get(name)
  return workflow === undefined
    ? Effect.dieMessage(`The workflow ${name} is not served.`)
    : Effect.as(requireFeature(workflow, subscription), workflow)
}

const listed = (names: ReadonlyArray<string>) => names.join(", ") || "none"

const notServed = (name: Workflow, allowed: ReadonlyArray<string>) =>
  `This version of Assay does not run the workflow \`${name}\`, on any plan; no job was queued. Submit one of those that run here: ${listed(allowed)}.`

const notPermitted = (name: Workflow, allowed: ReadonlyArray<string>) =>
  `The operator does not let this workspace run the workflow \`${name}\`; no job was queued. It may run ${listed(allowed)}.`

const rejection = ({ errors = [] }: InvalidPayload) =>
  errors
    .slice(0, 5)
    .map(({ loc, msg }) => `${["params", ...loc].join(".")}: ${msg}`)
    .join("; ")

/** Params as the workflow's own schema writes them: two spellings of the same params are equal afterwards. */
// biome-ignore lint/suspicious/noExplicitAny: the schema is one of several, see Workflow.params.
export const normaliseParams = (schema: Schema.Schema<any, any>, params: unknown) =>
  decoderOf(schema)(params).pipe(
    Effect.mapError((error) => new SubmissionInvalid({ message: rejection(error), param: "params" })),
    Effect.flatMap((decoded) => Effect.orDie(Schema.encode(schema)(decoded))),
    Effect.flatMap((encoded) => Effect.orDie(Schema.decodeUnknown(JsonObject)(encoded)))
  )

/** What makes two submissions to one repository the same. */
export const dedupeHash = (workflow: Workflow, params: JsonObject, commit: string | null) =>
  sha256Hex(canonicalJson([workflow, params, commit]))

export const checkIdempotencyKey = (key: string | undefined) =>
  key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)
    ? Effect.succeed(key)
    : Effect.fail(
        new SubmissionInvalid({
          message: "The header Idempotency-Key must be 1 to 255 visible ASCII characters.",
          param: "Idempotency-Key"
        })
      )
