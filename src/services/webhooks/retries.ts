import { Duration } from "effect"

const pauses = [
  Duration.seconds(5),
  Duration.minutes(1),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(5),
  Duration.hours(10),
  Duration.hours(14),
  Duration.hours(20),
  Duration.hours(24)
]

/** How much longer or shorter a pause may be: endpoints that failed together are not called together again. */
const jitter = 0.2

/** How long to wait after a number of attempts; null when none is left. `chance` is from 0 to 1. */
export const pauseAfter = (attempts: number, chance: number): Duration.Duration | null => {
  const pause = pauses[attempts - 1]
  return pause === undefined ? null : Duration.times(pause, 1 - jitter + 2 * jitter * chance)
}
