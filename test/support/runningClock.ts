import { Effect, TestClock, TestServices } from "effect"

const step = "100 millis"

/** The test's clock goes on with the machine's, so that what waits a moment goes on without being known to the test. */
export const aRunningClock = Effect.forkScoped(
  Effect.forever(Effect.zipRight(TestServices.provideLive(Effect.sleep(step)), TestClock.adjust(step)))
)
