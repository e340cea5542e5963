/** What is known of the variables that an analysis follows, by key; a bit for each way it may be. */
export type State = ReadonlyMap<string, number>

/** What an analysis does with the events of a walk over all paths of a function. A state is null where no path leads. */
export interface Analysis {
  /** After the arguments of a call have been evaluated; null when the call never returns. */
  readonly call: (state: State, node: number) => State | null
  readonly assign: (state: State, target: number, value: number, operator: string) => State
  readonly declare: (state: State, declarator: number) => State
  /** A name whose value is read. */
  readonly read: (state: State, node: number) => State
  /** A condition without `!`, `&&` and `||` that holds or not. */
  readonly refine: (state: State, condition: number, holds: boolean) => State | null
  /** Before a piece of code that may run again: what it assigns is not known at its beginning. */
  readonly repeat?: (state: State, node: number) => State
  readonly leave: (state: State, node: number) => void
  readonly remove?: (state: State, node: number) => State
}

/** What is known where two paths meet: a variable may be what it was on either. */
export const join = (a: State | null, b: State | null): State | null => {
  if (a === null || a === b) return b
  if (b === null) return a
  const joined = new Map(a)
  for (const [key, bits] of b) joined.set(key, (joined.get(key) ?? 0) | bits)
  return joined
}
