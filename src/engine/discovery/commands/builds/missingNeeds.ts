import { baseName, directoryOf } from "../../../core/text/paths.ts"
import { resolvedPath, type Survey } from "../../Survey.ts"

interface Rule {
  readonly targets: ReadonlyArray<string>
  readonly needs: ReadonlyArray<string>
  /** The rule with its recipe. */
  readonly from: number
  readonly to: number
}

const head = /^([^\t#\s:=][^:=#\n]{0,200}?)[ \t]*::?(?![:=])[ \t]*([^=\n]*)$/

const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .replace(/[;#].*$/, "")
    .trim()
    .split(/\s+/)

const rulesIn = (lines: ReadonlyArray<string>): ReadonlyArray<Rule> =>
  lines.flatMap((line, from): ReadonlyArray<Rule> => {
    const [, targets, needs] = head.exec(line) ?? []
    if (targets === undefined) return []
    const next = lines.findIndex((one, index) => index > from && !/^(?:\t|\s*$)/.test(one))
    return [{ targets: wordsOf(targets), needs: wordsOf(needs!), from, to: next < 0 ? lines.length : next }]
  })

/** What is included, found along a path, or written by a function may make each file. */
const makesElsewhere = /^[ \t]*[.-]?s?include\b|\$\(eval\b|^[ \t]*(?:vpath|VPATH|define)\b/m

/** A file below the folder of the Makefile that is written out with its ending. */
const isFile = /^(?:\.\/)?(?:[\w+-][\w.+-]*\/)*[\w+-][\w.+-]*\.[A-Za-z]\w{0,9}$/

/** Compilers make these, whatever of. */
const isCompiled = /\.(?:o|obj|l?a|lo|so|d|class|hi|cm\w+|pyc|beam|mod)$/

/** What Make or a compiler makes of a file of the same name. */
const stemOf = (path: string): string => path.replace(/\.\w+$/, ".")

const MAX_DEPTH = 4

/** For a Makefile: of a target the file that it needs, which is not in the tree and which nothing there makes or speaks of. */
export const missingNeed = (survey: Survey, path: string, text: string): ((target: string) => string | undefined) => {
  if (makesElsewhere.test(text)) return () => undefined
  const lines = text.replace(/\\\n/g, " ").split("\n")
  const rules = rulesIn(lines)
  const made = new Set(rules.flatMap(({ targets }) => targets))
  const endings = [...made].flatMap((target) => /^(?:\S*%|\.\w+(?=\.))(\.\w+)$/.exec(target)?.[1] ?? [])
  const isMentioned = (need: string): boolean => {
    const rest = lines.filter(
      (_, at) => !rules.some(({ needs, from, to }) => needs.includes(need) && at >= from && at < to)
    )
    const name = baseName(need)
    return (
      rest.some((line) => line.includes(name)) ||
      survey.texts(/./).some((other) => other.path !== path && other.text.includes(name))
    )
  }
  const isMissing = (need: string): boolean => {
    if (!isFile.test(need) || isCompiled.test(need) || made.has(need) || endings.some((end) => need.endsWith(end)))
      return false
    const file = resolvedPath(directoryOf(path), need)
    const isThere = survey.has(file) || survey.files.some((one) => one.path.startsWith(stemOf(file)))
    return !isThere && !isMentioned(need)
  }
  const missingOf = (target: string, depth: number): string | undefined => {
    const needs = rules.flatMap((rule) => (rule.targets.includes(target) ? rule.needs : []))
    const first = needs.find(isMissing)
    if (first !== undefined || depth === 0) return first
    return needs.map((need) => missingOf(need, depth - 1)).find((one) => one !== undefined)
  }
  return (target) => missingOf(target, MAX_DEPTH)
}
