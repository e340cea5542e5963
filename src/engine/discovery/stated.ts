import { baseName, directoryOf } from "../core/text/paths.ts"
import { at, quoted, type Rule } from "./Draft.ts"
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

/** A paragraph or an item of a list. */
interface Block extends Statement {
  readonly isItem: boolean
}

/** Paragraphs and list items of a document, code left out, each with its first line. */
const blocksOf = (text: string): ReadonlyArray<Block> => {
  const found: Array<{ text: string; line: number; isItem: boolean }> = []
  let open: { text: string; line: number; isItem: boolean } | null = null
  let isCode = false
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\s*(?:```|~~~|----$)/.test(line)) isCode = !isCode
    const isBreak = isCode || line.trim() === "" || /^\s*(?:#|=+\s|[|<:]|={3,}|-{3,}|```|~~~|\.\. |\[\w+\])/.test(line)
    const isItem = /^\s*(?:[-*+]|\d+[.)])\s+/.test(line)
    if (isBreak || isItem) open = null
    if (isBreak || (/^(?: {4,}|\t)/.test(line) && !isItem && open === null)) continue
    if (open === null) {
      open = { text: plainText(line).trim(), line: index + 1, isItem }
      found.push(open)
    } else if (open.text.length < 600) open.text = `${open.text} ${plainText(line).trim()}`
  }
  return found
}

const sentencesOf = ({ text, line }: Statement): ReadonlyArray<Statement> =>
  text.split(/(?<=[.!])\s+(?=[A-Z`])/).map((sentence) => ({ text: sentence.trim(), line }))

const isWhole = ({ text }: Statement): boolean =>
  text.length >= 20 && text.length <= 260 && !isNoise.test(text) && !/[:?]$/.test(text)

/** Sentences that ask for something; of a style guide every item of a list does, with its first sentence. */
const demandsOf = (path: string, text: string): ReadonlyArray<Statement> =>
  blocksOf(text).flatMap((block) => {
    const isDemand = block.isItem && isStyleGuide(path)
    return sentencesOf(block).filter((one, index) => isWhole(one) && (asks.test(one.text) || (isDemand && index === 0)))
  })

/** What the repository's own documents ask of those who change it, in their words. */
export const statedRules = (survey: Survey): ReadonlyArray<Rule> => {
  const rules: Array<Rule> = []
  for (const { path, text } of survey.files.flatMap(({ path, text, role }) =>
    text !== null && role !== "fixture" && isInstructions(path) ? [{ path, text }] : []
  )) {
    if (survey.file(path)?.role === "example" || /(?:^|\/)node_modules\//.test(path)) continue
    // What stands in a folder is about that folder; the root's, and documents about the whole, are about all of it.
    const folder = /^(?:AGENTS?|CLAUDE|GEMINI|\.cursorrules|CONVENTIONS)/i.test(baseName(path)) ? directoryOf(path) : ""
    for (const { text: sentence, line } of demandsOf(path, text).slice(0, MAX_PER_DOCUMENT)) {
      if (rules.length >= MAX_TOTAL) return rules
      rules.push({
        id: `stated:${path}:${line}:${rules.length}`,
        origin: "stated",
        scope: { folder },
        text: `${quoted(clip(sentence, 260))} (${at({ path, line })})`,
        cites: [{ path, line }]
      })
    }
  }
  return rules
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
