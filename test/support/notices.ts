import { Effect, Layer } from "effect"
import { Notices } from "../../src/services/notices/Notices.ts"
import { NoticesRepo } from "../../src/services/notices/NoticesRepo.ts"
import { NoticeWriter } from "../../src/services/notices/NoticeWriter.ts"
import { as, type Person } from "./builders.ts"

/** Writing notices, over the database of the test. */
export const NoticeWriterLive = Layer.provideMerge(NoticeWriter.Default, NoticesRepo.Default)

/** A notice to a person, about nothing in particular. */
export const aNotice = ({ workspace_id, user_id }: Person, subject = "someone") =>
  Effect.flatMap(NoticeWriter, (writer) =>
    writer.add({
      workspace_id,
      user_id,
      kind: "invitation_accepted",
      subject,
      text: `${subject} has joined.`,
      link: "/members"
    })
  )

/** A person's notices, newest first. */
export const noticesOf = (person: Person) =>
  Effect.flatMap(Notices, (notices) => notices.list({})).pipe(
    Effect.map(({ data }) => data),
    as(person),
    Effect.orDie
  )
