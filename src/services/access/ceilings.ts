/** What a job spent, or may spend, of the hour that began at `at`. */
export interface Spent {
  readonly at: string
  readonly usd: number
}

export const windowMillis = 60 * 60 * 1000

// The ledger's unit: sums of whole billionths do not drift.
const nano = (usd: number) => Math.round(usd * 1e9)

/**
 * Milliseconds until the window has room: now (0) when less than the ceiling, or nothing, is spent and `requested` more
 * fits; else when enough of the oldest has left. `requested` must not exceed the ceiling. A ceiling below the ledger's unit
 * thus does not reject for ever what costs nothing.
 */
export const millisUntilRoom = (
  spent: ReadonlyArray<Spent>,
  ceilingUsd: number,
  requestedUsd: number,
  now: number
): number => {
  const [ceiling, requested] = [nano(ceilingUsd), nano(requestedUsd)]
  const leaving = spent
    .map(({ at, usd }) => ({ leavesAt: Date.parse(at) + windowMillis, amount: nano(usd) }))
    .filter(({ leavesAt }) => leavesAt > now)
    .sort((a, b) => a.leavesAt - b.leavesAt)
  let left = leaving.reduce((sum, { amount }) => sum + amount, 0)
  const hasRoom = () => (left < ceiling || left === 0) && left + requested <= ceiling
  if (hasRoom()) return 0
  for (const { leavesAt, amount } of leaving) {
    left -= amount
    if (hasRoom()) return leavesAt - now
  }
  return windowMillis
}

export const totalUsd = (spent: ReadonlyArray<Spent>): number =>
  spent.reduce((sum, { usd }) => sum + nano(usd), 0) / 1e9
