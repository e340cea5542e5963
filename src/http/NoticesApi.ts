import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { InvalidCursor, InvalidPayload, SessionRequired } from "../schema/Errors.ts"
import { Notice, NoticesQuery, NoticesRead, ReadNotices } from "../schema/Notice.ts"
import { notices } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { Authorization } from "./Authorization.ts"
import { onWire, serves } from "./wire.ts"

export const NoticesPage = page("NoticesPage", Notice)

export const NoticesApi = HttpApiGroup.make("notices")
  .add(
    HttpApiEndpoint.get("list", "/api/notices")
      .annotateContext(
        serves(
          notices.listNotices,
          "Lists one's notices, newest first: severe new observations, the end of jobs that oneself or one's keys requested, context entries that wait for confirmation, keys that expire, and invitations that were accepted. Notices about repositories that one may not see now are left out. They are kept for 90 days, and the newest 1000."
        )
      )
      .setUrlParams(NoticesQuery)
      .addSuccess(NoticesPage)
      .addError(onWire(SessionRequired, InvalidCursor))
  )
  .add(
    HttpApiEndpoint.post("markRead", "/api/notices/read")
      .annotateContext(
        serves(
          notices.readNotices,
          "Marks some or all of one's notices as read. IDs of unknown notices are passed over."
        )
      )
      .setPayload(ReadNotices)
      .addSuccess(NoticesRead)
      .addError(onWire(SessionRequired, InvalidPayload))
  )
  .annotate(OpenApi.Description, "Notices to the signed-in person.")
  .middleware(Authorization)
