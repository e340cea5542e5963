import { Effect, Option, Schema } from "effect"
import { Finding, ScanResult } from "../../engine/index.ts"
import { GateName, GateResult } from "../../schema/Fix.ts"
import { AttemptId } from "../../schema/Ids.ts"
import { FailureKind } from "../../schema/Job.ts"
import { ObservationNumber } from "../../schema/Observation.ts"
import type { Gate } from "../fixes/gates.ts"
import type { StageContext } from "../ports/Workflow.ts"
import type { TreeFile } from "../ports/WorkTrees.ts"

/** What the stages of a fix hand to each other. */
export const Prepared = Schema.Struct({
  /** The observations to be fixed, each with its attempt; none where an agent works from a brief alone. */
  targets: Schema.Array(Schema.Struct({ number: ObservationNumber, attempt_id: AttemptId })),
  /** What a person, or the plan of a mission, says beyond the findings. */
  instructions: Schema.NullOr(Schema.String),
  branch: Schema.String,
  /** Folder of the mirror on the machine that prepared the job. */
  mirror: Schema.String,
  /** The commit that the fix is compared with. */
  base: Schema.String,
  /** The commit that the fix is made on; another than `base` where a revision continues a branch. */
  parent: Schema.String,
  /** The commit that the branch has at the remote; null before the first push. */
  pushed: Schema.NullOr(Schema.String),
  runners: Schema.Array(Schema.Literal("rules", "agent")),
  /** The time of the commit: the same in every run of a stage. */
  at: Schema.String
})
export type Prepared = typeof Prepared.Type

const Subject = Schema.Struct({ number: ObservationNumber, finding: Finding })
/** An observation's finding, as it is in the base commit. */
export type Subject = typeof Subject.Type

const Compared = Schema.Struct({
  subjects: Schema.Array(Subject),
  scan: ScanResult.pipe(Schema.pick("findings", "tools", "also_present")),
  suite: Schema.Literal("standard", "full")
})
/** The findings that the base commit has, and the scan that found them. */
export type Compared = typeof Compared.Type

const StoredGate = Schema.Struct({
  name: GateName,
  result: GateResult,
  reason: Schema.String,
  failure_kind: Schema.optionalWith(FailureKind, { exact: true })
})

const Edited = Schema.Struct({
  files: Schema.Array(Schema.Struct({ path: Schema.String, content: Schema.NullOr(Schema.Uint8ArrayFromBase64) })),
  summary: Schema.String,
  runner: Schema.Literal("rules", "agent"),
  diff: Schema.String,
  gates: Schema.Array(StoredGate)
})
/** What a runner edited, and the gates that it has passed since. */
export interface Edited {
  readonly files: ReadonlyArray<TreeFile>
  readonly summary: string
  readonly runner: "rules" | "agent"
  /** Unified diff from the base commit. */
  readonly diff: string
  readonly gates: ReadonlyArray<Gate>
}

/** How a round ended; `open`: the next round starts from its failures. */
export const RoundEnd = Schema.Struct({
  state: Schema.Literal("proposed", "open", "passed", "unused"),
  feedback: Schema.Array(Schema.Struct({ name: GateName, reason: Schema.String }))
})
export type RoundEnd = typeof RoundEnd.Type

const stored =
  <A, I>(schema: Schema.Schema<A, I>) =>
  (namespace: string) => ({
    write: (context: StageContext, value: A) =>
      Effect.flatMap(Effect.orDie(Schema.encode(schema)(value)), (content) =>
        context.artifact.write(namespace, content)
      ),
    read: (context: StageContext) =>
      Effect.flatMap(context.artifact.read(namespace), (content) =>
        Effect.orDie(Schema.decodeUnknown(schema)(Option.getOrNull(content)))
      )
  })

export const compared = stored(Compared)("fix_subjects")
export const editOf = (round: number) => stored(Edited)(`fix_edit_${round}`)

export const outputOf = <A, I>(context: StageContext, stage: string, schema: Schema.Schema<A, I>) =>
  Effect.flatMap(context.outputOf(stage), (output) => Effect.orDie(Schema.decodeUnknown(schema)(output)))

export const preparedFix = (context: StageContext) => outputOf(context, "prepare", Prepared)
