import { gunzip, gzip } from "node:zlib"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { ChangeScansRepo, type ScanKey } from "./ChangeScansRepo.ts"
import { StoredScan } from "./scanFacts.ts"

/** Rules and advisories change: what was found longer ago is looked for again. */
const validity = Duration.days(1)

const packed = (text: string) =>
  Effect.async<Buffer>((resume) =>
    gzip(text, (error, bytes) => resume(error === null ? Effect.succeed(bytes) : Effect.die(error)))
  )

const unpacked = (bytes: Uint8Array) =>
  Effect.async<string>((resume) =>
    gunzip(bytes, (error, text) => resume(error === null ? Effect.succeed(text.toString()) : Effect.die(error)))
  )

const Json = Schema.parseJson(StoredScan)

/** Keeps what was found between two commits, so that no one looks for it twice. */
export class ChangeScans extends Effect.Service<ChangeScans>()("ChangeScans", {
  effect: Effect.gen(function* () {
    const repo = yield* ChangeScansRepo

    const since = Effect.map(DateTime.now, (time) => DateTime.formatIso(DateTime.subtractDuration(time, validity)))

    const find = Effect.fn("ChangeScans.find")(function* (key: ScanKey) {
      const found = yield* repo.find(key, yield* since)
      if (Option.isNone(found)) return Option.none()
      const text = yield* unpacked(found.value.content)
      return Option.some(yield* Effect.orDie(Schema.decode(Json)(text)))
    })

    const has = (key: ScanKey) => Effect.flatMap(since, (time) => repo.has(key, time))

    /** What to write in a transaction, compressed before it. */
    const toRemember = Effect.fn("ChangeScans.toRemember")(function* (key: ScanKey, scan: StoredScan) {
      const content = yield* packed(yield* Effect.orDie(Schema.encode(Json)(scan)))
      const until = yield* since
      const at = DateTime.formatIso(yield* DateTime.now)
      const { workspace_id } = key
      return Effect.zipRight(repo.forget({ workspace_id, until }), repo.remember({ ...key, content, at }))
    })

    return { find, has, toRemember }
  })
}) {}
