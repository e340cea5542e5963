import { decodeText, isBinary } from "../files/fileText.ts"
import type { TreeEntry, TreeSource } from "../source/TreeSource.ts"
import { noSettings, type RepositorySettings, SETTINGS_FILE } from "./RepositorySettings.ts"

const MAX_BYTES = 256 * 1024

const unread = (message: string): RepositorySettings => ({
  ...noSettings,
  warnings: [{ path: SETTINGS_FILE, line: null, message }]
})

/** The configuration at the root of a tree. The reader of YAML is loaded only where there is one. */
export const readSettings = async (
  source: Pick<TreeSource, "read">,
  entries: ReadonlyArray<TreeEntry>
): Promise<RepositorySettings> => {
  const entry = entries.find(({ path }) => path === SETTINGS_FILE)
  if (entry === undefined) {
    const misnamed = entries.some(({ path }) => path === ".assay.yml")
    return misnamed ? unread(`.assay.yml is not read: name it ${SETTINGS_FILE}.`) : noSettings
  }
  if (entry.size > MAX_BYTES) return unread(`It is larger than ${MAX_BYTES / 1024} KB and was not read.`)
  for await (const { bytes } of source.read([entry])) {
    if (isBinary(bytes) || bytes.length > MAX_BYTES)
      return unread("It is not a text of moderate size and was not read.")
    const { parseSettings } = await import("./parseSettings.ts")
    return parseSettings(decodeText(bytes))
  }
  return noSettings
}
