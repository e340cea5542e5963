import { HttpServerResponse } from "@effect/platform"
import { Deferred, Effect, Ref, Stream } from "effect"
import { auditLog } from "../schema/operations/index.ts"
import { OpenStreams } from "../services/access/OpenStreams.ts"
import { AuditLogReader } from "../services/audit_log/AuditLogReader.ts"
import { Api } from "./Api.ts"
import { csvOptions } from "./csv.ts"
import { group } from "./group.ts"

export const AuditLogHandlers = group(
  Api,
  "auditLog",
  Effect.fnUntraced(function* (handlers) {
    const reader = yield* AuditLogReader
    const streams = yield* OpenStreams
    return handlers.handle("list", ({ headers, urlParams }) => {
      if (headers.accept?.includes("text/csv") !== true) return reader.list(urlParams)
      const { limit: _, cursor: __, ...filters } = urlParams
      return Effect.gen(function* () {
        const ended = yield* Deferred.make<void>()
        yield* streams.admit(auditLog.listRecords.scopes, () => Deferred.unsafeDone(ended, Effect.void))
        return csvFile(yield* whole(yield* reader.csv(filters), Stream.interruptWhenDeferred(ended)))
      })
    })
  })
)

/** A file that its caller may no longer read fails: its end would look like the end of the records. */
const whole = <E>(
  lines: Stream.Stream<string, E>,
  whileAdmitted: (stream: Stream.Stream<string, E>) => Stream.Stream<string, E>
) =>
  Effect.map(Ref.make(false), (isWhole) => {
    const all = Stream.concat(lines, Stream.drain(Stream.fromEffect(Ref.set(isWhole, true))))
    const end = Stream.unwrap(
      Effect.map(Ref.get(isWhole), (done) => (done ? Stream.empty : Stream.dieMessage("The caller may not read on.")))
    )
    return Stream.concat(whileAdmitted(all), end)
  })

const csvFile = <E>(lines: Stream.Stream<string, E>) =>
  HttpServerResponse.stream(Stream.encodeText(lines), csvOptions("audit-log.csv"))
