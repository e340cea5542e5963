import { randomBytes } from "node:crypto"
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { Effect, Either, ParseResult, Schema } from "effect"
import { attempt, EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { isAlive, startOf } from "./Processes.ts"

const Holder = Schema.Struct({
  pid: Schema.Int,
  /** With the pid, distinguishes the process from a later one of the same number. */
  started: Schema.String,
  /** Where the server listens, once it does. */
  server: Schema.optional(
    Schema.Struct({
      host: Schema.String,
      port: Schema.Int,
      user: Schema.String,
      password: Schema.String,
      database: Schema.String
    })
  ),
  /** The web app's address as its users type it, once the API is served. */
  site: Schema.optional(Schema.String)
})
export type Holder = typeof Holder.Type

const decode = Schema.decodeUnknownEither(Schema.parseJson(Holder))

const readHolder = (path: string): Holder | undefined => {
  try {
    return Either.getOrUndefined(
      Either.mapLeft(decode(readFileSync(path, "utf8")), ParseResult.TreeFormatter.formatErrorSync)
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

const holds = (holder: Holder) => isAlive(holder.pid) && startOf(holder.pid) === holder.started

/** Who holds the lock now; `undefined` when no living process does. */
export const holderOf = (path: string) =>
  attempt(`reading ${path}`, () => {
    const holder = readHolder(path)
    return holder !== undefined && holds(holder) ? holder : undefined
  })

const write = (path: string, holder: Holder): string => {
  const draft = `${path}.${randomBytes(6).toString("hex")}`
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 })
  return draft
}

const claim = (draft: string, path: string): boolean => {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

/**
 * Moves a dead holder's lock aside. Two starts may find it dead at once: the one that moved a living holder's puts it back, and
 * postgres's own lock file is the last word.
 */
const sweep = (path: string) => {
  const aside = `${path}.${randomBytes(6).toString("hex")}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return
    throw error
  }
  const moved = readHolder(aside)
  if (moved !== undefined && holds(moved)) claim(aside, path)
  rmSync(aside, { force: true })
}

const self = (): Holder => ({ pid: process.pid, started: startOf(process.pid) })

const take = (path: string, dataDir: string) =>
  attempt(`taking the lock ${path}`, () => {
    const draft = write(path, self())
    try {
      for (let attempts = 0; attempts < 5; attempts++) {
        if (claim(draft, path)) return
        const holder = readHolder(path)
        if (holder !== undefined && holds(holder)) {
          throw new EmbeddedPostgresError({
            reason: "already_running",
            pid: holder.pid,
            message: `Assay already runs on ${dataDir} (process ${holder.pid}). Stop it, or set ASSAY_DATA_DIR to another folder.`
          })
        }
        sweep(path)
      }
      throw new EmbeddedPostgresError({ reason: "data", message: `The lock ${path} is contended; start again.` })
    } finally {
      rmSync(draft, { force: true })
    }
  })

/** Keeps other starts off a data folder until the scope closes; a holder that died without a word does not count. */
export const lockData = (path: string, dataDir: string) =>
  Effect.acquireRelease(take(path, dataDir), () =>
    Effect.ignore(attempt(`releasing ${path}`, () => rmSync(path, { force: true })))
  )

/** Records where the servers listen, for other processes of this installation such as operator commands. */
export const announce = (path: string, servers: Pick<Holder, "server" | "site">) =>
  attempt(`writing ${path}`, () => renameSync(write(path, { ...self(), ...servers }), path))
