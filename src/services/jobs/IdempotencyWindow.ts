import { Context, Duration } from "effect"

/** For how long a submission that comes again with its Idempotency-Key finds its job: the contract's time, or longer. */
export class IdempotencyWindow extends Context.Reference<IdempotencyWindow>()("IdempotencyWindow", {
  defaultValue: () => Duration.hours(24)
}) {}
