import { Context, Data, type Duration, type Effect } from "effect"

/** One run of the operator's coding agent on a folder. */
export interface AgentRequest {
  /** The work tree, an absolute path. The agent edits it in place; the edits of a failed run stay there. */
  readonly folder: string
  /** What the agent reads on its standard input. */
  readonly brief: string
  /** What this run may cost; the installation's own cap applies, too. */
  readonly budgetUsd: number
  /** How long this run may take; the installation's own cap applies, too. */
  readonly timeout: Duration.DurationInput
  /** Receives what the run has cost so far, each time the agent reports more; the last value is the outcome's. */
  readonly onCost?: (usd: number) => Effect.Effect<void>
}

export interface AgentOutcome {
  /** The agent's own words on what it did, redacted; untrusted. */
  readonly summary: string | null
  readonly cost_usd: number
}

export type AgentFailureKind = "agent_failed" | "timeout" | "resource_limit" | "budget_exceeded"

/** The message is for a person and holds the redacted end of the agent's output. */
export class AgentFailed extends Data.TaggedError("AgentFailed")<{
  readonly kind: AgentFailureKind
  readonly message: string
  /** What the agent reported before it failed; 0 if nothing. */
  readonly cost_usd: number
}> {}

export class AgentRunner extends Context.Tag("AgentRunner")<
  AgentRunner,
  {
    /** Whether the operator has named an agent (`ASSAY_AGENT_COMMAND`). Without one every run fails with `agent_failed`. */
    readonly configured: boolean
    /** When it ends, however it ends, no process that the agent started is left. */
    readonly run: (request: AgentRequest) => Effect.Effect<AgentOutcome, AgentFailed>
  }
>() {}
