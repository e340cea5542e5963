import { at, type Item, quoted } from "../Draft.ts"
import { paragraphsIn, sentenceEnd } from "../documented/paragraphs.ts"
import { clip } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { singular } from "./Noun.ts"

const MAX_SAYING = 200
const MIN_WORDS = 5
const MAX_SENTENCES = 400
/** Verbs by which a sentence says what its subject is. */
const defines =
  /^(?:is|are|has|have|holds?|contains?|consists?|represents?|describes?|defines?|belongs?|stores?|keeps?|groups?|refers?)$/

interface Sentence {
  readonly words: ReadonlyArray<string>
  readonly text: string
  readonly line: number
}

const sentencesOf = (text: string): ReadonlyArray<Sentence> =>
  paragraphsIn(text.split("\n"))
    .flatMap((paragraph) =>
      paragraph.text.split(sentenceEnd).map((sentence) => ({
        words: sentence.toLowerCase().match(/[a-z]+/g) ?? [],
        text: sentence,
        line: paragraph.line
      }))
    )
    .filter(({ words }) => words.length >= MIN_WORDS)
    .slice(0, MAX_SENTENCES)

/** "A wagon is …", "Each open wagon has …": the noun is the subject, after an article and one word at most. */
const isAbout = ({ words }: Sentence, key: ReadonlyArray<string>): boolean =>
  [0, 1, 2].some(
    (from) =>
      key.every((word, i) => singular(words[from + i] ?? "") === word) && defines.test(words[from + key.length] ?? "")
  )

/** What the readme says that each noun is. */
export const sayingsOf = (survey: Survey): ((key: string) => Item | null) => {
  const { readme } = survey
  const sentences = readme === undefined ? [] : sentencesOf(readme.text)
  return (key) => {
    const found = sentences.find((sentence) => isAbout(sentence, key.split(" ")))
    if (found === undefined || readme === undefined) return null
    const place = { path: readme.path, line: found.line }
    return { text: `The readme says: ${quoted(clip(found.text, MAX_SAYING))} (${at(place)}).`, cites: [place] }
  }
}
