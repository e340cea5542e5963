import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { InvalidCursor } from "../schema/Errors.ts"
import { OutboxMail, OutboxQuery } from "../schema/Outbox.ts"
import { outbox } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { Authorization } from "./Authorization.ts"
import { onWire, serves } from "./wire.ts"

export const OutboxPage = page("OutboxMailsPage", OutboxMail)

export const OutboxApi = HttpApiGroup.make("outbox")
  .add(
    HttpApiEndpoint.get("list", "/api/outbox")
      .annotateContext(serves(outbox.listMails))
      .setUrlParams(OutboxQuery)
      .addSuccess(OutboxPage)
      .addError(onWire(InvalidCursor))
  )
  .annotate(OpenApi.Description, "E-mails of the workspace.")
  .middleware(Authorization)
