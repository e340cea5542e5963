import { fence } from "../commands/documentSections.ts"
import { Headings } from "../commands/headings.ts"
import { type Item, quotedItem } from "../Draft.ts"
import { isGuideForContributors } from "../observers/texts.ts"
import type { Survey } from "../Survey.ts"
import { documentsOf } from "./Description.ts"

export interface Paragraph {
  readonly text: string
  /** From 1. */
  readonly line: number
  /** Titles of the sections around it, the outermost first. */
  readonly headings: ReadonlyArray<string>
}

/** So much of a paragraph is quoted. */
export const MAX_PARAGRAPH = 700
const MIN_WORDS = 6

/** Where a sentence of a paragraph ends and the next one begins. */
export const sentenceEnd = /(?<=[.!?])\s+(?=[A-Z`])/

const beginsProse = /^[A-Z`*"“]/
/** Badges, markup, rows of tables and what announces the list or the block below it. */
const isNoProse = /^\s*(?:!?\[[^\]]*\]\([^)]*\)|<|\||\*\s|\.\. )|:$|\|\s*$/

/** Paragraphs of prose at the margin: outside of lists, tables and blocks of code. */
export const paragraphsIn = (lines: ReadonlyArray<string>, from = 0, to = lines.length): ReadonlyArray<Paragraph> => {
  const headings = new Headings()
  const found: Array<{ text: string; line: number; headings: ReadonlyArray<string> }> = []
  let isInside = false
  let isOpen = false
  for (let index = from; index < to; index++) {
    const line = lines[index]!
    if (fence.test(line)) isInside = !isInside
    const isTitle = !isInside && headings.read(line, lines[index + 1] ?? "")
    const isFirst = !isOpen && beginsProse.test(line) && (index === from || lines[index - 1]!.trim() === "")
    if (isInside || isTitle || line.trim() === "" || fence.test(line)) isOpen = false
    else if (isFirst) {
      found.push({ text: line.trim(), line: index + 1, headings: headings.all })
      isOpen = true
    } else if (isOpen) found.at(-1)!.text += ` ${line.trim()}`
  }
  return found.filter(({ text }) => !isNoProse.test(text) && text.split(/\s+/).length >= MIN_WORDS)
}

const MAX_PARAGRAPHS = 6
const aboutWork = /\btest|develop|contribut|build|hack|first|getting started/i

/** A guide of its own quotes these. */
const ofAddition = /^(?:how to )?add(?:ing)?\b/i
const ofTests = /\btests?\b/i
const ofStructure =
  /\b(?:architecture|structure|layout|pictures?|overview|internals?|organi[sz]ation|design|how .{2,20} works)\b/i

/** What guides for contributors say of tests in prose, and the readme where it speaks of work on the code. */
export const testParagraphs = (survey: Survey): ReadonlyArray<Item> =>
  paragraphsOf(survey, ({ text, headings }, path) => {
    const isWork = isGuideForContributors(path) || headings.some((title) => aboutWork.test(title))
    if (headings.some((title) => ofAddition.test(title))) return false
    return isWork && ofTests.test(text) && /\b(?:run|runs|start|starts|need|needs|take|takes|write|add)\b/i.test(text)
  })

/** What documents say of how the code is put together, under a heading that says so. */
export const structureParagraphs = (survey: Survey): ReadonlyArray<Item> =>
  paragraphsOf(survey, ({ headings }) => ofStructure.test(headings.at(-1) ?? ""))

const paragraphsOf = (survey: Survey, isAbout: (paragraph: Paragraph, path: string) => boolean): ReadonlyArray<Item> =>
  documentsOf(survey)
    .flatMap(({ path, text }) =>
      paragraphsIn(text.split("\n"))
        .filter((paragraph) => isAbout(paragraph, path))
        .map((paragraph) => quotedItem(path, paragraph, MAX_PARAGRAPH))
    )
    .slice(0, MAX_PARAGRAPHS)
