import { isLockfile, MAX_LOCKFILE_BYTES } from "../../dependencies/lockfiles/names.ts"
import { readSettings } from "../settings/readSettings.ts"
import type { TreeEntry, TreeSource } from "../source/TreeSource.ts"
import { compareText } from "../text/compareText.ts"
import type { FileTerms } from "./FileTerms.ts"
import { MAX_FILE_BYTES } from "./fileText.ts"
import type { Inventory } from "./Inventory.ts"
import { languageOf } from "./Language.ts"
import { ownerOf } from "./ownership/ownerOf.ts"
import { TreeTerms } from "./TreeTerms.ts"

export interface Selection {
  readonly entries: ReadonlyArray<TreeEntry>
  /** What is left out for its size alone. */
  readonly large: ReadonlyArray<TreeEntry>
  readonly terms: TreeTerms
}

/** What the repository says of its files, with what is switched on beside. */
export const termsOf = async (
  source: TreeSource,
  listed: ReadonlyArray<TreeEntry>,
  enabled: ReadonlyArray<string>
): Promise<TreeTerms> => {
  const paths = listed.map(({ path }) => path)
  const settings = await readSettings(source, listed)
  const terms = new TreeTerms(paths, settings, enabled)
  return terms.ownedBy(await ownerOf(source, listed, (path) => terms.of(path).role === "source"))
}

/**
 * What is read at all: sizes are known beforehand, so a huge file costs nothing. `enabled` are tools and rules that are
 * switched on beside those that the repository switches on.
 */
export const selected = async (
  source: TreeSource,
  inventory: Inventory,
  enabled: ReadonlyArray<string> = []
): Promise<Selection> => {
  const listed = [...(await source.list())].sort((a, b) => compareText(a.path, b.path))
  for (const { path, reason } of await source.skipped()) inventory.skip(path, reason)
  const terms = await termsOf(source, listed, enabled)
  const entries: Array<TreeEntry> = []
  const large: Array<TreeEntry> = []
  for (const entry of listed) {
    const reason = unreadReason(entry, terms)
    if (reason === null) entries.push(entry)
    else inventory.skip(entry.path, reason)
    if (reason === "too_large") large.push(entry)
  }
  return { entries, large, terms }
}

const binaryName =
  /\.(?:png|jpe?g|gif|bmp|ico|webp|avif|tiff?|psd|pdf|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|exe|dll|so|dylib|a|o|obj|lib|wasm|woff2?|ttf|otf|eot|mp[34]|m4a|ogg|wav|flac|avi|mov|mkv|webm|pyc|pyo|bin|dat|db|sqlite3?|parquet|npy|npz|onnx|pb|h5|pkl|iso|dmg|deb|rpm|apk|ipa|nupkg|snap)$/i

/** Other people's code is not this repository's to fix, and a checked-in dependency folder can be most of a tree. */
const unreadReason = ({ path, size }: TreeEntry, terms: TreeTerms): string | null => {
  if (size > (isLockfile(path) ? MAX_LOCKFILE_BYTES : MAX_FILE_BYTES)) return "too_large"
  if (binaryName.test(path) && languageOf(path) === "text") return "binary"
  return isVendored(terms.of(path)) ? "vendored" : null
}

/** A repository that calls its own code other people's has it read for credentials nonetheless. */
const isVendored = ({ role, configured }: FileTerms): boolean =>
  role === "vendored" && (configured?.role ?? null) === null
