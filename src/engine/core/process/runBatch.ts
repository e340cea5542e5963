import { concludeTools } from "../scan/concludeTools.ts"
import { type FileOutcome, type FilePlaced, Inspector, placeConcluded } from "../scan/Inspector.ts"
import { verifyFile } from "../scan/verification.ts"
import type { AuditTool } from "../tool/AuditTool.ts"
import type { Batch, BatchOutcome } from "./scanProtocol.ts"

/** One batch, in a worker thread or in this one. */
export const runBatch = async (
  tools: ReadonlyArray<AuditTool>,
  batch: Batch,
  salt: string,
  note: (place: number) => void = () => undefined
): Promise<BatchOutcome> => {
  const inspector = new Inspector(tools, salt)
  const outcomes: Array<FileOutcome> = []
  const placed: Array<FilePlaced> = []
  const verdicts: Array<BatchOutcome["verdicts"][number]> = []
  if (batch.type === "conclude") {
    const conclusions = concludeTools(tools, batch.project, batch.without, note)
    return { id: batch.id, outcomes, placed, verdicts, conclusions }
  }
  for (const i of batch.files.keys()) {
    note(i)
    if (batch.type === "inspect") outcomes.push(await inspector.inspect(batch.files[i]!))
    else if (batch.type === "place") placed.push(await placeConcluded(tools, batch.files[i]!, salt))
    else {
      const file = batch.files[i]!
      verdicts.push({ path: file.path, verdicts: await verifyFile(tools, file, batch.stage, salt) })
    }
  }
  return { id: batch.id, outcomes, placed, verdicts, conclusions: null }
}
