import { type FileHandle, open, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect } from "effect"

interface Opened {
  readonly handle: FileHandle
  /** Whether there was no such file. */
  readonly isNew: boolean
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined)

// What the file holds stays until there is something to put in its place.
const openWithoutChange = async (path: string): Promise<Opened> => {
  try {
    return { handle: await open(path, "wx"), isNew: true }
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error
    return { handle: await open(path, "a"), isNew: false }
  }
}

const explained = (path: string) => (error: unknown) =>
  codeOf(error) === "ENOENT"
    ? new Error(`there is no folder ${dirname(path)}.`)
    : error instanceof Error
      ? error
      : new Error(String(error))

/** Opens a file for one later write. When that does not come, the file is as it was. */
export const outputFile = (path: string) =>
  Effect.gen(function* () {
    let isWritten = false
    const { handle } = yield* Effect.acquireRelease(
      Effect.tryPromise({ try: () => openWithoutChange(path), catch: explained(path) }),
      ({ handle, isNew }) =>
        Effect.promise(async () => {
          await handle.close()
          if (isNew && !isWritten) await rm(path, { force: true })
        })
    )
    return async (text: string) => {
      isWritten = true
      // A pipe or a terminal cannot be truncated.
      if ((await handle.stat()).isFile()) await handle.truncate(0)
      await handle.writeFile(text)
    }
  })
