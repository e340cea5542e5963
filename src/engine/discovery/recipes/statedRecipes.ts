import { isTitle, type List, listsIn, stepsOf } from "../commands/documentSections.ts"
import { type Guide, quotedItem } from "../Draft.ts"
import { sentenceEnd } from "../documented/paragraphs.ts"
import { isInstructions, isStyleGuide } from "../observers/texts.ts"
import type { Survey } from "../Survey.ts"
import { isOfRules } from "../stated.ts"
import { inPart } from "./recipeParts.ts"
import {
  beforeList,
  guideOf,
  isAside,
  MAX_QUOTED,
  MAX_STEPS,
  remarksIn,
  type StatedDocument,
  statedDocuments,
  titleOf
} from "./StatedDocument.ts"
import { adds, statedAdditions } from "./statedAdditions.ts"

const MAX_GUIDES = 12
const MIN_ITEMS = 3
const MAX_EXPLANATIONS = 8

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
const listsBelow = (document: StatedDocument, index: number, next: number): ReadonlyArray<Guide> => {
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
const explanations = (document: StatedDocument): ReadonlyArray<Guide> => {
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

/** Guides that documents for contributors and the readme state: how something is added, and what else the former explain step by step. */
export const statedRecipes = (survey: Survey): Stated => {
  const slugs = new Set<string>()
  const documents = statedDocuments(survey)
  const distinct = (guides: ReadonlyArray<Guide>) => guides.filter(({ slug }) => !slugs.has(slug) && slugs.add(slug))
  return {
    additions: distinct(documents.flatMap((document) => statedAdditions(survey, document))).slice(0, MAX_GUIDES),
    explanations: distinct(documents.flatMap(explanations)).slice(0, MAX_EXPLANATIONS)
  }
}
