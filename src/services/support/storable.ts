import { clip } from "../../schema/characters.ts"
import { LoneSurrogate, NulByte } from "../../schema/Errors.ts"
import { pathText } from "./invalidPayload.ts"

// PostgreSQL's text holds neither NUL nor half of a surrogate pair.
const unstorable = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export const storableText = (text: string, max = 2000): string => clip(text, max).replace(unstorable, "\ufffd")

/** A value inside a client's JSON; its path is made only where something is wrong. */
interface Part {
  readonly value: unknown
  readonly key: string
  readonly parent: Part | null
}

const pathOf = ({ key, parent }: Part): ReadonlyArray<string> => (parent === null ? [] : [...pathOf(parent), key])

/** What is wrong with a text, key or value, of a client's JSON that PostgreSQL cannot store. */
export const unstorableText = (root: unknown): NulByte | LoneSurrogate | undefined => {
  const rest: Array<Part> = [{ value: root, key: "", parent: null }]
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    const { value } = part
    const problem = typeof value === "string" ? problemOf(value, part) : undefined
    if (problem !== undefined) return problem
    if (typeof value !== "object" || value === null) continue
    for (const [key, item] of Object.entries(value)) {
      const keyProblem = problemOf(key, part)
      if (keyProblem !== undefined) return keyProblem
      rest.push({ value: item, key, parent: part })
    }
  }
  return undefined
}

const problemOf = (text: string, part: Part): NulByte | LoneSurrogate | undefined => {
  if (text.includes("\0")) return new NulByte(rejection("NUL (U+0000) is not allowed.", part))
  return /\p{Surrogate}/u.test(text)
    ? new LoneSurrogate(rejection("An unpaired surrogate is not allowed.", part))
    : undefined
}

const rejection = (problem: string, part: Part) => {
  const param = pathText(pathOf(part))
  return param === "" ? { message: problem } : { message: `${param}: ${problem}`, param }
}
