import { languageOf } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { isUpkeep } from "../../core/files/upkeep.ts"
import { auditTool, type Match, type RuleLanguage, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { carriedValues } from "../../languages/code/carriedValues.ts"
import { lastAssigned } from "../../languages/code/lastAssigned.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { packageOf } from "./libraries.ts"
import type { RegexUse } from "./RegexUse.ts"
import { reachedBy } from "./reached.ts"
import { type RuleId, rules } from "./rules.ts"
import { type SlowUse, slowTableEntries, slowUse } from "./slowUses.ts"
import { mentionsRegex, regexUses } from "./uses.ts"

const languages: ReadonlySet<string> = new Set(["javascript", "python", "ruby", "java", "php", "csharp"])

/** Functions that turn a text into a pattern that matches only itself. */
const escaped = /escape|quote|preg_quote|sanit|literal/i

/** A slow use that any caller of its function may reach: judged when the package around it is known. */
type Facts = ReadonlyArray<SlowUse>

export default auditTool<Facts, RuleId>({
  id: "regex_dos",
  suite: "full",
  kind: "finding",
  domain: "security",
  category: "performance",
  priority: "P2",
  version: 3,
  rules,
  appliesTo: ({ path, language, role }) =>
    role === "source" && languages.has(ruleLanguageOf(language)) && !isUpkeep(path),
  mentions: mentionsRegex,
  inspect: (file, emit) => {
    if (file.tree === null) return undefined
    const uses = regexUses(file).slice(0, MAX_ANALYSED)
    const slow = uses.flatMap((use) => slowUse(file, use) ?? [])
    const onRequests = slow.filter(({ reach }) => reach.kind === "request")
    for (const { match } of oncePerPattern(onRequests)) emit({ ...match, ...confidenceOnRequest(file) })
    for (const use of uses) {
      const match = use.pattern === null ? injectedMatch(file, use) : null
      if (match !== null) emit(match)
    }
    const reported = new Set(onRequests.map(({ match }) => match.start))
    const inTables = ruleLanguageOf(file.language) === "javascript" ? slowTableEntries(file, uses) : []
    const others = oncePerPattern([...slow, ...inTables]).filter(({ match }) => !reported.has(match.start))
    return others.length === 0 ? undefined : others
  },
  finish: (summaries, project, emit) => {
    for (const { path, facts } of summaries) {
      const kind = packageOf(project, path)
      for (const { match, reach } of facts) {
        const confidence = confidenceIn(path, kind, match.rule, reach.isExported)
        if (confidence !== null) emit(path, { ...match, confidence })
      }
    }
  }
})

/** Uses in one file that are analysed; files with more do not occur in practice. */
const MAX_ANALYSED = 200

/** A pattern that is matched in several places is one finding, at the pattern; the use that strangers reach most directly counts. */
const oncePerPattern = (uses: ReadonlyArray<SlowUse>): ReadonlyArray<SlowUse> => {
  const byPattern = new Map<number, SlowUse>()
  for (const use of uses) {
    const known = byPattern.get(use.match.start)
    if (known === undefined || (use.reach.isExported && !known.reach.isExported)) byPattern.set(use.match.start, use)
  }
  return [...byPattern.values()]
}

/** Engines that give up after a number of steps, or remember where they failed, suffer from fewer patterns. */
const engines: Partial<Record<RuleLanguage, number>> = { php: 0.6, ruby: 0.65, java: 0.75 }

const confidenceOnRequest = (file: SourceFile): Pick<Match, "confidence"> => {
  const confidence = engines[ruleLanguageOf(file.language)]
  return confidence === undefined ? {} : { confidence }
}

/** A pattern of polynomial time that only the program's own code matches, or that was read too rarely: off by default. */
const UNLIKELY = 0.4

/**
 * How sure it is that strangers choose the text; null for nothing worth a report. Patterns of polynomial time were read in
 * packages of JavaScript that others install, and right where an exported function matches them on its own text.
 */
const confidenceIn = (path: string, kind: ReturnType<typeof packageOf>, rule: RuleId, isExported: boolean) => {
  const isExponential = rule === "exponential_regex"
  if (kind === "application" && !(isExponential && isExported)) return null
  const language = ruleLanguageOf(languageOf(path))
  const isSpared = engines[language] !== undefined
  if (isExponential) return isExported && !isSpared ? 0.6 : 0.55
  return isExported && kind === "library" && language === "javascript" ? 0.6 : UNLIKELY
}

const argumentParser = /\b(?:argparse|optparse|docopt|minimist|yargs|commander|process\.argv|sys\.argv)\b/
const server =
  /\b(?:express|fastify|koa|hapi|restify|createServer|flask|django|fastapi|aiohttp|tornado|bottle|starlette|pyramid|webob|next)\b/i

/** In a program of the command line, an object with that name holds what its user typed. */
const readsArguments = ({ text }: SourceFile): boolean => argumentParser.test(text) && !server.test(text)

const injectedMatch = (file: SourceFile, { node }: RegexUse): Match<RuleId> | null => {
  if (readsArguments(file)) return null
  const tree = file.tree!
  const text = tree.textOf(node)
  const isReached = carriedValues(file, node).some((part) => reachedBy(file, part)?.kind === "request")
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
