import { createHash } from "node:crypto"
import { homedir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { FileAuditCache } from "../layers/FileAuditCache.ts"
import { AuditCache } from "../services/ports/AuditCache.ts"

/** Beside other programs' caches, so that auditing a folder leaves no trace in it. */
const cacheRoot = (): string =>
  join(process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), ".cache"), "assay")

/** Where audits of the repository in this folder leave what the next one need not find out again. */
export const cacheFolder = (path: string) =>
  Effect.map(AuditCache, ({ folderOf }) => folderOf(createHash("sha1").update(path).digest("hex"))).pipe(
    Effect.provide(FileAuditCache.layer(cacheRoot()))
  )
