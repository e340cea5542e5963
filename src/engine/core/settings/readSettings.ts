import { decodeText, isBinary } from "../files/fileText.ts"
import type { TreeEntry, TreeSource } from "../source/TreeSource.ts"
import type { ParsedModels } from "./parseModels.ts"
import { noSettings, type RepositorySettings, SETTINGS_FILE, type SettingsWarning } from "./RepositorySettings.ts"
import { MODELS_FILE } from "./UserModel.ts"

const MAX_BYTES = 256 * 1024
const MAX_MODELS_BYTES = 64 * 1024

const warning = (path: string, message: string): SettingsWarning => ({ path, line: null, message })

const unread = (message: string): RepositorySettings => ({
  ...noSettings,
  warnings: [warning(SETTINGS_FILE, message)]
})

/** The text of a small file of a tree, or why it was not read. */
const readText = async (
  source: Pick<TreeSource, "read">,
  entry: TreeEntry,
  limit: number
): Promise<{ readonly text: string } | { readonly reason: string }> => {
  if (entry.size > limit) return { reason: `It is larger than ${limit / 1024} KB and was not read.` }
  for await (const { bytes } of source.read([entry])) {
    return isBinary(bytes) || bytes.length > limit
      ? { reason: "It is not a text of moderate size and was not read." }
      : { text: decodeText(bytes) }
  }
  return { text: "" }
}

/** The configuration at the root of a tree, with its models. The reader of YAML is loaded only where there is one. */
export const readSettings = async (
  source: Pick<TreeSource, "read">,
  entries: ReadonlyArray<TreeEntry>
): Promise<RepositorySettings> => {
  const settings = await readOwn(source, entries)
  const entry = entries.find(({ path }) => path === MODELS_FILE)
  if (entry === undefined) return settings
  const { models, warnings } = await readModels(source, entry)
  return { ...settings, models, warnings: [...settings.warnings, ...warnings] }
}

const readOwn = async (
  source: Pick<TreeSource, "read">,
  entries: ReadonlyArray<TreeEntry>
): Promise<RepositorySettings> => {
  const entry = entries.find(({ path }) => path === SETTINGS_FILE)
  if (entry === undefined) {
    const misnamed = entries.some(({ path }) => path === ".assay.yml")
    return misnamed ? unread(`.assay.yml is not read: name it ${SETTINGS_FILE}.`) : noSettings
  }
  const read = await readText(source, entry, MAX_BYTES)
  if ("reason" in read) return unread(read.reason)
  const { parseSettings } = await import("./parseSettings.ts")
  return parseSettings(read.text)
}

const readModels = async (source: Pick<TreeSource, "read">, entry: TreeEntry): Promise<ParsedModels> => {
  const read = await readText(source, entry, MAX_MODELS_BYTES)
  if ("reason" in read) return { models: [], warnings: [warning(MODELS_FILE, read.reason)] }
  const { parseModels } = await import("./parseModels.ts")
  return parseModels(read.text)
}
