import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { ObservedRoute } from "../../Observed.ts"
import { languageName } from "../languageName.ts"

/** What shows that a file answers requests, and how many addresses it has to distinguish. */
interface Speech {
  readonly languages: RegExp
  readonly needs: RegExp
  readonly least: number
}

const speeches: ReadonlyArray<Speech> = [
  { languages: /^(?:c|cpp|Perl)$/, needs: /\bHTTP\/1|["']GET["']|\bhttp_?request/i, least: 4 },
  {
    languages: /^(?:typescript|javascript)$/,
    needs: /\bcreateServer\b|\bIncomingMessage\b|\breq(?:uest)?\.(?:url|method)\b/,
    least: 3
  },
  { languages: /^python$/, needs: /\bBaseHTTPRequestHandler\b|\bstart_response\b|\bdef do_GET\b/, least: 3 },
  { languages: /^go$/, needs: /\bhttp\.ResponseWriter\b|\bfasthttp\.RequestCtx\b/, least: 3 },
  { languages: /^java$/, needs: /\bHttpExchange\b|\bHttpServletRequest\b/, least: 3 }
]

const speaksHttp = (file: SourceFile): Speech | undefined => {
  const language = languageName(file) === "Perl" ? "Perl" : file.language
  return speeches.find(({ languages, needs }) => languages.test(language) && needs.test(file.text))
}

const called = String.raw`(?:[uU]r[il]|UR[IL]|[pP]ath(?!\.(?:join|resolve|dirname|basename|extname|sep)\b)|PATH_INFO|[rR]oute|[eE]ndpoint)`
const address = String.raw`[$\w.>:-]{0,30}${called}\w{0,12}(?:["']\])?(?:\([\w>.-]{0,20}\))?`
const path = String.raw`["'](\/[\w./*{}-]{0,80})["']`

/** A branch that compares the address that was asked for with a path, as languages write it. */
const comparisons: ReadonlyArray<RegExp> = [
  String.raw`\bstr(?:case)?n?cmp\s*\(\s*${address}\s*,\s*${path}`,
  String.raw`\bstr(?:case)?n?cmp\s*\(\s*${path}\s*,\s*${address}`,
  String.raw`${address}\s*(?:={2,3}|\beq\b)\s*${path}`,
  String.raw`${address}\.(?:compare|starts_?[wW]ith|equals)\(\s*${path}`,
  String.raw`${path}\.equals\(\s*${address}`,
  String.raw`\bstrings\.HasPrefix\(\s*${address}\s*,\s*${path}`
].map((source) => new RegExp(source))

const word = String.raw`["']([A-Za-z][\w./-]{0,40})["']`

/** The same with what follows in an address that is known to begin in some way: `strcmp(path + 5, "edit")`. */
const ofRest = (rest: string): ReadonlyArray<RegExp> =>
  [
    String.raw`\bstr(?:case)?n?cmp\s*\(\s*${rest}\s*,\s*${word}`,
    String.raw`(?<![\w.])${rest}\s*(?:={2,3}|\beq\b)\s*${word}`,
    String.raw`(?<![\w.])${rest}\.(?:starts_?[wW]ith|equals)\(\s*${word}`,
    String.raw`${word}\.equals\(\s*${rest}`,
    String.raw`\bstrings\.HasPrefix\(\s*${rest}\s*,\s*${word}`
  ].map((source) => new RegExp(source))

const offset = ofRest(String.raw`${address}\s*\+\s*\w{1,30}(?:\([\w"/]{0,40}\))?`)

/** What is left of an address, in a variable: `rest = path.removeprefix("/api/")`, `const [first] = url.split("/")`. */
const cutting = new RegExp(
  String.raw`^[ \t]*(?:[\w*:<>[\]]{1,30}\s+){0,2}?\*?\[?(\w{1,40})(?:\s*,\s*\w+)?\]?\s*:?=\s*(?=[^=\n]{0,160}${called})(?=[^\n]{0,200}(?:removeprefix\(|strip_prefix\(|TrimPrefix\(|\.split\(|\bSplit\(|\.slice\(|\.substr(?:ing)?\(|\[\w{1,20}(?:\([\w"'/]{0,30}\))?:\]|\+\s*\d))[^\n]{0,240}`,
  "gm"
)

/** In C what points to an address is moved on: `page = page + 1`. */
const pointing = new RegExp(String.raw`^[ \t]*(?:(?:const\s+)?char\s*\*\s*)?(\w{1,40})\s*=\s*${address}\s*;`, "gm")

const restsIn = (file: SourceFile): ReadonlyArray<string> => {
  const cut = [...file.text.matchAll(cutting)].map((match) => match[1]!)
  const pointed = /^(?:c|cpp)$/.test(file.language)
    ? [...file.text.matchAll(pointing)]
        .map((match) => match[1]!)
        .filter((name) => new RegExp(String.raw`\b${name}\s*(?:=\s*${name}\s*\+|\+=|\+\+)`).test(file.text))
    : []
  return [...new Set([...cut, ...pointed])].slice(0, 20)
}

const isBranch = /(?<![\w-])(?:if|elif|elsif|case)(?![\w-])/
const isComment = /^\s*(?:\/\/|\*|\/\*|#)/

/** Locations of the machine's own rather than addresses. */
const isOfMachine = /^\/(?:dev|proc|sys|tmp|usr|etc|var|bin|sbin|home|lib|opt|run|mnt|root)(?:\/|$)/

interface Compared {
  readonly text: string
  readonly line: number
}

const writtenIn = (patterns: ReadonlyArray<RegExp>, text: string): string | undefined =>
  patterns.map((one) => one.exec(text)?.[1]).find((one) => one !== undefined)

const inBranches = (file: SourceFile): ReadonlyArray<Compared> => {
  const rests = restsIn(file)
  const patterns = [...offset, ...rests.flatMap((name) => ofRest(String.raw`\b${name}(?:\[\d\])?`))]
  const found: Array<Compared> = []
  for (let line = 1; line <= file.lineCount; line++) {
    const text = file.lineText(line)
    if (!isBranch.test(text) || isComment.test(text)) continue
    const whole = writtenIn(comparisons, text)
    const rest = whole === undefined ? writtenIn(patterns, text) : undefined
    if (whole !== undefined) found.push({ text: whole, line })
    else if (rest !== undefined) found.push({ text: `/…/${rest}`, line })
  }
  return found
}

const MAX_CASES = 1_000

/** Cases over an address or over what is left of one: `switch (req.url)`, `switch r.URL.Path`, `match self.path`. */
const inCases = (file: SourceFile): ReadonlyArray<Compared> => {
  const rests = restsIn(file)
  const over = rests.length === 0 ? address : `(?:${address}|${rests.join("|")})`
  const head = new RegExp(
    String.raw`^[ \t]*(?:switch|match)\s*\(?\s*(${over})(?:\[\d\])?(?:\.\w{1,20}(?:\(\))?)?\s*\)?\s*[{:]`,
    "gm"
  )
  return [...file.text.matchAll(head)].flatMap((match) => {
    const first = file.line(match.index + match[0].length - 1)
    const isRest = rests.includes(match[1]!)
    const indent = file.lineText(first).search(/\S/)
    const found: Array<Compared> = []
    for (let line = first + 1; line <= Math.min(first + MAX_CASES, file.lineCount); line++) {
      const text = file.lineText(line)
      const isEnd = /^\s*\}/.test(text) || (file.language === "python" && /\S/.test(text))
      if (isEnd && text.search(/\S/) <= indent) break
      const one = /^\s*case\s+["'](\/?[\w./*{}-]{1,80})["']/.exec(text)?.[1]
      if (one?.startsWith("/")) found.push({ text: one, line })
      else if (one !== undefined && isRest) found.push({ text: `/…/${one}`, line })
    }
    return found
  })
}

const methodIn = (text: string): ObservedRoute["method"] => {
  const [, literal, constant] =
    /["'](GET|POST|PUT|PATCH|DELETE)["']|\bMethod(Get|Post|Put|Patch|Delete)\b/.exec(text) ?? []
  return ((literal ?? constant)?.toUpperCase() ?? "ANY") as ObservedRoute["method"]
}

/** Addresses that a row of branches or cases distinguishes, where no framework has them declared. */
export const comparedRoutes = (file: SourceFile): ReadonlyArray<ObservedRoute> => {
  const speech = speaksHttp(file)
  if (speech === undefined) return []
  const found = new Map<string, ObservedRoute>()
  for (const { text, line } of [...inBranches(file), ...inCases(file)].sort((a, b) => a.line - b.line)) {
    if (isOfMachine.test(text) || found.has(text)) continue
    found.set(text, {
      framework: "comparison of the address",
      method: methodIn(file.lineText(line)),
      path: text,
      handler: null,
      guards: [],
      line,
      end: line
    })
  }
  return found.size < speech.least ? [] : [...found.values()]
}
