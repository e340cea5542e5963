import { baseName, directoryOf } from "../core/text/paths.ts"
import { isTitle } from "./commands/documentSections.ts"
import { at, quoted, quotedItem, type Rule } from "./Draft.ts"
import { clip } from "./Observed.ts"
import { isDecision, isInstructions, isStyleGuide } from "./observers/texts.ts"
import { type Survey } from "./Survey.ts"

const MAX_PER_DOCUMENT = 14
const MAX_TOTAL = 60
const MAX_DECISIONS = 25

/** A sentence that asks for something. */
const asks =
  /^(?:please\s+)?(?:always|never|do not|don['’]t|use|avoid|prefer|make sure|ensure|keep|write|add|run|follow|include|update|name|put|place|format|limit|provide|document|check|test|submit|create|sign|rebase|squash|consider|all |every |each |no |new |only )\b|\b(?:must(?: not)?|should(?: not)?|shall|never|always|do not|don['’]t|is required|are required|has to|have to|needs? to be|is forbidden|not allowed)\b/i
const isNoise =
  /https?:\/\/\S+\s*$|^\s*(?:\[.*\]\(.*\)|!\[)|thank|welcome|feel free|contact|email|e-mail|mailing list|code of conduct|we (?:love|appreciate|are happy)|licen[sc]e|copyright|sponsor|table of contents|issue tracker|bug report|stack ?overflow|security (?:issue|vulnerabilit)|\b(?:CLA|DCO|JIRA)\b|\bissues?\b|sign(?:ed)?[- ]off|web form|keep track of this|-->|<!--|false[- ]positive|sparingly|following (?:guidelines|steps)|these guidelines|this (?:style )?guide|^note that|placeholder|\bI have\b|^\[[ x]\]/i

const plainText = (line: string): string =>
  line
    .replace(/^\s*(?:[-*+]|\d+[.)]|>)\s+/, "")
    .replace(/^\[[ xX]\]\s+/, "")
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]{1,120})\]\([^)]{0,300}\)/g, "$1")
    .replace(/(?:https?:\/\/\S+)\[([^\]]{1,80})\]/g, "$1")
    .replace(/\*\*|__/g, "")
    .replace(/``?([^`]+)``?/g, "`$1`")

interface Statement {
  readonly text: string
  readonly line: number
}

/** What a section lists that has such a title is asked for, whatever its words. */
export const isOfRules = (title: string): boolean =>
  /\b(?:before (?:you|submitting|opening|asking|sending|a |your )|check-?list|rules|principles|guidelines|conventions|standards|ground rules|expectations|do['’]?s and don['’]?ts|what we (?:expect|look for))/i.test(
    title
  )

/** A title that begins the steps for one thing: what is asked for there holds for that. */
const isOfOneThing = /^(?:how to )?(?:add|creat|writ|implement)(?:e|ing)?\b/i

/** A paragraph or an item of a list. */
interface Block extends Statement {
  readonly isItem: boolean
  /** Of the section that it stands in. */
  readonly title: string
}

/** For each line the title of the section that it stands in. */
const titlesOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const [index, line] of lines.entries())
    found.push(isTitle(lines, index) ? plainText(line).replace(/^#+/, "").trim() : (found.at(-1) ?? ""))
  return found
}

/** Paragraphs and list items of a document, code left out, each with its first line. */
const blocksOf = (text: string): ReadonlyArray<Block> => {
  const found: Array<{ text: string; line: number; isItem: boolean; title: string }> = []
  const lines = text.split("\n")
  const titles = titlesOf(lines)
  let open: (typeof found)[number] | null = null
  let isCode = false
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:```|~~~|----$)/.test(line)) isCode = !isCode
    const isBreak = isCode || line.trim() === "" || /^\s*(?:#|=+\s|[|<:]|={3,}|-{3,}|```|~~~|\.\. |\[\w+\])/.test(line)
    const isItem = /^\s*(?:[-*+]|\d+[.)])\s+/.test(line)
    if (isBreak || isItem) open = null
    if (isBreak || (/^(?: {4,}|\t)/.test(line) && !isItem && open === null)) continue
    if (open === null) {
      open = { text: plainText(line).trim(), line: index + 1, isItem, title: titles[index]! }
      found.push(open)
    } else if (open.text.length < 600) open.text = `${open.text} ${plainText(line).trim()}`
  }
  return found
}

const sentencesOf = ({ text, line }: Statement): ReadonlyArray<Statement> =>
  text.split(/(?<=[.!])\s+(?=[A-Z`])/).map((sentence) => ({ text: sentence.trim(), line }))

/** Words of a command or a path are no noise: `npm run bench -- issues`. */
const isWhole = ({ text }: Statement): boolean =>
  text.length >= 20 && text.length <= 260 && !isNoise.test(text.replace(/`[^`]*`/g, "``")) && !/[:?]$/.test(text)

interface Demand extends Statement {
  /** What holds for all comes before what holds for one thing. */
  readonly rank: number
}

/** Sentences that ask for something; of a style guide, and of a list of rules, every item does, with its first sentence. */
const demandsOf = (path: string, text: string): ReadonlyArray<Demand> =>
  blocksOf(text)
    .flatMap((block) => {
      const isRule = isOfRules(block.title)
      const isDemand = block.isItem && (isStyleGuide(path) || isRule)
      const rank = isRule ? 0 : isOfOneThing.test(block.title) ? 2 : 1
      return sentencesOf(block)
        .filter((one, index) => isWhole(one) && (asks.test(one.text) || (isDemand && index === 0)))
        .map((one) => ({ ...one, rank }))
    })
    .sort((a, b) => a.rank - b.rank)

/** What the repository's own documents ask of those who change it, in their words. */
export const statedRules = (survey: Survey): ReadonlyArray<Rule> => {
  const rules: Array<Rule & { readonly rank: number }> = []
  for (const { path, text } of survey.files.flatMap(({ path, text, role }) =>
    text !== null && role !== "fixture" && isInstructions(path) ? [{ path, text }] : []
  )) {
    if (survey.file(path)?.role === "example" || /(?:^|\/)node_modules\//.test(path)) continue
    // What stands in a folder is about that folder; the root's, and documents about the whole, are about all of it.
    const folder = /^(?:AGENTS?|CLAUDE|GEMINI|\.cursorrules|CONVENTIONS)/i.test(baseName(path)) ? directoryOf(path) : ""
    for (const { text: sentence, line, rank } of demandsOf(path, text).slice(0, MAX_PER_DOCUMENT)) {
      if (rules.length >= MAX_TOTAL) break
      rules.push({
        rank,
        id: `stated:${path}:${line}:${rules.length}`,
        origin: "stated",
        scope: { folder },
        ...quotedItem(path, { text: sentence, line }, 260)
      })
    }
  }
  return rules.sort((a, b) => Math.max(a.rank, 1) - Math.max(b.rank, 1)).map(({ rank: _, ...rule }) => rule)
}

/** Decision records: title and state of each. */
export const decisionRules = (survey: Survey): ReadonlyArray<Rule> =>
  survey.files
    .flatMap(({ path, text }) =>
      text !== null && isDecision(path) && !/(?:template|readme|index)\.\w+$/i.test(path) ? [{ path, text }] : []
    )
    .slice(0, MAX_DECISIONS)
    .flatMap(({ path, text }) => {
      const lines = text.split("\n")
      const line = lines.findIndex((one) => /^#\s+\S/.test(one)) + 1
      const title = lines[line - 1]?.replace(/^#\s+(?:\d+[.:] +)?/, "").trim() ?? ""
      if (line === 0 || title.length < 6) return []
      const status = /^(?:#+\s*)?(?:\*\*)?status(?:\*\*)?:?\s*\n*\s*(\w+)/im.exec(text)?.[1]
      return [
        {
          id: `decision:${path}`,
          origin: "stated" as const,
          scope: { folder: "" },
          text: `Decision: ${quoted(clip(title, 160))}${status === undefined ? "" : `, ${clip(status, 30).toLowerCase()}`} (${at({ path, line })})`,
          cites: [{ path, line }]
        }
      ]
    })

const MAX_REASONS = 20

/** What comments of the sources ask for and say why: of each file the first, then the second. */
export const reasonRules = (survey: Survey): ReadonlyArray<Rule> =>
  survey.source
    .filter((file) => file.has("reasons"))
    .flatMap(({ path, reasons }) => reasons.map((reason, index) => ({ path, reason, index })))
    .sort((a, b) => a.index - b.index)
    .slice(0, MAX_REASONS)
    .map(({ path, reason: { line, text } }) => ({
      id: `reason:${path}:${line}`,
      origin: "stated" as const,
      scope: { folder: directoryOf(path) },
      text: `${quoted(text)} (${at({ path, line })})`,
      cites: [{ path, line }]
    }))
