import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { SqlClient } from "@effect/sql"
import { Effect, type Scope } from "effect"

/** Ways in which a secret may be written: as it is, in URLs, JSON and Basic authentication; of a key, each of its lines. */
export const formsOf = (secret: string, user = ""): ReadonlyArray<string> => {
  const lines = secret.split("\n").filter((line) => line.length >= 8 && !line.startsWith("-----"))
  const basic = Buffer.from(`${user}:${secret}`).toString("base64").replace(/=+$/, "")
  const written = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), basic]
  return [...new Set([...lines, ...written])]
}

export interface ProcessWatch {
  /** Ends the watch: where a secret was seen, and which programs were looked at. */
  readonly end: Effect.Effect<{ readonly found: ReadonlyArray<string>; readonly programs: ReadonlyArray<string> }>
}

/** Watches the arguments and the environments of all processes on this machine, which must be one with /proc. */
export const watchProcesses = (forms: ReadonlyArray<string>): Effect.Effect<ProcessWatch, never, Scope.Scope> => {
  const start = Effect.async<Worker>((resume) => {
    const worker = new Worker(new URL("./processWatch.mjs", import.meta.url), { workerData: { forms } })
    worker.once("message", () => resume(Effect.succeed(worker)))
    worker.once("error", (error) => resume(Effect.die(error)))
  })
  const stop = (worker: Worker) => Effect.promise(() => worker.terminate())
  return Effect.map(Effect.acquireRelease(start, stop), (worker) => ({
    end: Effect.async((resume) => {
      worker.once("message", (result) => resume(Effect.succeed(result)))
      worker.postMessage("end")
    })
  }))
}

/** Names of the texts that hold a secret. */
export const inTexts = (texts: Readonly<Record<string, string>>, forms: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.entries(texts).flatMap(([name, text]) => (forms.some((form) => text.includes(form)) ? [name] : []))

/** Files under the folder, in their names or contents, that hold a secret. */
export const inFiles = (folder: string, forms: ReadonlyArray<string>): ReadonlyArray<string> => {
  const bytes = forms.map((form) => Buffer.from(form))
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name)
    if (forms.some((form) => name.includes(form))) return true
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
    const content = readFileSync(path)
    return bytes.some((form) => content.includes(form))
  })
}

/** Tables with a row that holds a secret. To be run as who sees every row. */
export const inTables = (forms: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ schema: string; name: string }>`
      SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`
    const found: Array<string> = []
    for (const { schema, name } of tables) {
      const rows = yield* sql<{ text: string }>`SELECT t::text AS text FROM ${sql(schema)}.${sql(name)} t`
      if (rows.some(({ text }) => forms.some((form) => text.includes(form)))) found.push(name)
    }
    return found
  })
