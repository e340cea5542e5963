import type { Block, ListItem, Mark } from "../../services/ports/TicketTracker.ts"
import { neutral } from "../../services/reviews/comments.ts"

/** Blocks as Markdown in which names from the audited code notify no one, load nothing and end no block. */
export const markdownOf = (blocks: ReadonlyArray<Block>): string => blocks.map(blockText).join("\n\n")

const blockText = (block: Block): string => {
  switch (block.kind) {
    case "paragraph":
      return neutral(block.text)
    case "code":
      return fenced(block.text)
    case "list":
      return block.items.map((item) => `- ${item.label}: ${valueText(item)}`).join("\n")
  }
}

const valueText = ({ value, form }: ListItem): string =>
  form === "code" ? codeSpan(value) : form === "link" ? `<${value}>` : neutral(oneLine(value))

/** Longer than any run of backticks inside. */
const fenceFor = (text: string, least: number): string =>
  "`".repeat(Math.max(least - 1, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1)

const fenced = (text: string): string => {
  const fence = fenceFor(text, 3)
  return `${fence}\n${text}\n${fence}`
}

const codeSpan = (text: string): string => {
  const plain = oneLine(text)
  const fence = fenceFor(plain, 1)
  return fence.length === 1 ? `${fence}${plain}${fence}` : `${fence} ${plain} ${fence}`
}

const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, " ")

/** One line of letters, digits and punctuation that no markup changes. */
export const markLine = (kind: "observation" | "comment", { about, id }: Mark): string =>
  `assay-${kind}: ${about} ${id.replaceAll("-", "")}`

export const hiddenMark = (kind: "observation" | "comment", mark: Mark): string => `<!-- ${markLine(kind, mark)} -->`

/** A text quoted from somewhere may hold a mark, too: ours is the last line. */
export const endsWithMark = (text: string, mark: string): boolean => text.trimEnd().split(/\r?\n/).at(-1) === mark
