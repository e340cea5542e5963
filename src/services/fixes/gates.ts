import type { GateName, GateResult } from "../../schema/Fix.ts"
import type { FailureKind } from "../../schema/Job.ts"

/** A gate as it was evaluated. */
export interface Gate {
  readonly name: GateName
  /** `skipped`: there was nothing to evaluate, which the reason names. */
  readonly result: GateResult
  /** For a person: a sentence. */
  readonly reason: string
  /** How a job fails that this gate ends; given with every failed one. */
  readonly failure_kind?: FailureKind
}

export interface FailedGate extends Gate {
  readonly failure_kind: FailureKind
}

export const passed = (name: GateName, reason: string): Gate => ({ name, result: "passed", reason })
export const warned = (name: GateName, reason: string): Gate => ({ name, result: "warned", reason })
export const skipped = (name: GateName, reason: string): Gate => ({ name, result: "skipped", reason })
export const failed = (name: GateName, failure_kind: FailureKind, reason: string): FailedGate => ({
  name,
  result: "failed",
  reason,
  failure_kind
})

export const isFailed = (gate: Gate): gate is FailedGate => gate.result === "failed"
