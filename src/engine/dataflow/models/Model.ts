import type { SourceKind } from "../../core/tool/AuditTool.ts"
import type { RecordModel, Sanitiser, SinkRule } from "../TaintLanguage.ts"

export interface SourceModel {
  readonly kind: SourceKind
  /** Access paths whose reading or call is untrusted; a call ends with "()". */
  readonly path: RegExp
}

export interface PropagatorModel {
  /** Access path of a function whose result carries what is in its arguments. */
  readonly path: RegExp
  /**
   * How it does so, where that is known better: "formats" fills its first argument, "builds" appends to its receiver,
   * "fills" writes to its last argument.
   */
  readonly how?: "formats" | "builds" | "fills"
}

/** What taint analysis knows of one framework, library or part of a language's own library: plain data. */
export interface Model {
  readonly name: string
  /** Spelling of its sources and sinks: functions without any are walked only when they are called. */
  readonly mentions?: RegExp
  readonly sources?: ReadonlyArray<SourceModel>
  readonly sinks?: ReadonlyArray<SinkRule>
  readonly sanitizers?: ReadonlyArray<Sanitiser>
  readonly propagators?: ReadonlyArray<PropagatorModel>
  readonly records?: RecordModel
}
