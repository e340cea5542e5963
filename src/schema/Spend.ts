import { billing, rateLimited } from "./ApiError.ts"

export class CreditExhausted extends billing("CreditExhausted", "credit_exhausted") {}
export class SpendPaused extends billing("SpendPaused", "spend_paused") {}
/** The forecast is more than one job may cost here. */
export class JobCostCap extends billing("JobCostCap", "job_cost_cap") {}

/** The workspace's or the key's hourly spend ceiling is reached; `Retry-After` is the time until it has room. */
export class SpendCeilingReached extends rateLimited("SpendCeilingReached", "rate_limit_budget") {}
