import { Clock, Effect, Layer } from "effect"
import { layer } from "../../src/layers/Notifications.ts"

/**
 * The listener of a test. Its pulse is on the machine's clock: a test's clock that is turned by days would make it beat for
 * each half minute of them.
 */
export const NotificationsLive = Layer.scopedContext(Effect.withClock(Layer.build(layer), Clock.make()))
