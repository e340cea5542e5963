import { blockLines, endOfSection, isTitle, type List, listsIn, stepsOf } from "../commands/documentSections.ts"
import { at, type Guide, type Item, quotedItem } from "../Draft.ts"
import { MAX_PARAGRAPH, paragraphsIn, sentenceEnd } from "../documented/paragraphs.ts"
import { isGuideForContributors, isInstructions, isStyleGuide } from "../observers/texts.ts"
import type { Survey } from "../Survey.ts"
import { isOfRules } from "../stated.ts"
import { inPart } from "./recipeParts.ts"

const MAX_GUIDES = 12
const MAX_STEPS = 10
const MIN_STEPS = 2
const MIN_ITEMS = 3
const MAX_QUOTED = 500
const MAX_EXPLANATIONS = 8

/** "Add a migration", "How to write a new plugin", "Adding another backend". */
const adds =
  /^(?:\d+[.)]\s*)?(?:(?:how|to|steps|for|guide)\s+)*(?:add|creat|writ|implement|mak|introduc)(?:e|ing)?\s+(?:an?|another|new|your(?:\s+own)?|the)\s+([\w /'`-]{3,60})(?:, and [\w ]{3,40})?$/i

/** What is made for the repository, rather than in it. */
const isAside =
  /\b(?:pull request|issue|fork|account|branch|bug report|feature request|release|commit|patch|environment|virtualenv)s?\b/i

const titleOf = (line: string): string =>
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

interface Document {
  readonly path: string
  readonly lines: ReadonlyArray<string>
}

/** Where there is no list, a single paragraph is quoted sentence by sentence. */
const sentencesOf = (steps: ReadonlyArray<{ readonly text: string; readonly line: number }>) =>
  steps.length !== 1
    ? steps
    : steps[0]!.text.split(/(?<=[.!])\s+(?=[A-Z`])/).map((text) => ({ text, line: steps[0]!.line }))

const guideOf = (path: string, title: string, line: number, items: Guide["items"]): Guide => ({
  slug: slugOf(title),
  title,
  description: `As ${at({ path, line })} says.`,
  items
})

/** The guide of the section that a line begins; null where it is no title of one, or says too little. */
const guideAt = ({ path, lines }: Document, index: number): Guide | null => {
  const title = isTitle(lines, index) ? titleOf(lines[index]!) : ""
  if (!adds.test(title) || isAside.test(title)) return null
  const stated = stepsOf(lines, index + 1, endOfSection(lines, index))
  const steps = sentencesOf(stated).slice(0, MAX_STEPS)
  if (steps.length < MIN_STEPS) return null
  return guideOf(path, title, index + 1, [
    ...aroundList({ path, lines }, index),
    ...inPart(
      "Steps",
      steps.map((step) => quotedItem(path, step, MAX_QUOTED))
    )
  ])
}

const MAX_REMARKS = 5
/** A longer block is an example rather than what to enter. */
const MAX_ENTERED = 3

const remarksIn = ({ path, lines }: Document, from: number, to: number): ReadonlyArray<Item> =>
  paragraphsIn(lines, from, to)
    .slice(0, MAX_REMARKS)
    .map((paragraph) => quotedItem(path, paragraph, MAX_PARAGRAPH))

/** What is said before the sentence that announces a list, with that sentence where `whole`. */
const beforeList = ({ path }: Document, { at: line, lead }: List, whole: boolean): ReadonlyArray<Item> => {
  const sentences = lead.split(sentenceEnd)
  if (sentences.length < 2 || !lead.endsWith(":")) return []
  const text = whole ? lead : sentences.slice(0, -1).join(" ")
  return [quotedItem(path, { text, line: line + 1 }, MAX_PARAGRAPH)]
}

/** What a section says before and after its list; what comes with a second list is said of that. */
const aroundList = (document: Document, title: number): ReadonlyArray<Item> => {
  const { path, lines } = document
  const end = endOfSection(lines, title)
  const [first, second] = listsIn(lines, title + 1, end)
  if (first === undefined) return []
  const entered = blockLines(lines.slice(title + 1, first.from), title + 1)
  return [
    ...(entered.length > MAX_ENTERED ? [] : entered.map((line) => quotedItem(path, line, MAX_QUOTED))),
    ...beforeList(document, first, true),
    ...remarksIn(document, title + 1, second?.at ?? end)
  ]
}

/** How something is added, in the words of the documents for contributors. */
const additions = (document: Document): ReadonlyArray<Guide> =>
  document.lines.flatMap((_, index) => guideAt(document, index) ?? [])

/** What is said by commands, or to those who only ask, report or thank. */
const isOther =
  /\b(?:install\w*|set ?up|build\w*|compil\w+|releas\w+|deploy\w*|download\w*|bugs?|reporting|questions?|help|contacts?|communit\w+|licen[cs]e\w*|security|conduct|contents|support|donat\w+|sponsors?|thanks|credits|acknowledg\w+|authors|maintainers|links|resources|requirements|prerequisites|dependencies|environment|good first)\b/i

const isProse = (text: string): boolean =>
  text.length >= 30 &&
  (text.match(/\s\w/g)?.length ?? 0) >= 4 &&
  !/^\[[^\]]*\]\(|^https?:|https?:\/\/\S+$|^`[^`]*`$/.test(text)

/** The sentence that a list follows, as its title. */
const titleOfLead = (lead: string): string => {
  const last = lead.split(sentenceEnd).at(-1) ?? ""
  return /:$/.test(last) && last.length <= 100 && !/`/.test(last) ? titleOf(last) : ""
}

/** The first list of a section has the section's title, another one that of its lead; empty where it has none. */
const titleOfList = (heading: string, { lead }: List, isFirst: boolean): string => {
  const own = titleOfLead(lead)
  return isFirst && own === "" && !adds.test(heading) ? heading : own
}

const isExplanation = (title: string, steps: ReturnType<typeof stepsOf>): boolean =>
  steps.length >= MIN_ITEMS &&
  3 * steps.filter(({ text }) => isProse(text)).length >= 2 * steps.length &&
  title !== "" &&
  !isOther.test(title) &&
  !isAside.test(title)

/** The lists below a heading, each with what is said around it. */
const listsBelow = (document: Document, index: number, next: number): ReadonlyArray<Guide> => {
  const { path, lines } = document
  const heading = titleOf(lines[index]!)
  const lists = listsIn(lines, index + 1, next)
  return lists.flatMap((list, i): ReadonlyArray<Guide> => {
    const title = titleOfList(heading, list, i === 0)
    const steps = stepsOf(lines, list.from, list.to)
    if ((adds.test(heading) && i === 0) || !isExplanation(title, steps)) return []
    const items = steps.slice(0, MAX_STEPS).map((step) => quotedItem(path, step, MAX_QUOTED))
    const isNumbered = /^\s*\d/.test(lines[list.from]!)
    return [
      guideOf(path, title, title === heading ? index + 1 : list.at + 1, [
        ...beforeList(document, list, title === heading),
        ...remarksIn(document, list.to, lists[i + 1]?.at ?? next),
        ...(isNumbered ? inPart("Steps", items) : items)
      ])
    ]
  })
}

/** What else documents for contributors say in lists: the path of a request, how tests stay cheap. Rules are principles. */
const explanations = (document: Document): ReadonlyArray<Guide> => {
  if (!isInstructions(document.path) || isStyleGuide(document.path)) return []
  const titles = document.lines.flatMap((_, index) => (isTitle(document.lines, index) ? [index] : []))
  return titles.flatMap((index, i) =>
    isOfRules(titleOf(document.lines[index]!))
      ? []
      : listsBelow(document, index, titles[i + 1] ?? document.lines.length)
  )
}

interface Stated {
  /** How something is added: what a change is checked with belongs to it. */
  readonly additions: ReadonlyArray<Guide>
  readonly explanations: ReadonlyArray<Guide>
}

/** Guides that documents for contributors state: how something is added, and what else they explain step by step. */
export const statedRecipes = (survey: Survey): Stated => {
  const slugs = new Set<string>()
  const documents = survey
    .texts(/\.(?:md|mdx|rst|adoc|txt)$/)
    .filter(({ path }) => isGuideForContributors(path))
    .map(({ path, text }): Document => ({ path, lines: text.split("\n") }))
  const distinct = (guides: ReadonlyArray<Guide>) => guides.filter(({ slug }) => !slugs.has(slug) && slugs.add(slug))
  return {
    additions: distinct(documents.flatMap(additions)).slice(0, MAX_GUIDES),
    explanations: distinct(documents.flatMap(explanations)).slice(0, MAX_EXPLANATIONS)
  }
}
