/** Offset of the quote that closes the string opened here. */
const stringEnd = (text: string, start: number): number => {
  let i = start + 1
  while (i < text.length && text[i] !== '"') i += text[i] === "\\" ? 2 : 1
  return i
}

const opensComment = (text: string, at: number): boolean =>
  text[at] === "/" && (text[at + 1] === "/" || text[at + 1] === "*")

/** Offset after the comment; the line end after a line comment stays. */
const commentEnd = (text: string, start: number): number => {
  const mark = text[start + 1] === "/" ? "\n" : "*/"
  const end = text.indexOf(mark, start)
  if (end < 0) return text.length
  return mark === "\n" ? end : end + 2
}

const isTrailingComma = (text: string, at: number): boolean => {
  if (text[at] !== ",") return false
  const rest = /\S/g
  rest.lastIndex = at + 1
  const next = rest.exec(text)?.[0]
  return next === "}" || next === "]"
}

/** Comments and commas before a closing bracket taken out, as far as they are not inside strings. */
const plainJson = (text: string): string => {
  let out = ""
  let from = 0
  let at = 0
  while (at < text.length) {
    if (text[at] === '"') {
      at = stringEnd(text, at) + 1
      continue
    }
    const isComment = opensComment(text, at)
    if (!isComment && !isTrailingComma(text, at)) {
      at++
      continue
    }
    out += text.slice(from, at)
    at = isComment ? commentEnd(text, at) : at + 1
    from = at
  }
  return out + text.slice(from)
}

/** An object of a configuration file; null when it is not one. */
export const parseConfiguration = (text: string | null): Readonly<Record<string, unknown>> | null => {
  if (text === null) return null
  for (const candidate of [text, plainJson(text)]) {
    try {
      const value: unknown = JSON.parse(candidate.replace(/^\uFEFF/, ""))
      return isRecord(value) ? value : null
    } catch {
      // Tried again without comments.
    }
  }
  return null
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const textIn = (record: Readonly<Record<string, unknown>> | null, key: string): string | null => {
  const value = record?.[key]
  return typeof value === "string" ? value : null
}
