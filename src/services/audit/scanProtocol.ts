import type { AuditTool } from "./AuditTool.ts"
import {
  type FileInput,
  type FileOutcome,
  type FilePlaced,
  type FlaggedFile,
  Inspector,
  placeConcluded
} from "./Inspector.ts"
import { type CheckedStage, type FileCheck, type Verdict, verifyFile } from "./verification.ts"

/** What a worker needs to know once. Tools are functions and cannot cross threads, so they are named. */
export interface WorkerSettings {
  readonly toolIds: ReadonlyArray<string>
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

/** One of the lists is filled, by the type of the batch. */
export interface BatchOutcome {
  readonly id: number
  readonly outcomes: ReadonlyArray<FileOutcome>
  readonly placed: ReadonlyArray<FilePlaced>
  readonly verdicts: ReadonlyArray<{ readonly path: string; readonly verdicts: ReadonlyArray<Verdict> }>
}

/** Slots of `WorkerSettings.position`. */
export const POSITION_BATCH = 0
export const POSITION_FILE = 1
/** Raised with every file, so that a watcher sees progress. */
export const POSITION_TICK = 2
export const POSITION_SLOTS = 3

/** One batch, in a worker thread or in this one. */
export const runBatch = async (
  tools: ReadonlyArray<AuditTool>,
  batch: Batch,
  salt: string,
  note: (file: number) => void = () => undefined
): Promise<BatchOutcome> => {
  const inspector = new Inspector(tools, salt)
  const outcomes: Array<FileOutcome> = []
  const placed: Array<FilePlaced> = []
  const verdicts: Array<BatchOutcome["verdicts"][number]> = []
  for (const i of batch.files.keys()) {
    note(i)
    if (batch.type === "inspect") outcomes.push(await inspector.inspect(batch.files[i]!))
    else if (batch.type === "place") placed.push(await placeConcluded(tools, batch.files[i]!, salt))
    else {
      const file = batch.files[i]!
      verdicts.push({ path: file.path, verdicts: await verifyFile(tools, file, batch.stage, salt) })
    }
  }
  return { id: batch.id, outcomes, placed, verdicts }
}
