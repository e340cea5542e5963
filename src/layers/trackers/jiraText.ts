import type { Block, ListItem } from "../../services/ports/TicketTracker.ts"

/** A part of a line: code, or text in which nothing is markup. */
interface Span {
  readonly text: string
  readonly isCode: boolean
}

const codeSpan = /(`{1,3})(?!`)([^`]+)\1(?!`)/g

/** The parts of Markdown that descriptions are made of: text and code. */
const spansOf = (line: string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let at = 0
  for (const match of line.matchAll(codeSpan)) {
    spans.push({ text: line.slice(at, match.index), isCode: false }, { text: match[2] ?? "", isCode: true })
    at = match.index + match[0].length
  }
  return [...spans, { text: line.slice(at), isCode: false }].filter(({ text }) => text !== "")
}

const plain = (text: string): string => text.replace(/(?![\n\t])\p{Cc}/gu, " ")

// Atlassian Document Format, in which Jira Cloud keeps texts: nothing in a text node is markup.

interface AdfNode {
  readonly type: string
  readonly [field: string]: unknown
}

const adfText = ({ text, isCode }: Span): AdfNode => ({
  type: "text",
  text,
  ...(isCode ? { marks: [{ type: "code" }] } : {})
})

const adfLines = (text: string): ReadonlyArray<AdfNode> =>
  plain(text)
    .split("\n")
    .flatMap((line, index) => [...(index === 0 ? [] : [{ type: "hardBreak" }]), ...spansOf(line).map(adfText)])

const adfValue = ({ value, form }: ListItem): ReadonlyArray<AdfNode> =>
  form === "link"
    ? [{ type: "text", text: value, marks: [{ type: "link", attrs: { href: value } }] }]
    : [adfText({ text: plain(value), isCode: form === "code" })]

const adfItem = (item: ListItem): AdfNode => ({
  type: "listItem",
  content: [{ type: "paragraph", content: [adfText({ text: `${item.label}: `, isCode: false }), ...adfValue(item)] }]
})

const adfBlock = (block: Block): AdfNode => {
  switch (block.kind) {
    case "paragraph":
      return { type: "paragraph", content: adfLines(block.text) }
    case "code":
      return { type: "codeBlock", content: [{ type: "text", text: plain(block.text) }] }
    case "list":
      return { type: "bulletList", content: block.items.map(adfItem) }
  }
}

export const adfOf = (blocks: ReadonlyArray<Block>) => ({ type: "doc", version: 1, content: blocks.map(adfBlock) })

// Wiki markup, in which Jira Data Center keeps them.

const escaped = (text: string): string => plain(text).replace(/[\\{}[\]*_?+^~|!#@-]/g, "\\$&")

const wikiValue = ({ value, form }: ListItem): string =>
  form === "link" ? `[${value}]` : form === "code" ? `{{${escaped(value)}}}` : escaped(value)

const wikiLine = (line: string): string =>
  spansOf(line)
    .map(({ text, isCode }) => (isCode ? `{{${escaped(text)}}}` : escaped(text)))
    .join("")

const wikiBlock = (block: Block): string => {
  switch (block.kind) {
    case "paragraph":
      return block.text.split("\n").map(wikiLine).join("\n")
    case "code":
      // Nothing ends the block but its own name.
      return `{noformat}\n${plain(block.text).replaceAll("{noformat}", "{ noformat }")}\n{noformat}`
    case "list":
      return block.items.map((item) => `* ${escaped(item.label)}: ${wikiValue(item)}`).join("\n")
  }
}

export const wikiOf = (blocks: ReadonlyArray<Block>): string => blocks.map(wikiBlock).join("\n\n")
