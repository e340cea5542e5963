import { at, type Guide, quotedItem } from "../Draft.ts"
import { paragraphsIn, sentenceEnd } from "../documented/paragraphs.ts"
import { isGuideForContributors } from "../observers/texts.ts"
import type { Survey } from "../Survey.ts"
import { isOfUsers, namesSources } from "./namedSources.ts"
import { inPart, namedAddition } from "./recipeParts.ts"

const MAX_QUOTED = 400
const MAX_SENTENCES = 3_000
const MAX_FOUND = 20

/** "A night page is a file placed in …". */
const isPlaced =
  /^(?:An?|Each|Every|New|All)\s((?:[a-z][\w-]{0,30}\s){0,2}[a-z][\w-]{0,30})\s(?:is|are)\s(?:just\s|simply\s)?(?:an?\s)?(?:[\w.`*-]{1,30}\s){0,3}(?:files?|modules?|scripts?|class|classes)\s(?:(?:that|which)\s(?:is\s|are\s)?)?(?:placed|put|located|stored|kept|saved|lies|lie)\s(?:in|into|under|below|inside)\s/

/** "To add a wagon, put a module into `wagons`". */
const isAdded =
  /^To\s(?:add|create|write|define|make|implement)\s(?:an?|another|new|your\sown)\s(?:new\s|custom\s)?((?:[a-z][\w-]{0,30}\s){0,2}[a-z][\w-]{0,30}),\s(?:just\s|simply\s|you\s)?(?:can\s)?(?:put|place|drop|add|create|save|write|copy|implement|define)\b/

const sentencesOf = (text: string) =>
  paragraphsIn(text.split("\n"))
    .flatMap(({ text: paragraph, line }) => {
      const around = paragraph.slice(0, 2 * MAX_QUOTED)
      return paragraph.split(sentenceEnd).map((sentence) => ({ sentence, line, around }))
    })
    .slice(0, MAX_SENTENCES)

/** Where documents say in one sentence in which folder a file of some kind lies, or is put, that is how another is added. */
export const placedFiles = (survey: Survey): ReadonlyArray<Guide> => {
  const documents = survey
    .texts(/\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)README$/)
    .filter(({ path }) => /^readme(?:\.\w+)?$/i.test(path) || isGuideForContributors(path))
  return documents.flatMap(({ path, text }) =>
    sentencesOf(text)
      .flatMap(({ sentence, line, around }) => {
        const noun = (isPlaced.exec(sentence) ?? isAdded.exec(sentence))?.[1]?.trim()
        return noun === undefined || isOfUsers.test(noun) ? [] : [{ noun, sentence, line, around }]
      })
      .slice(0, MAX_FOUND)
      .filter(({ sentence }) => namesSources(survey, sentence))
      .map(
        ({ noun, line, around }): Guide => ({
          ...namedAddition(noun),
          description: `As ${at({ path, line })} says.`,
          items: inPart("Steps", [quotedItem(path, { text: around, line }, MAX_QUOTED)])
        })
      )
  )
}
