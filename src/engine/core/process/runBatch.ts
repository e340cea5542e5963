import { runCrossFilePasses } from "../scan/crossFilePass.ts"
import { Inspector, locateMatches } from "../scan/Inspector.ts"
import { rerunFile } from "../scan/rerun.ts"
import type { ScanTools } from "../tool/scanTools.ts"
import type { Batch, BatchOutcome } from "./scanProtocol.ts"

/** One batch, in a worker thread or in this one. `note` gets the index of the file or tool that is next. */
export const runBatch = async (
  tools: ScanTools,
  batch: Batch,
  salt: string,
  note: (index: number) => void
): Promise<BatchOutcome> => {
  const { id } = batch
  const { running } = tools
  switch (batch.type) {
    case "inspect": {
      const inspector = new Inspector(running, salt)
      return { type: "inspect", id, files: await inTurn(batch.files, note, (file) => inspector.inspect(file)) }
    }
    case "locate":
      return {
        type: "locate",
        id,
        files: await inTurn(batch.files, note, (file) => locateMatches(running, file, salt))
      }
    case "rerun": {
      const checked = await inTurn(batch.files, note, async (file) => ({
        path: file.path,
        checks: await rerunFile(running, file, salt)
      }))
      return { type: "rerun", id, files: checked }
    }
    case "finish":
      return { type: "finish", id, part: batch.part, result: runCrossFilePasses(tools, batch, note) }
  }
}

const inTurn = async <A, B>(
  files: ReadonlyArray<A>,
  note: (index: number) => void,
  run: (file: A) => Promise<B>
): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  for (const [index, file] of files.entries()) {
    note(index)
    results.push(await run(file))
  }
  return results
}
