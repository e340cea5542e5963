import { Effect, Schema } from "effect"
import type { FixSettings, FixTarget } from "../fix/FixRequest.ts"
import type { FixProcessRequest } from "./requests/fixRequest.ts"
import { type InProcessOptions, inProcess, type ProcessEvent, type ScanError } from "./ScanProcess.ts"

const FixStatus = Schema.Union(
  Schema.Struct({ status: Schema.Literal("proposed"), summary: Schema.String }),
  Schema.Struct({ status: Schema.Literal("declined"), reason: Schema.String }),
  Schema.Struct({ status: Schema.Literal("absent", "no_fixer") })
)

const ProposedFile = Schema.Struct({
  path: Schema.String,
  content: Schema.NullOr(Schema.String),
  diff: Schema.String
})
export type ProposedFile = typeof ProposedFile.Type

const FixProcessResult = Schema.Struct({ outcomes: Schema.Array(FixStatus), files: Schema.Array(ProposedFile) })
export type FixesInProcess = typeof FixProcessResult.Type

type LimitOptions = Pick<InProcessOptions<ProcessEvent, never>, "limits">

/** What the fixers make of findings, one after the other, in a process of its own: the files as they would be. */
export const fixAllInProcess = (
  request: FixProcessRequest,
  options: LimitOptions = {}
): Effect.Effect<FixesInProcess, ScanError> =>
  Effect.withSpan(
    inProcess<FixesInProcess, FixesInProcess, never>("fix-process", request, FixProcessResult, options),
    "fixAllInProcess"
  )

export type FixProposal =
  | { readonly status: "proposed"; readonly summary: string; readonly files: ReadonlyArray<ProposedFile> }
  /** The fixer leaves this code to a person; the reason is a plain sentence. */
  | { readonly status: "declined"; readonly reason: string }
  /** The rule no longer matches there. */
  | { readonly status: "absent" }
  | { readonly status: "no_fixer" }

export interface FixProposalRequest extends FixTarget, FixSettings, Pick<FixProcessRequest, "source" | "maxRssBytes"> {}

/** What the fixer of a rule makes of one of its findings, in a process of its own. Nothing is written. */
export const proposeFixInProcess = (
  { rule_id, finding, ...request }: FixProposalRequest,
  options: LimitOptions = {}
): Effect.Effect<FixProposal, ScanError> =>
  Effect.map(
    fixAllInProcess({ ...request, targets: [{ rule_id, finding }] }, options),
    ({ outcomes: [outcome], files }): FixProposal => {
      if (outcome?.status === "proposed") return { ...outcome, files }
      return outcome?.status === "declined" ? outcome : { status: outcome?.status ?? "absent" }
    }
  )
