import type { SourceFile } from "../../core/files/SourceFile.ts"
import { isUpkeep } from "../../core/files/upkeep.ts"
import { auditTool, type Match, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { carriedValues } from "../../languages/code/carriedValues.ts"
import { lastAssigned } from "../../languages/code/lastAssigned.ts"
import { type SlowRegex, slowRegex } from "../../languages/regex/slowRegex.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { type Reached, reachedBy } from "./reached.ts"
import { type RuleId, rules } from "./rules.ts"
import { mentionsRegex, type RegexUse, regexUses } from "./uses.ts"

const languages: ReadonlySet<string> = new Set(["javascript", "python", "ruby", "java", "php"])

/** A repetition of a group: without one there is nothing exponential. */
const repeatedGroup = /\)\s*[*+{]/

/** Functions that turn a text into a pattern that matches only itself. */
const escaped = /escape|quote|preg_quote|sanit|literal/i

const shown = (text: string): string =>
  JSON.stringify(text.length > 24 ? `${text.slice(0, 24)}…` : text).replaceAll("`", "'")

const ruleFor = ({ growth }: SlowRegex, reached: Reached): RuleId => {
  if (growth !== "exponential") return "polynomial_regex"
  return reached === "request" ? "exponential_regex_on_request" : "exponential_regex"
}

const slowMatch = (file: SourceFile, use: RegexUse, slow: SlowRegex, reached: Reached): Match<RuleId> => {
  const tree = file.tree!
  const before = slow.prefix === "" ? "" : `${shown(slow.prefix)}, then `
  const after = slow.suffix === "" ? "" : ` and ${shown(slow.suffix)} at the end`
  const growth =
    slow.growth === "exponential"
      ? "doubles with every few characters"
      : "grows with the square of its length, or faster,"
  const message =
    `The time this pattern takes ${growth} on a text such as ${before}${shown(slow.pump)} many times${after}; it is matched ` +
    `on \`${tree.textOf(use.subject).replace(/\s+/g, " ").slice(0, 60)}\`${reached === "request" ? ", which comes from a request" : ""}.`
  const step = { start: tree.start(use.subject), end: tree.end(use.subject), note: "the text that is matched" }
  return {
    start: tree.start(use.node),
    end: tree.end(use.node),
    rule: ruleFor(slow, reached),
    message,
    steps: [step]
  }
}

export default auditTool({
  id: "regex_dos",
  suite: "full",
  kind: "finding",
  domain: "security",
  category: "performance",
  priority: "P2",
  version: 2,
  rules,
  appliesTo: ({ path, language, role }) =>
    role === "source" && languages.has(ruleLanguageOf(language)) && !isUpkeep(path),
  mentions: mentionsRegex,
  inspect: (file, emit) => {
    if (file.tree === null) return undefined
    const reported = new Set<number>()
    let analysed = 0
    for (const use of regexUses(file)) {
      if (reported.has(use.node)) continue
      const reached = mayBeSlow(use.pattern) ? reachedBy(file, use.subject) : null
      const isAnalysed = use.pattern !== null && isWorthwhile(use.pattern, reached) && analysed++ < MAX_ANALYSED
      const match =
        use.pattern === null ? injectedMatch(file, use) : isAnalysed ? analysedMatch(file, use, reached) : null
      if (match === null) continue
      reported.add(use.node)
      emit(match)
    }
    return undefined
  }
})

/** Patterns of one file that are analysed; files with more suspicious ones do not occur in practice. */
const MAX_ANALYSED = 60

const mayBeSlow = (pattern: string | null): boolean => pattern !== null && /[*+]|,\}/.test(pattern)

const isWorthwhile = (pattern: string, reached: Reached): boolean =>
  reached === "request" || (reached === "parameter" && repeatedGroup.test(pattern))

const analysedMatch = (file: SourceFile, use: RegexUse, reached: Reached): Match<RuleId> | null => {
  const pattern = use.whole === true ? `(?:${use.pattern})\\z` : use.pattern!
  const slow = slowRegex(pattern, use.flags, use.anchored)
  if (slow === null || (slow.growth === "polynomial" && reached !== "request")) return null
  return slowMatch(file, use, slow, reached)
}

const injectedMatch = (file: SourceFile, { node }: RegexUse): Match<RuleId> | null => {
  const tree = file.tree!
  const text = tree.textOf(node)
  const isReached = carriedValues(file, node).some((part) => reachedBy(file, part) === "request")
  if (!isReached || escaped.test(text) || isEscapedBefore(file, node)) return null
  const message = `The pattern is built from \`${text.replace(/\s+/g, " ").slice(0, 60)}\`, which comes from a request.`
  return { start: tree.start(node), end: tree.end(node), rule: "regex_from_input", message }
}

/** `const pattern = escapeRegExp(req.query.q)` before. */
const isEscapedBefore = (file: SourceFile, node: number): boolean => {
  const text = file.tree!.textOf(node)
  const value = /^\$?\w{1,60}$/.test(text) ? lastAssigned(file, text, node) : NONE
  return value !== NONE && escaped.test(file.tree!.textOf(value))
}
