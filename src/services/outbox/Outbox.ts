import { Effect } from "effect"
import type { WorkspaceId } from "../../schema/Ids.ts"
import type { OutboxQuery } from "../../schema/Outbox.ts"
import { defaultPageSize } from "../../schema/Page.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { ServerSecrets } from "../support/ServerSecrets.ts"
import { MailWriter } from "./MailWriter.ts"
import { sealLink } from "./mailTexts.ts"
import { OutboxRepo } from "./OutboxRepo.ts"

/** The only way an e-mail leaves: written here, in the transaction that has a reason for it, and sent later. */
export class Outbox extends Effect.Service<Outbox>()("Outbox", {
  effect: Effect.gen(function* () {
    const repo = yield* OutboxRepo
    const writer = yield* MailWriter
    const cursors = yield* Cursors
    const key = yield* Effect.flatMap(ServerSecrets, (secrets) => secrets.get("outbox"))

    /** `link` replaces the placeholder in the text when the mail is sent; no list shows it. */
    const enqueue = Effect.fn("Outbox.enqueue")(function* ({
      link,
      ...mail
    }: {
      readonly workspace_id: WorkspaceId
      readonly to: string
      readonly subject: string
      readonly text: string
      readonly link?: string
    }) {
      const sealed_link = link === undefined ? null : sealLink(key, link)
      yield* writer.write({ ...mail, sealed_link })
    })

    const list = Effect.fn("Outbox.list")(function* ({ limit = defaultPageSize, cursor, status }: OutboxQuery) {
      const { workspace_id } = yield* Caller
      const filters = { status: status ?? null }
      const after = yield* cursors.open("outbox", filters, cursor)
      const rows = yield* repo.list({
        workspace_id,
        ...filters,
        after: after as readonly [string, string] | null,
        limit
      })
      return yield* cursors.page("outbox", filters, limit, rows, (row) => [row.created_at, row.id])
    })

    return { enqueue, list }
  })
}) {}
