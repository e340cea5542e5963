import { decodeText, isBinary } from "../files/fileText.ts"
import { gitObjects } from "./gitObjects.ts"

const MAX_TEXT_BYTES = 1024 * 1024

/**
 * Hands each of these files of a commit to the reader: its text; `null` when it is not there; `undefined` when it is not
 * a text of moderate size. One file is in memory at a time.
 */
export const readTexts = async (
  { gitDir, commit }: { readonly gitDir: string; readonly commit: string },
  paths: Iterable<string>,
  reader: (path: string, text: string | null | undefined) => void
): Promise<void> => {
  const requested = new Set(paths)
  const source = gitObjects(gitDir, commit)
  try {
    const entries = (await source.list()).filter(({ path }) => requested.has(path))
    const there = new Set([...entries, ...(await source.skipped())].map(({ path }) => path))
    for (const path of requested) if (!there.has(path)) reader(path, null)
    const readable = entries.filter(({ size }) => size <= MAX_TEXT_BYTES)
    const read = new Set(readable.map(({ path }) => path))
    for (const path of requested) if (there.has(path) && !read.has(path)) reader(path, undefined)
    for await (const { entry, bytes } of source.read(readable)) {
      reader(entry.path, isBinary(bytes) ? undefined : decodeText(bytes))
    }
  } finally {
    await source.close()
  }
}
