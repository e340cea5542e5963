import { Effect, Layer } from "effect"
import { Notices } from "../../src/services/notices/Notices.ts"
import { NoticesRepo } from "../../src/services/notices/NoticesRepo.ts"
import { NoticeWriter } from "../../src/services/notices/NoticeWriter.ts"
import { as, type Person } from "./builders.ts"

/** Writing notices, over the database of the test. */
export const NoticeWriterLive = Layer.provideMerge(NoticeWriter.Default, NoticesRepo.Default)

/** A person's notices, newest first. */
export const noticesOf = (person: Person) =>
  Effect.flatMap(Notices, (notices) => notices.list({})).pipe(
    Effect.map(({ data }) => data),
    as(person),
    Effect.orDie
  )
