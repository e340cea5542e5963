import { type AuditTool, findRule } from "../../engine/index.ts"
import type { ReviewDirectives } from "../../schema/Setting.ts"
import { MAX_COMMENTS } from "./comments.ts"

/** A line that means to direct reviews, and cannot: counted from 1, with what is allowed instead. */
export interface InstructionProblem {
  readonly line: number
  readonly message: string
}

export const inWords = ({ line, message }: InstructionProblem): string => `line ${line}: ${message}.`

export interface ReadInstructions {
  readonly directives: ReviewDirectives
  readonly problems: ReadonlyArray<InstructionProblem>
}

/** Whether a rule, a tool or all rules of a tool go by this name. */
export type KnowsRule = (name: string) => boolean

export const knownRules =
  (tools: ReadonlyArray<AuditTool>): KnowsRule =>
  (name) => {
    const [tool, rule, ...more] = name.split(".")
    const isAll = rule === undefined || rule === "*"
    return more.length === 0 && (isAll ? tools.some(({ id }) => id === tool) : findRule(tools, name) !== null)
  }

export const noDirectives: ReviewDirectives = {
  ignore_paths: [],
  ignore_rules: [],
  focus_rules: [],
  max_comments: null,
  text: ""
}

const maxItems = 100
const maxPattern = 200

const names = ["ignore paths", "ignore rules", "focus rules", "max comments"] as const
type Name = (typeof names)[number]

const listed = names.map((name) => `\`${name}:\``).join(", ")

/** What review instructions direct, line by line; all other lines are free text. */
export const readInstructions = (instructions: string, knowsRule: KnowsRule = () => true): ReadInstructions => {
  const problems: Array<InstructionProblem> = []
  const rest: Array<string> = []
  let directives = noDirectives
  for (const [index, written] of instructions.split(/\r?\n/).entries()) {
    const line = directiveIn(written)
    if (line === null) rest.push(written)
    else {
      const read = line.name === null ? unknown(line.keyword) : readValue(line.name, line.value, directives, knowsRule)
      if (typeof read === "string") problems.push({ line: index + 1, message: read })
      else directives = read
    }
  }
  return { directives: { ...directives, text: rest.join("\n").trim() }, problems }
}

/** The repository's instructions go before the workspace's: lists add up, and its ceiling is the one that counts. */
export const combined = (repository: ReviewDirectives, workspace: ReviewDirectives): ReviewDirectives => ({
  ignore_paths: [...new Set([...repository.ignore_paths, ...workspace.ignore_paths])],
  ignore_rules: [...new Set([...repository.ignore_rules, ...workspace.ignore_rules])],
  focus_rules: [...new Set([...repository.focus_rules, ...workspace.focus_rules])],
  max_comments: repository.max_comments ?? workspace.max_comments,
  text: [repository.text, workspace.text].filter((text) => text !== "").join("\n\n")
})

const directiveLine = /^\s*(?:[-*+]\s+)?`?([a-z]+[ _-][a-z]+)`?\s*:(.*)$/i

/** Null: free text. A name of null: almost the name of a directive. */
const directiveIn = (line: string) => {
  const [, keyword, value = ""] = directiveLine.exec(line) ?? []
  if (keyword === undefined) return null
  const word = keyword.toLowerCase().replace(/[_-]/, " ")
  const name = names.find((one) => one === word || one === `${word}s`)
  if (name !== undefined) return { name, keyword, value: value.trim() }
  return names.some((one) => distance(one, word) <= 2) ? { name: null, keyword, value } : null
}

const unknown = (keyword: string) =>
  `\`${keyword}:\` directs nothing; directives are ${listed}. Free text needs another wording`

const readValue = (
  name: Name,
  value: string,
  directives: ReviewDirectives,
  knowsRule: KnowsRule
): ReviewDirectives | string => {
  switch (name) {
    case "max comments": {
      if (directives.max_comments !== null) return "`max comments:` is given twice"
      const isCount = /^\d{1,2}$/.test(value) && Number(value) <= MAX_COMMENTS
      return isCount
        ? { ...directives, max_comments: Number(value) }
        : `\`max comments:\` takes a whole number from 0 to ${MAX_COMMENTS}`
    }
    case "ignore paths": {
      const items = itemsOf(value, /,/)
      const paths = [...new Set([...directives.ignore_paths, ...items])]
      return pathProblem(items, paths) ?? { ...directives, ignore_paths: paths }
    }
    default: {
      const field = name === "ignore rules" ? "ignore_rules" : "focus_rules"
      const items = itemsOf(value, /[\s,]+/)
      const rules = [...new Set([...directives[field], ...items])]
      return ruleProblem(name, items, rules, knowsRule) ?? { ...directives, [field]: rules }
    }
  }
}

/** Quotation marks and backquotes around an item are no part of it. */
const itemsOf = (value: string, separator: RegExp): ReadonlyArray<string> =>
  value
    .split(separator)
    .map((item) => item.trim().replace(/^([`"'])(.*)\1$/, "$2"))
    .filter((item) => item !== "")

const pathProblem = (items: ReadonlyArray<string>, all: ReadonlyArray<string>): string | null => {
  if (items.length === 0) return "`ignore paths:` needs patterns, such as `docs/, **/*.generated.ts`"
  if (all.length > maxItems) return `\`ignore paths:\` takes at most ${maxItems} patterns`
  const odd = items.find(
    (item) => item.startsWith("!") || item.length > maxPattern || /(?:^|\/)\.\.(?:\/|$)/.test(item)
  )
  return odd === undefined
    ? null
    : `\`${odd.slice(0, 40)}\` is no pattern; allowed are paths from the root of at most ${maxPattern} characters with \`*\`, \`?\` and \`**\``
}

const ruleProblem = (
  name: Name,
  items: ReadonlyArray<string>,
  all: ReadonlyArray<string>,
  knowsRule: KnowsRule
): string | null => {
  if (items.length === 0) return `\`${name}:\` needs rules, such as \`sql_injection\` or \`secret_detection.*\``
  if (all.length > maxItems) return `\`${name}:\` takes at most ${maxItems} rules`
  const odd = items.find((item) => !knowsRule(item))
  return odd === undefined
    ? null
    : `there is no rule \`${odd.slice(0, 80)}\`; allowed are \`tool.rule\`, \`tool\` and \`tool.*\` by the ids of observations`
}

/** How many letters differ (Levenshtein). */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (letter === b[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
