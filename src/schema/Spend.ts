import { apiError } from "./ApiError.ts"

const billing = <const Tag extends string, const Code extends string>(tag: Tag, code: Code) =>
  apiError(tag, { status: 402, type: "billing_error", code })

export class CreditExhausted extends billing("CreditExhausted", "credit_exhausted") {}
export class SpendPaused extends billing("SpendPaused", "spend_paused") {}
/** The forecast is more than one job may cost here. */
export class JobCostCap extends billing("JobCostCap", "job_cost_cap") {}

/** The workspace's hourly ceiling, or the key's own, leaves no room; `Retry-After` says when it does again. */
export class SpendCeilingReached extends apiError("SpendCeilingReached", {
  status: 429,
  type: "rate_limit_error",
  code: "rate_limit_budget"
}) {}
