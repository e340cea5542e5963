import { blockLines, endOfSection, isTitle, type List, listsIn, stepsOf } from "../commands/documentSections.ts"
import { type Guide, type Item, quotedItem } from "../Draft.ts"
import { sentenceEnd } from "../documented/paragraphs.ts"
import type { Survey } from "../Survey.ts"
import { isOfUsers, namesSources } from "./namedSources.ts"
import { inPart, namedAddition } from "./recipeParts.ts"
import {
  beforeList,
  guideOf,
  isAside,
  MAX_QUOTED,
  MAX_STEPS,
  remarksIn,
  type StatedDocument,
  titleOf
} from "./StatedDocument.ts"

const MIN_STEPS = 2

/** "Add a migration", "How to write a new plugin", "Adding another backend". */
export const adds =
  /^(?:\d+[.)]\s*)?(?:(?:how|to|steps|for|guide)\s+)*(?:add|creat|writ|implement|mak|introduc)(?:e|ing)?\s+(?:an?|another|new|your(?:\s+own)?|the)\s+([\w /'`-]{3,60})(?:, and [\w ]{3,40})?$/i

/** "Adding a new carriage is easy", "To add a carriage, follow these steps". */
const addsInProse =
  /^(?:(?:if|when)\s(?:you\s)?(?:want|wish|would\slike)\sto|in\sorder\sto|to)?\s?(?:add|creat|writ|implement|support)(?:e|ing)?\s(?:an?|another|new|your\sown)\s(?:new\s|custom\s)?((?:[\w-]{1,30}\s){0,3}[\w-]{1,30}?)(?:,|:|\s(?:is|are|requires?|needs?|takes?|involves?|works?|you\s(?:have|need|must|should))\b)/i

type Steps = ReturnType<typeof stepsOf>

interface Section {
  readonly guide: Guide
  /** Lines of the document from 0, the last one left out. */
  readonly from: number
  readonly to: number
}

/** Lists that begin in none of the sections; both are in the order of their lines. */
const outside = (sections: ReadonlyArray<Section>, lists: ReadonlyArray<List>): ReadonlyArray<List> => {
  let next = 0
  let end = 0
  return lists.filter((list) => {
    for (; next < sections.length && sections[next]!.from <= list.from; next++) end = Math.max(end, sections[next]!.to)
    return list.from >= end
  })
}

/** Where there is no list, a single paragraph is quoted sentence by sentence. */
const sentencesOf = (steps: Steps): Steps =>
  steps.length !== 1
    ? steps
    : steps[0]!.text.split(/(?<=[.!])\s+(?=[A-Z`])/).map((text) => ({ text, line: steps[0]!.line }))

/** A longer block is an example rather than what to enter. */
const MAX_ENTERED = 3

/** What a section says before and after its list; what comes with a second list is said of that. */
const aroundList = (document: StatedDocument, title: number): ReadonlyArray<Item> => {
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

/** How something is added, in the words of the documents for contributors and of the readme. */
class Additions {
  private readonly survey: Survey
  private readonly document: StatedDocument

  constructor(survey: Survey, document: StatedDocument) {
    this.survey = survey
    this.document = document
  }

  all(): ReadonlyArray<Guide> {
    const { lines } = this.document
    const sections = lines.flatMap((_, index) => this.section(index) ?? [])
    const lists = outside(sections, listsIn(lines, 0, lines.length)).flatMap((list) => this.list(list) ?? [])
    return [...sections.map(({ guide }) => guide), ...lists]
  }

  /** A readme is for those who use the program as well: what is added to its sources names one of them. */
  private isOfRepository(noun: string, steps: Steps): boolean {
    if (this.document.isForContributors) return !isAside.test(noun)
    return !isOfUsers.test(noun) && steps.some(({ text }) => namesSources(this.survey, text))
  }

  private quoted(steps: Steps): Guide["items"] {
    return inPart(
      "Steps",
      steps.map((step) => quotedItem(this.document.path, step, MAX_QUOTED))
    )
  }

  /** The section that a line begins; null where it is no title of one, or says too little. */
  private section(index: number): Section | null {
    const { lines, path } = this.document
    const title = isTitle(lines, index) ? titleOf(lines[index]!) : ""
    if (!adds.test(title)) return null
    const to = endOfSection(lines, index)
    const steps = sentencesOf(stepsOf(lines, index + 1, to)).slice(0, MAX_STEPS)
    if (steps.length < MIN_STEPS || !this.isOfRepository(title, steps)) return null
    const guide = guideOf(path, title, index + 1, [...aroundList(this.document, index), ...this.quoted(steps)])
    return { guide, from: index, to }
  }

  /** A list of steps that a paragraph leads to, in which a sentence says what they add. */
  private list(list: List): Guide | null {
    const { lines, path } = this.document
    if (!/^\s*\d/.test(lines[list.from]!)) return null
    const noun = list.lead.split(sentenceEnd).flatMap((sentence) => addsInProse.exec(sentence)?.[1] ?? [])[0]
    if (noun === undefined) return null
    const steps = stepsOf(lines, list.from, list.to).slice(0, MAX_STEPS)
    if (steps.length < MIN_STEPS || !this.isOfRepository(noun, steps)) return null
    const items = [...beforeList(this.document, list, true), ...this.quoted(steps)]
    return guideOf(path, namedAddition(noun).title, list.at + 1, items)
  }
}

export const statedAdditions = (survey: Survey, document: StatedDocument): ReadonlyArray<Guide> =>
  new Additions(survey, document).all()
