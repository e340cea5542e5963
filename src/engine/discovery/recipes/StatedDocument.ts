import type { List } from "../commands/documentSections.ts"
import { at, type Guide, type Item, quotedItem } from "../Draft.ts"
import { MAX_PARAGRAPH, paragraphsIn, sentenceEnd } from "../documented/paragraphs.ts"
import { isGuideForContributors, isReadme } from "../observers/texts.ts"
import type { Survey } from "../Survey.ts"

/** So many steps of a guide are quoted. */
export const MAX_STEPS = 10
/** So much of a step is quoted. */
export const MAX_QUOTED = 500

/** A document that may say how something is done in this repository, its titles marked as those of Markdown or by a line below. */
export interface StatedDocument {
  readonly path: string
  readonly lines: ReadonlyArray<string>
  readonly isForContributors: boolean
}

const isMarked = /^#{1,6}\s+\S|^(?:={4,}|-{4,}|~{4,})\s*$/

/** "HOW TO ADD A HANDLER". */
const inCapitals = /^(?:\d{1,2}[.)]\s+)?[A-Z][A-Z'-]+(?:\s[A-Z\d'/-]+){1,9}:?$/

/** Where no title is marked, a line of its own in capitals is one. */
const withMarkedTitles = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.some((line) => isMarked.test(line))
    ? lines
    : lines.map((line, index) => {
        const isAlone = (lines[index - 1] ?? "").trim() === "" && inCapitals.test(line.trimEnd())
        return isAlone ? `# ${line[0]}${line.slice(1).toLowerCase()}` : line
      })

/** Documents for contributors and the readme at the root, as far as they were read as a whole. */
export const statedDocuments = (survey: Survey): ReadonlyArray<StatedDocument> =>
  survey.texts(/\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)[A-Z]+$/).flatMap(({ path, text }): Array<StatedDocument> => {
    const isForContributors = isGuideForContributors(path)
    if (!isForContributors && !(isReadme(path) && !path.includes("/"))) return []
    return [{ path, lines: withMarkedTitles(text.split("\n")), isForContributors }]
  })

/** What is made for the repository, rather than in it. */
export const isAside =
  /\b(?:pull request|issue|fork|account|branch|bug report|feature request|release|commit|patch|environment|virtualenv)s?\b/i

export const titleOf = (line: string): string =>
  line
    .replace(/^#+\s*/, "")
    .replace(/[`:]/g, "")
    .trim()

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/^(?:how\s+)?to\s+/, "")
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "")

export const guideOf = (path: string, title: string, line: number, items: Guide["items"]): Guide => ({
  slug: slugOf(title),
  title,
  description: `As ${at({ path, line })} says.`,
  items
})

const MAX_REMARKS = 5

export const remarksIn = ({ path, lines }: StatedDocument, from: number, to: number): ReadonlyArray<Item> =>
  paragraphsIn(lines, from, to)
    .slice(0, MAX_REMARKS)
    .map((paragraph) => quotedItem(path, paragraph, MAX_PARAGRAPH))

/** What is said before the sentence that announces a list, with that sentence where `whole`. */
export const beforeList = ({ path }: StatedDocument, { at: line, lead }: List, whole: boolean): ReadonlyArray<Item> => {
  const sentences = lead.split(sentenceEnd)
  if (sentences.length < 2 || !lead.endsWith(":")) return []
  const text = whole ? lead : sentences.slice(0, -1).join(" ")
  return [quotedItem(path, { text, line: line + 1 }, MAX_PARAGRAPH)]
}
