import { Effect } from "effect"
import { missionRefOf, type WaitingKind } from "../../schema/Mission.ts"
import { Site } from "../access/Site.ts"
import { NoticeWriter } from "../notices/NoticeWriter.ts"
import { MailWriter } from "../outbox/MailWriter.ts"
import { printable } from "../outbox/mailTexts.ts"
import { type MissionState, MissionsRepo, type Waiting } from "./MissionsRepo.ts"

const subjectOf = ({ id, workspace_id }: MissionState) => ({ workspace_id, subject: `mission/${id}` })

/**
 * Informs people that a mission waits on them: by e-mail and with a notice, both written in the transaction in which it begins
 * to wait.
 */
export class MissionNotices extends Effect.Service<MissionNotices>()("MissionNotices", {
  effect: Effect.gen(function* () {
    const repo = yield* MissionsRepo
    const mails = yield* MailWriter
    const notices = yield* NoticeWriter
    const site = yield* Site

    const waits = Effect.fn("MissionNotices.waits")(function* (mission: MissionState, { kind, message }: Waiting) {
      const { workspace_id, repository_id } = mission
      const people = yield* repo.deciders(mission)
      const ref = missionRefOf(mission.number)
      const title = printable(mission.title)
      const link = `/missions/${ref}`
      yield* notices.waits({
        ...subjectOf(mission),
        repository_id,
        user_ids: people.map(({ user_id }) => user_id),
        text: `${ref} (${title}) ${asks[kind]}.`,
        link
      })
      const url = `${yield* site.url}${link}`
      const mail = {
        workspace_id,
        subject: `${ref} ${asks[kind]}: ${title}`,
        text: `The mission ${ref} (${title}) ${asks[kind]}.\n\n${message}\n\n${url}\n`
      }
      yield* Effect.forEach(people, ({ email }) => mails.write({ ...mail, to: email, sealed_link: null }), {
        discard: true
      })
    })

    const waitsNoLonger = (mission: MissionState) => notices.waitsNoLonger(subjectOf(mission))

    return { waits, waitsNoLonger }
  })
}) {}

/** What is asked of the reader, after the name of the mission. */
const asks: Readonly<Record<WaitingKind, string>> = {
  plan: "waits for your approval of its plan",
  budget: "waits for you to raise its budget",
  step: "waits for your decision on a step that failed",
  question: "waits for your answer"
}
