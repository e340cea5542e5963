/** Credentials whose issuer is known from their shape. */
export interface Provider {
  readonly id: string
  /** What it is, for a sentence: "a GitHub token". */
  readonly noun: string
  /** Literal beginnings (or characteristic middles) that a text must hold for `pattern` to be tried there. */
  readonly hints: ReadonlyArray<string>
  /** Tried at the hint, sticky; group 1, when there is one, is the credential. */
  readonly pattern: RegExp
  readonly confidence: number
  /** Characters before the hint that belong to the value (the hint stands in its middle). */
  readonly back?: RegExp
  /** The hint may go on a word: the value itself begins later. */
  readonly anywhere?: true
  /** Bits per character that random values of this alphabet keep. */
  readonly bits?: number
  /** Known to the world or not a credential in this place: not reported, yet redacted. */
  readonly harmless?: (value: string, text: string, start: number) => boolean
}

/** A value of fixed length: where more of its alphabet follows, it is something else. */
export const fixed = (source: string): RegExp => new RegExp(`${source}(?![A-Za-z0-9_-])`, "y")

export const near = (text: string, start: number, reach: number): string =>
  text.slice(Math.max(0, start - reach), start + reach)
