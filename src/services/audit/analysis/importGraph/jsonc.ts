/** Comments and commas before a closing bracket taken out, as far as they are not inside strings. */
const plainJson = (text: string): string => {
  let out = ""
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === "\\") i++
    } else if (char === "/" && (text[i + 1] === "/" || text[i + 1] === "*")) {
      out += text.slice(from, i)
      const end = text[i + 1] === "/" ? text.indexOf("\n", i) : text.indexOf("*/", i) + 1
      i = end <= 0 ? text.length : end
      from = text[i] === "\n" ? i : i + 1
    } else if (char === ",") {
      const rest = /[^\s]/g
      rest.lastIndex = i + 1
      const next = rest.exec(text)?.[0]
      if (next === "}" || next === "]") {
        out += text.slice(from, i)
        from = i + 1
      }
    }
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
