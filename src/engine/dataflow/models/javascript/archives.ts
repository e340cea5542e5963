import type { Model } from "../Model.ts"

/** Names of entries, which anyone who packs an archive chooses. */
export const archives: Model = {
  name: "archives",
  mentions: /["'](?:adm-zip|yauzl|unzipper|tar-stream)["']/,
  sources: [
    {
      kind: "file",
      path: /^adm-zip\.(?:getEntries|getEntry)\(\)\.entryName$|^archive:entry\.(?:path|fileName|name|entryName)$/
    }
  ]
}
