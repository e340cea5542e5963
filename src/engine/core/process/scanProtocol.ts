import type { CheckedStage, FileCheck, Verdict } from "../scan/claims.ts"
import type { Conclusions, ProjectData } from "../scan/concludeTools.ts"
import type { FileInput, FileOutcome, FilePlaced, FlaggedFile } from "../scan/Inspector.ts"

/** What a worker needs to know once. Tools are functions and cannot cross threads, so each thread chooses them. */
export interface WorkerSettings {
  readonly suite: "standard" | "full"
  /** Module whose `tools` are used instead of the catalogue; for tests of the pool itself. */
  readonly toolsModule: string | null
  readonly suggestions: boolean
  readonly salt: string
  /** Where the worker notes which file of which batch it is on, so that a stuck file can be named from outside. */
  readonly position: SharedArrayBuffer
}

export type Batch =
  | { readonly type: "inspect"; readonly id: number; readonly files: ReadonlyArray<FileInput> }
  | { readonly type: "place"; readonly id: number; readonly files: ReadonlyArray<FlaggedFile> }
  | {
      readonly type: "verify"
      readonly id: number
      readonly stage: CheckedStage
      readonly files: ReadonlyArray<FileCheck>
    }
  | {
      readonly type: "conclude"
      readonly id: number
      readonly project: ProjectData
      /** Places of tools in the list that did not come to an end before. */
      readonly without: ReadonlySet<number>
    }

/** One of the lists is filled, by the type of the batch. */
export interface BatchOutcome {
  readonly id: number
  readonly outcomes: ReadonlyArray<FileOutcome>
  readonly placed: ReadonlyArray<FilePlaced>
  readonly verdicts: ReadonlyArray<{ readonly path: string; readonly verdicts: ReadonlyArray<Verdict> }>
  readonly conclusions: Conclusions | null
}

/** Slots of `WorkerSettings.position`. */
export const POSITION_BATCH = 0
export const POSITION_FILE = 1
/** Raised with every file, so that a watcher sees progress. */
export const POSITION_TICK = 2
export const POSITION_SLOTS = 3

/** The batch without the file or the tool that it did not get past. */
export const without = (batch: Batch, index: number): Batch => {
  switch (batch.type) {
    case "inspect":
      return { ...batch, files: batch.files.filter((_, i) => i !== index) }
    case "place":
      return { ...batch, files: batch.files.filter((_, i) => i !== index) }
    case "verify":
      return { ...batch, files: batch.files.filter((_, i) => i !== index) }
    case "conclude":
      return { ...batch, without: new Set([...batch.without, index]) }
  }
}
