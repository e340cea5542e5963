import { Context } from "effect"
import { v7 } from "uuid"

/** The id of the request being answered: in the envelope, the header `X-Request-Id` and the log. */
export class RequestId extends Context.Reference<RequestId>()("RequestId", { defaultValue: () => "req_none" }) {}

export const newRequestId = () => `req_${v7().replaceAll("-", "")}`
