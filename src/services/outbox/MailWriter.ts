import { Effect } from "effect"
import type { WorkspaceId } from "../../schema/Ids.ts"
import { Uuid } from "../../schema/Text.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { OutboxRepo } from "./OutboxRepo.ts"

export interface Mail {
  readonly workspace_id: WorkspaceId
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Replaces the placeholder in the text when the mail is sent. */
  readonly sealed_link: Buffer | null
}

/** Writes mails into the outbox, in the transaction that has a reason for them. Below the jobs, whose ends are such reasons. */
export class MailWriter extends Effect.Service<MailWriter>()("MailWriter", {
  effect: Effect.gen(function* () {
    const repo = yield* OutboxRepo

    const write = Effect.fn("MailWriter.write")(function* (mail: Mail) {
      yield* repo.insert({ ...mail, id: yield* newId(Uuid), created_at: yield* now })
    })

    return { write }
  })
}) {}
