import { Context } from "effect"

/** The id of the request being answered: in the envelope, the header `X-Request-Id` and the log. */
export class RequestId extends Context.Reference<RequestId>()("RequestId", { defaultValue: () => "req_none" }) {}
