import { baseName, directoryOf } from "../../../core/text/paths.ts"
import { resolvedPath, type Survey } from "../../Survey.ts"

interface Rule {
  readonly targets: ReadonlyArray<string>
  readonly needs: ReadonlyArray<string>
  /** Lines of the lists that it needs. */
  readonly lists: ReadonlyArray<number>
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

/** A list of files that a rule may need by its name: `SAMPLES = data/tea.csv data/milk.csv`. */
interface List {
  readonly files: ReadonlyArray<string>
  readonly at: number
}

const assigned = /^([A-Za-z]\w{0,40})[ \t]*:?=[ \t]*([^\n#$]{1,2000})$/

const listsIn = (lines: ReadonlyArray<string>): ReadonlyMap<string, List> => {
  const found = new Map<string, List>()
  for (const [at, line] of lines.entries()) {
    const [, name, value] = assigned.exec(line) ?? []
    if (name !== undefined) found.set(name, { files: wordsOf(value!), at })
  }
  return found
}

const variable = /^\$[({](\w+)[)}]$/

const rulesIn = (lines: ReadonlyArray<string>, lists: ReadonlyMap<string, List>): ReadonlyArray<Rule> =>
  lines.flatMap((line, from): ReadonlyArray<Rule> => {
    const [, targets, needs] = head.exec(line) ?? []
    if (targets === undefined) return []
    let to = from + 1
    while (to < lines.length && /^(?:\t|\s*$)/.test(lines[to]!)) to++
    const named = wordsOf(needs!).map((need) => lists.get(variable.exec(need)?.[1] ?? "") ?? need)
    return [
      {
        targets: wordsOf(targets),
        needs: named.flatMap((need) => (typeof need === "string" ? need : need.files)),
        lists: named.flatMap((need) => (typeof need === "string" ? [] : need.at)),
        from,
        to
      }
    ]
  })

/** What is included, other than what each source depends on, found along a path, or written by a function may make each file. */
const makesElsewhere =
  /^[ \t]*[.-]?s?include\b(?![ \t]+[\w./]{0,60}(?:\.?depend\w{0,8}|\.dep|\.d)[ \t]*$)|\$\(eval\b|^[ \t]*(?:vpath|VPATH|define)\b/m

/** A file below the folder of the Makefile that is written out with its ending. */
const isFile = /^(?:\.\/)?(?:[\w+-][\w.+-]*\/)*[\w+-][\w.+-]*\.[A-Za-z]\w{0,9}$/

/** Compilers make these, whatever of. */
const isCompiled = /\.(?:o|obj|l?a|lo|so|d|class|hi|cm\w+|pyc|beam|mod)$/

/** What Make or a compiler makes of a file of the same name. */
const stemOf = (path: string): string => path.replace(/\.\w+$/, ".")

/** What a program wrote has more rules; each name that is looked for costs a pass over all texts. */
const MAX_RULES = 300
const MAX_SOUGHT = 40

/** For a Makefile: of a target the file that it needs, which is not in the tree and which nothing there makes or speaks of. */
export const missingNeed = (survey: Survey, path: string, text: string): ((target: string) => string | undefined) => {
  if (makesElsewhere.test(text)) return () => undefined
  const lines = text.replace(/\\\n/g, " ").split("\n")
  const rules = rulesIn(lines, listsIn(lines))
  if (rules.length > MAX_RULES) return () => undefined
  const made = new Set(rules.flatMap(({ targets }) => targets))
  const endings = [...made].flatMap((target) => /^(?:\S*%|\.\w+(?=\.))(\.\w+)$/.exec(target)?.[1] ?? [])
  const isMentioned = (need: string): boolean => {
    const asking = rules.filter(({ needs }) => needs.includes(need))
    const rest = lines.filter(
      (_, at) => !asking.some(({ from, to, lists }) => (at >= from && at < to) || lists.includes(at))
    )
    const name = baseName(need)
    return (
      rest.some((line) => line.includes(name)) ||
      survey.texts(/./).some((other) => other.path !== path && other.text.includes(name))
    )
  }
  const sought = new Map<string, boolean>()
  const isAbsent = (need: string): boolean => {
    const file = resolvedPath(directoryOf(path), need)
    const stem = stemOf(file)
    return !survey.has(file) && !survey.files.some((one) => one.path.startsWith(stem)) && !isMentioned(need)
  }
  const isMissing = (need: string): boolean => {
    if (!isFile.test(need) || isCompiled.test(need) || made.has(need) || endings.some((end) => need.endsWith(end)))
      return false
    const known = sought.get(need)
    if (known !== undefined || sought.size >= MAX_SOUGHT) return known ?? false
    const isGone = isAbsent(need)
    sought.set(need, isGone)
    return isGone
  }
  const missingOf = (target: string, seen: Set<string>): string | undefined => {
    seen.add(target)
    const needs = rules.flatMap((rule) => (rule.targets.includes(target) ? rule.needs : []))
    const first = needs.find(isMissing)
    if (first !== undefined) return first
    for (const need of needs) {
      const missing = seen.has(need) ? undefined : missingOf(need, seen)
      if (missing !== undefined) return missing
    }
    return undefined
  }
  return (target) => missingOf(target, new Set())
}
