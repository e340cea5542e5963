import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AuditLogQuery, AuditRecord } from "../schema/AuditLog.ts"
import { InvalidCursor } from "../schema/Errors.ts"
import { TooManyStreams } from "../schema/Job.ts"
import { auditLog } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { optional } from "../schema/Text.ts"
import { Authorization } from "./Authorization.ts"
import { withCsv } from "./csv.ts"
import { onWire, serves } from "./wire.ts"

export const AuditLogPage = page("AuditLogPage", AuditRecord)

export const AuditLogApi = HttpApiGroup.make("auditLog")
  .add(
    HttpApiEndpoint.get("list", "/api/audit-log")
      .annotateContext(
        serves(
          auditLog.listRecords,
          "Lists the changes that were made in the workspace, and the sign-ins, newest first. With `Accept: text/csv` all records that the filters select, as a file; `limit` and `cursor` do not apply to it."
        )
      )
      .annotate(OpenApi.Transform, withCsv("A line of names, then a line for each record (RFC 4180)."))
      .setUrlParams(AuditLogQuery)
      .setHeaders(Schema.Struct({ accept: optional(Schema.String) }))
      .addSuccess(AuditLogPage)
      .addError(onWire(InvalidCursor, TooManyStreams))
  )
  .annotate(OpenApi.Description, "Who changed what in the workspace.")
  .middleware(Authorization)
