/** A text on which rules would take longest, were one of their patterns or walks not linear. */
export interface WorstCase {
  readonly rules: ReadonlyArray<string>
  /** Chooses the language and the role. */
  readonly path: string
  /** About `size` characters. */
  readonly text: (size: number) => string
}

/** `unit` as often as it fits. */
export const filled = (size: number, unit: string, around: readonly [string, string] = ["", ""]): string =>
  around[0] +
  unit.repeat(Math.max(1, Math.floor((size - around[0].length - around[1].length) / unit.length))) +
  around[1]
