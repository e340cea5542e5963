import { clip } from "../../schema/characters.ts"
import { LoneSurrogate, NulByte } from "../../schema/Errors.ts"
import { pathText } from "./invalidPayload.ts"

// PostgreSQL's text holds neither NUL nor half of a surrogate pair.
const unstorable = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export const storableText = (text: string, max = 2000): string => clip(text, max).replace(unstorable, "\ufffd")

/** An object or list inside a client's JSON; a path is made only where something is wrong. */
interface Part {
  readonly value: object
  readonly key: string
  readonly parent: Part | null
}

const pathOf = (part: Part | null): ReadonlyArray<string> =>
  part === null || part.parent === null ? [] : [...pathOf(part.parent), part.key]

/** What is wrong with a text, key or value, of a client's JSON that PostgreSQL cannot store. */
export const unstorableText = (root: unknown): NulByte | LoneSurrogate | undefined => {
  if (typeof root === "string") return isStorable(root) ? undefined : problemOf(root, [])
  if (!isPart(root)) return undefined
  const rest: Array<Part> = [{ value: root, key: "", parent: null }]
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    for (const key of Object.keys(part.value)) {
      const item: unknown = Reflect.get(part.value, key)
      const problem = memberProblem(part, key, item)
      if (problem !== undefined) return problem
      if (isPart(item)) rest.push({ value: item, key, parent: part })
    }
  }
  return undefined
}

/** What is wrong with the name of a member, or with its text. */
const memberProblem = (part: Part, key: string, item: unknown) => {
  // Few texts have a problem, and a body may have a hundred thousand: no path is prepared for the others.
  if (!isStorable(key)) return problemOf(key, pathOf(part))
  return typeof item === "string" && !isStorable(item) ? problemOf(item, [...pathOf(part), key]) : undefined
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0")

const isPart = (value: unknown): value is object => typeof value === "object" && value !== null

const problemOf = (text: string, path: ReadonlyArray<string>): NulByte | LoneSurrogate =>
  text.includes("\0")
    ? new NulByte(rejection("NUL (U+0000) is not allowed.", path))
    : new LoneSurrogate(rejection("An unpaired surrogate is not allowed.", path))

const rejection = (problem: string, path: ReadonlyArray<string>) => {
  const param = pathText(path)
  return param === "" ? { message: problem } : { message: `${param}: ${problem}`, param }
}
