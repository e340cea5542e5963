import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Match } from "../../core/tool/AuditTool.ts"
import { type SlowRegex, slowRegex } from "../../languages/regex/slowRegex.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { isSplitUp } from "./bounds.ts"
import { isExported, isValueExported } from "./exported.ts"
import type { RegexUse } from "./RegexUse.ts"
import { type Reach, reachedBy } from "./reached.ts"
import type { RuleId } from "./rules.ts"

export interface SlowUse {
  readonly match: Match<RuleId>
  readonly reach: Reach
}

const shown = (text: string): string =>
  JSON.stringify(text.length > 24 ? `${text.slice(0, 24)}…` : text).replaceAll("`", "'")

const onOneLine = (text: string, length: number): string => {
  const flat = text.replace(/\s+/g, " ")
  return flat.length > length ? `${flat.slice(0, length)}…` : flat
}

const ruleFor = ({ growth }: SlowRegex, { kind }: Reach): RuleId => {
  if (kind === "request") return growth === "exponential" ? "exponential_regex_on_request" : "polynomial_regex"
  return growth === "exponential" ? "exponential_regex" : "polynomial_regex_in_library"
}

const powers: Record<number, string> = { 2: "square", 3: "third power" }

const growthOf = ({ growth, degree }: SlowRegex): string =>
  growth === "exponential"
    ? "doubles with every few characters"
    : `grows with the ${powers[degree] ?? "fourth power or more"} of its length`

const attackOf = (slow: SlowRegex): string => {
  const before = slow.prefix === "" ? "" : `${shown(slow.prefix)}, then `
  const after = slow.suffix === "" ? "" : ` and ${shown(slow.suffix)} at the end`
  return `${before}${shown(slow.pump)} many times${after}`
}

/** What holds wherever the pattern is matched. */
const matchAt = (file: SourceFile, node: number, slow: SlowRegex, where: string) => ({
  start: file.tree!.start(node),
  end: file.tree!.end(node),
  message: `The time this pattern takes ${growthOf(slow)} on a text such as ${attackOf(slow)}; ${where}.`,
  noun: onOneLine(file.tree!.textOf(node), 70).replaceAll("`", "'")
})

const matchOf = (file: SourceFile, use: RegexUse, slow: SlowRegex, reach: Reach): Match<RuleId> => {
  const tree = file.tree!
  const subject = onOneLine(tree.textOf(use.subject), 60).replaceAll("`", "'")
  const where = `it is matched on \`${subject}\`${reach.kind === "request" ? ", which comes from a request" : ""}`
  return {
    ...matchAt(file, use.node, slow, where),
    rule: ruleFor(slow, reach),
    source: reach.kind,
    steps: [{ start: tree.start(use.subject), end: tree.end(use.subject), note: "the text that is matched" }],
    checks: [
      { looked_for: "a limit on the length of the text before it is matched", found: false },
      { looked_for: "a text that the pattern takes out of proportion", found: true, detail: attackOf(slow) }
    ]
  }
}

/** A repetition without a bound, or with a high one. */
const mayBeSlow = /[*+]|,\}|\{\d+,\d{3,}\}/

/** A use that a stranger's text makes slow; null where the pattern is fast, or the text bounded. */
export const slowUse = (file: SourceFile, use: RegexUse): SlowUse | null => {
  if (use.pattern === null || !mayBeSlow.test(use.pattern)) return null
  const reach = reachedBy(file, use.subject)
  if (reach === null) return null
  const pattern = use.whole === true ? `(?:${use.pattern})\\z` : use.pattern
  const slow = slowRegex(pattern, use.flags, use.anchored)
  if (slow === null || isSplitUp(slow, reach.separators)) return null
  return { match: matchOf(file, use, slow, reach), reach }
}

/** A repetition of a group: without one there is nothing exponential. */
const repeatedGroup = /\)\s*[*+{]/

/** A function of the package that others call gives them the pattern. */
const isReturnedToCallers = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  const holder = tree.parent(node)
  const owner = tree.is(holder, "return_statement") ? tree.enclosing(holder, ...functionKinds) : holder
  const info = tree.is(owner, ...functionKinds) ? syntaxOf(file.language)!.functionAt(tree, owner) : null
  return info !== null && isExported(file, info)
}

const functionKinds = ["function_declaration", "function_expression", "arrow_function", "method_definition"]

/**
 * Patterns whose uses are not followed: those that a package hands to its users, who match texts with them, and of those
 * kept in lists and objects the ones that take exponential time.
 */
export const slowTableEntries = (file: SourceFile, uses: ReadonlyArray<RegexUse>): ReadonlyArray<SlowUse> => {
  const tree = file.tree!
  const used = new Set(uses.map(({ node }) => node))
  return [...tree.of("regex")].flatMap((node): ReadonlyArray<SlowUse> => {
    const literal = used.has(node) ? null : /^\/([\s\S]*)\/([a-z]*)$/.exec(tree.textOf(node))
    if (literal === null || !mayBeSlow.test(literal[1]!)) return []
    const isHandedOut = isValueExported(file, node) || isReturnedToCallers(file, node)
    if (!isHandedOut && !(repeatedGroup.test(literal[1]!) && isKept(file, node))) return []
    const slow = slowRegex(literal[1]!, literal[2]!)
    if (slow === null || (slow.growth !== "exponential" && !isHandedOut)) return []
    return [{ match: entryMatch(file, node, slow, isHandedOut), reach: { ...inTable, isExported: isHandedOut } }]
  })
}

const inTable: Reach = { kind: "parameter", isExported: false, separators: [] }

const entryMatch = (file: SourceFile, node: number, slow: SlowRegex, isHandedOut: boolean): Match<RuleId> => {
  const where = isHandedOut
    ? "users of the package get it, to match texts with"
    : "it is kept in a table, and what it is matched on was not followed"
  return { ...matchAt(file, node, slow, where), rule: ruleFor(slow, inTable), source: "parameter" }
}

const isKept = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  const holder = tree.parent(node)
  return tree.is(holder, "pair", "array", "return_statement")
}
