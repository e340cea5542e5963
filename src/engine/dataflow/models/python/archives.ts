import type { Model } from "../Model.ts"

/** Names of entries, which anyone who packs an archive chooses. */
export const archives: Model = {
  name: "archives",
  mentions: /\b(?:zipfile|tarfile)\./,
  sources: [
    {
      kind: "file",
      path: /^zipfile\.ZipFile\(\)\.(?:namelist\(\)|infolist\(\)\.filename|filelist\.filename)$|^tarfile\.(?:open|TarFile)\(\)\.(?:getnames\(\)|(?:getmembers\(\)\.|next\(\)\.)?name)$/
    }
  ]
}
