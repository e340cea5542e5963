// Money of a mission, in whole billionths of a dollar: what the ledger counts in. Sums are exact up to nine million dollars.

export const nanosOf = (usd: number): number => Math.round(usd * 1e9)
export const usdOf = (nanos: number): number => nanos / 1e9

/** All in billionths of a dollar. */
export interface Purse {
  readonly budget: number
  readonly spent: number
  /** What is set aside for the step under way. */
  readonly reserved: number
}

export const left = ({ budget, spent, reserved }: Purse): number => budget - spent - reserved

/** Sets aside what a step is forecast to cost; null where the budget does not have it, and then nothing begins. */
export const reserve = (purse: Purse, forecast: number): Purse | null =>
  left(purse) >= forecast ? { ...purse, reserved: purse.reserved + forecast } : null

/** A try has ended: what was set aside for it is free, and what it cost is spent, more or less. */
export const settle = (purse: Purse, reserved: number, cost: number): Purse => ({
  ...purse,
  reserved: purse.reserved - reserved,
  spent: purse.spent + cost
})

/** Only upwards; null otherwise. */
export const raise = (purse: Purse, budget: number): Purse | null =>
  budget > purse.budget ? { ...purse, budget } : null

/** For people: to the cent, and what is less to two digits. */
export const dollars = (nanos: number): string => {
  const usd = usdOf(nanos)
  const shown = usd === 0 || usd >= 0.01 ? usd.toFixed(2) : Number(usd.toPrecision(2)).toFixed(9).replace(/0+$/, "")
  return `${shown} USD`
}
