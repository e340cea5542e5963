import type { CrossFileInput, CrossFileResult, Part } from "../scan/crossFilePass.ts"
import type { CheckedFile, EvidenceCheck } from "../scan/evidence.ts"
import type { FileInput, FileOutcome, LocatedFile, MatchedFile } from "../scan/Inspector.ts"
import type { ScanSettings } from "../scan/ScanSettings.ts"

/** What a worker needs to know once. Tools are functions and cannot cross threads, so each thread chooses them. */
export interface WorkerSettings extends Required<Pick<ScanSettings, "suite" | "suggestions" | "salt">> {
  /** Tools and rules that are asked for; null for all. */
  readonly only: ReadonlyArray<string> | null
  /** Module whose `tools` are used instead of the catalogue. */
  readonly toolsModule: string | null
}

/** Where a worker notes which file of which batch it is on, so that a stuck file can be named from outside. */
export interface WorkerData {
  readonly position: SharedArrayBuffer
}

/** What a worker is sent: its settings first, so that it can load its code before they are known, and then batches. */
export type WorkerMessage = { readonly type: "settings"; readonly settings: WorkerSettings } | Batch

interface BatchOf<Type extends string, File> {
  readonly type: Type
  readonly id: number
  readonly files: ReadonlyArray<File>
}

export type Batch =
  | BatchOf<"inspect", FileInput>
  | BatchOf<"locate", MatchedFile>
  | BatchOf<"rerun", CheckedFile>
  | {
      readonly type: "finish"
      readonly id: number
      readonly input: CrossFileInput
      readonly part: Part
      /** Indexes of tools whose cross-file pass did not finish before. */
      readonly without: ReadonlySet<number>
    }

export type BatchOutcome =
  | BatchOf<"inspect", FileOutcome>
  | BatchOf<"locate", LocatedFile>
  | BatchOf<"rerun", { readonly path: string; readonly checks: ReadonlyArray<EvidenceCheck> }>
  | { readonly type: "finish"; readonly id: number; readonly part: Part; readonly result: CrossFileResult }

/** Slots of `WorkerData.position`. */
export const POSITION_BATCH = 0
export const POSITION_FILE = 1
/** Raised with every file, so that a watcher sees progress. */
export const POSITION_TICK = 2
export const POSITION_SLOTS = 3

/** The batch without the file or the tool that got stuck. */
export const without = (batch: Batch, index: number): Batch => {
  switch (batch.type) {
    case "inspect":
      return { ...batch, files: batch.files.toSpliced(index, 1) }
    case "locate":
      return { ...batch, files: batch.files.toSpliced(index, 1) }
    case "rerun":
      return { ...batch, files: batch.files.toSpliced(index, 1) }
    case "finish":
      return { ...batch, without: new Set([...batch.without, index]) }
  }
}
