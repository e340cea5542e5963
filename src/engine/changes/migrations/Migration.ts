/** Whether a migration can be taken back; null where that is not known. */
export interface Verdict {
  readonly form: string | null
  readonly reversible: boolean | null
  /** As the end of a sentence that begins with the path. */
  readonly reason: string
  /** Where it shows, counted from 1. */
  readonly line: number
}

export interface MigrationFile {
  readonly path: string
  readonly text: string
  readonly has: (path: string) => boolean
  /** Text of a file beside it; null where there is none. */
  readonly read: (path: string) => Promise<string | null>
}

export const verdict = (form: string | null, reversible: boolean | null, reason: string, line = 1): Verdict => ({
  form,
  reversible,
  reason,
  line
})

/** Line of an offset, from 1. */
export const lineAt = (text: string, offset: number): number => {
  let line = 1
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++
  return line
}
