import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { clip, type VariableRead } from "../Observed.ts"

const name = "([A-Z][A-Z0-9_]{1,79})"
const quoted = `\\s{0,4}["']${name}["']`

const script = new RegExp(
  `\\bprocess\\.env(?:\\.${name}\\b|\\[${quoted}\\])(?!\\s{0,4}=[^=])|\\bimport\\.meta\\.env\\.${name}\\b|\\bDeno\\.env\\.get\\(${quoted}|\\bBun\\.env\\.${name}\\b|\\bConfig\\.(?:string|nonEmptyString|integer|number|boolean|port|url|redacted|secret|duration|logLevel|hashSet|array|literal\\([^()]{0,80}\\))\\(${quoted}`,
  "g"
)

/** Ways to read a variable by a name that is written out. */
const reads: Partial<Record<Language, RegExp>> = {
  javascript: script,
  typescript: script,
  tsx: script,
  python: new RegExp(`\\b(?:os\\.)?(?:environ(?:\\.get\\(|\\[)|getenv\\()${quoted}(?!\\]\\s{0,4}=[^=])`, "g"),
  go: new RegExp(`\\bos\\.(?:Getenv|LookupEnv)\\(${quoted}`, "g"),
  ruby: new RegExp(`\\bENV(?:\\[|\\.fetch\\(|\\.fetch )${quoted}(?!\\]\\s{0,4}=[^=~])`, "g"),
  php: new RegExp(`(?<![>:\\w])(?:getenv|env)\\(${quoted}|\\$_ENV\\[${quoted}\\]`, "g"),
  rust: new RegExp(`\\benv::var(?:_os)?\\(${quoted}`, "g"),
  java: new RegExp(`\\bSystem\\.getenv\\(${quoted}`, "g"),
  csharp: new RegExp(`\\bEnvironment\\.GetEnvironmentVariable\\(${quoted}`, "g"),
  shell: /\$\{([A-Z][A-Z0-9_]{1,79}):[-?]/g
}

const MAX_READS = 200

/** A literal after the read: `?? "x"`, `|| 3000`, `, "x")`, `Config.withDefault("x")`, `:-x}`. */
const fallbackAfter =
  /^["']?\]?\s{0,4}(?:\?\?|\|\||,|:-|\bor\b)\s{0,4}("[^"\n]{0,60}"|'[^'\n]{0,60}'|\d[\d._]{0,20}|true|false|null|nil|None)/
const shellFallback = /^:-([\w.+/:@-]{1,60})/
const effectFallback = /^["']\)[\s\S]{0,120}?\bConfig\.withDefault\(\s{0,4}("[^"\n]{0,60}"|[\w.]{1,60})\)/
const effectOption = /^["']\)[\s\S]{0,60}?\bConfig\.option\b/

const requires = (file: SourceFile, start: number, end: number): boolean => {
  const before = file.text.slice(Math.max(0, start - 24), start)
  const after = file.text.slice(end, end + 3)
  if (/\bConfig\.[\w(),"' ]{1,60}\($/.test(before.replace(/["']$/, ""))) return true
  return (
    (file.language === "python" && /environ\[\s*["']$/.test(before)) ||
    (file.language === "ruby" && /fetch[( ]\s*["']$/.test(before) && /^["']\s*\)/.test(after)) ||
    (file.language === "shell" && file.text.slice(end, end + 2) === ":?") ||
    (file.language === "rust" && /^[\s\S]{0,12}\.(?:unwrap|expect)\(/.test(file.text.slice(end, end + 24)))
  )
}

const isComment = (file: SourceFile, offset: number): boolean =>
  /^\s{0,200}(?:\/\/|#|\*|\/\*)/.test(file.text.slice(file.lineStarts[file.line(offset) - 1]!, offset))

/** In a text about code: `"${{ process.env.TITLE }}"` reads nothing. */
const isQuoted = (file: SourceFile, offset: number): boolean => {
  const tree = file.language === "shell" ? null : file.tree
  return tree !== null && /string|template_chars|fragment|comment/.test(tree.kind(tree.covering(offset, offset + 1)))
}

/** Settings that Effect reads under names given to helpers: whole literals in a file that works with `Config`. */
const effectSettings = (file: SourceFile, known: ReadonlySet<string>): ReadonlyArray<VariableRead> => {
  if (!/\bimport\b[^;\n]{0,200}\bConfig\b[^;\n]{0,200}from ["']effect["']/.test(file.text)) return []
  return [...file.text.matchAll(/["']([A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,40}){1,8})["']/g)]
    .filter(({ 1: found, index }) => !known.has(found!) && !isComment(file, index))
    .slice(0, MAX_READS)
    .map(({ 1: found, index }) => ({ name: found!, line: file.line(index), fallback: null, required: false }))
}

const readAt = (file: SourceFile, match: RegExpExecArray, variable: string): VariableRead => {
  const start = match.index + match[0].lastIndexOf(variable)
  const end = start + variable.length
  const tail = file.text.slice(end, end + 240)
  const isEffect = /\bConfig\./.test(match[0])
  const fallback =
    (isEffect ? effectFallback : file.language === "shell" ? shellFallback : fallbackAfter).exec(tail)?.[1] ?? null
  return {
    name: variable,
    line: file.line(start),
    fallback: fallback === null ? null : clip(fallback.replace(/^["']|["']$/g, ""), 60),
    required: fallback === null && !(isEffect && effectOption.test(tail)) && requires(file, start, end)
  }
}

export const variablesOf = (file: SourceFile): ReadonlyArray<VariableRead> => {
  const pattern = reads[file.language]
  if (pattern === undefined || file.role !== "source") return []
  if (!/env|Config\.|\$\{[A-Z]/i.test(file.text)) return []
  const found: Array<VariableRead> = []
  for (const match of file.text.matchAll(pattern)) {
    const variable = match.slice(1).find((group) => group !== undefined)
    if (variable === undefined || isComment(file, match.index) || isQuoted(file, match.index)) continue
    found.push(readAt(file, match, variable))
    if (found.length >= MAX_READS) break
  }
  return [...found, ...effectSettings(file, new Set(found.map(({ name: own }) => own)))]
}

/** Names in capitals with an underscore that a text mentions. */
export const mentionsIn = (text: string): ReadonlyArray<string> => {
  const names = new Set<string>()
  for (const [found] of text.matchAll(/\b[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,40}){1,8}\b/g)) {
    names.add(found)
    if (names.size >= 400) break
  }
  for (const [, found] of text.matchAll(
    /^[ \t]{0,9}#?[ \t]{0,9}(?:export[ \t]{1,4})?([A-Z][A-Z0-9_]{1,79})[ \t]{0,4}=/gm
  ))
    names.add(found!)
  return [...names]
}
