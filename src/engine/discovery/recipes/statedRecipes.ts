import { endOfSection, isTitle, stepsOf } from "../commands/documentSections.ts"
import { at, type Guide, quoted } from "../Draft.ts"
import { clip } from "../Observed.ts"
import { isGuideForContributors } from "../observers/texts.ts"
import type { Survey } from "../Survey.ts"
import { inPart } from "./recipeParts.ts"

const MAX_GUIDES = 12
const MAX_STEPS = 10
const MIN_STEPS = 2

/** "Add a migration", "How to write a new plugin", "Adding another backend". */
const adds =
  /^(?:\d+[.)]\s*)?(?:(?:how|to|steps|for|guide)\s+)*(?:add|creat|writ|implement|mak|introduc)(?:e|ing)?\s+(?:an?|another|new|your(?:\s+own)?|the)\s+([\w /'`-]{3,60})$/i

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

/** The guide of the section that a line begins; null where it is no title of one, or says too little. */
const guideAt = ({ path, lines }: Document, index: number): Guide | null => {
  const title = isTitle(lines, index) ? titleOf(lines[index]!) : ""
  if (!adds.test(title) || isAside.test(title)) return null
  const steps = stepsOf(lines, index + 1, endOfSection(lines, index)).slice(0, MAX_STEPS)
  if (steps.length < MIN_STEPS) return null
  const items = steps.map(({ text, line }) => ({
    text: `${quoted(clip(text, 300))} (${at({ path, line })})`,
    cites: [{ path, line }]
  }))
  return {
    slug: slugOf(title),
    title,
    description: `As ${at({ path, line: index + 1 })} says.`,
    items: inPart("Steps", items)
  }
}

/** How something is added, in the words of the documents for contributors. */
export const statedRecipes = (survey: Survey): ReadonlyArray<Guide> => {
  const slugs = new Set<string>()
  return survey
    .texts(/\.(?:md|mdx|rst|adoc|txt)$/)
    .filter(({ path }) => isGuideForContributors(path))
    .flatMap(({ path, text }) => {
      const lines = text.split("\n")
      return lines.flatMap((_, index) => guideAt({ path, lines }, index) ?? [])
    })
    .filter(({ slug }) => !slugs.has(slug) && slugs.add(slug))
    .slice(0, MAX_GUIDES)
}
