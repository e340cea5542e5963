const MAX_NAMES = 16

/** Types that fields are of, as each language writes them, with the name in the first group that matched. */
const patterns: Partial<Record<string, RegExp>> = {
  python:
    /\bchoices\s*=\s*(?:[a-z]\w*\.)*([A-Z]\w{2,60})|\bEnum\w{0,12}\(\s*(?:[a-z]\w*\.)*([A-Z]\w{2,60})|^[ \t]+[a-z]\w*\s*:\s*["']?(?:\w+\[)*(?:[a-z]\w*\.)*([A-Z]\w{2,60})/gm,
  go: /^\t[A-Za-z]\w*[ \t]+[*[\]]{0,3}(?:\w+\.)?([A-Za-z]\w{2,60})\b/gm,
  typescript: /^\s+(?:(?:readonly|public|private|declare)\s+)*[a-z]\w*[!?]?:\s*(?:\w+\.)?([A-Z]\w{2,60})/gm,
  java: /^\s+(?:private|protected|public)\s+(?:final\s+)?([A-Z]\w{2,60})\s+\w+\s*[=;]/gm,
  csharp: /^\s+public\s+(?:virtual\s+|required\s+)*([A-Z]\w{2,60})\??\s+\w+\s*[{;=]/gm,
  rust: /^\s+(?:pub(?:\([^)]*\))?\s+)?[a-z]\w*:\s*(?:[A-Z]\w*<)?(?:\w+::)*([A-Z]\w{2,60})/gm,
  kotlin: /\b(?:val|var)\s+\w+\s*:\s*([A-Z]\w{2,60})/gm,
  swift: /\b(?:let|var)\s+\w+\s*:\s*([A-Z]\w{2,60})/gm,
  php: /^\s+(?:public|protected|private)\s+(?:readonly\s+)?\??([A-Z]\w{2,60})\s+\$|(?:=>|enumType:)\s*\\?(?:\w+\\)*([A-Z]\w{2,60})::class/gm,
  c: /^\s+(?:enum\s+)?([A-Za-z_]\w{2,60})\s+\w+;/gm,
  cpp: /^\s+(?:enum\s+)?(?:\w+::)*([A-Z]\w{2,60})\s+\w+\s*(?:=[^;(){}]{1,40}|\{[^;{}]{0,40}\})?;/gm,
  prisma: /^\s+\w+\s+([A-Z]\w{2,60})/gm,
  graphql: /^\s+\w+\s*(?:\([^)\n]{0,200}\))?:\s*\[?([A-Z]\w{2,60})/gm,
  proto: /^\s+(?:repeated\s+|optional\s+)?(?:\w+\.)*([A-Z]\w{2,60})\s+\w+\s*=/gm
}

/** Of the language itself, and of no closed set of values. */
const isBuiltIn =
  /^(?:string|int\d*|uint\d*|byte|bool|error|float\d*|rune|any|Time|Duration|String|Integer|Long|Double|Float|Boolean|Date(?:Time)?|Optional|Option|List|Array|Map|Set|Vec|Box|Promise|Record|Decimal|BigDecimal|UUID|Uuid|Instant|Guid|Dict|Any|Int|char|unsigned|size_t|void|DateTimeOffset|Func|Action)$/

/** Names of the types that the fields of a declaration are of: one of them may be a closed set that another file declares. */
export const fieldTypesOf = (language: string, text: string): ReadonlyArray<string> => {
  const pattern = patterns[language === "tsx" ? "typescript" : language]
  const names = new Set<string>()
  for (const match of pattern === undefined ? [] : text.matchAll(pattern)) {
    const name = match.slice(1).find((one) => one !== undefined)!
    if (!isBuiltIn.test(name)) names.add(name)
    if (names.size >= MAX_NAMES) break
  }
  return [...names]
}

/** With the types of its fields, where it has any; most have none. */
export const withTypes = <A extends object>(
  entity: A,
  language: string,
  text: string
): A & { readonly types?: ReadonlyArray<string> } => {
  const types = fieldTypesOf(language, text)
  return types.length === 0 ? entity : { ...entity, types }
}
