import { Effect } from "effect"
import { LinearPattern } from "../../../engine/index.ts"
import type { BranchVerdict, ChangeFacts } from "../ChangeFacts.ts"
import { globMatcher } from "./glob.ts"
import { MAX_EVIDENCE, type Spot, spotAt, verdictsOn } from "./verdict.ts"
import { counted, named } from "./wording.ts"

const matching = (facts: ChangeFacts, glob: string): ReadonlyArray<string> =>
  [...facts.paths.head].filter(globMatcher(glob)).sort()

const spotOf = (path: string): Spot => spotAt("head", path, 1)

/** Whether the head has a file of this path. */
export const filePresent = (facts: ChangeFacts, glob: string): BranchVerdict => {
  const { met, notMet } = verdictsOn(facts)
  const paths = matching(facts, glob)
  if (paths.length === 0)
    return notMet(`None of the ${counted(facts.paths.head.size, "file")} at the head matches \`${glob}\`.`)
  return met(
    `${counted(paths.length, "file")} at the head ${paths.length === 1 ? "matches" : "match"} \`${glob}\`: ${named(paths)}.`,
    paths.map(spotOf)
  )
}

/** Whether the head has no file of this path. */
export const fileAbsent = (facts: ChangeFacts, glob: string): BranchVerdict => {
  const { met, notMet } = verdictsOn(facts)
  const present = filePresent(facts, glob)
  return present.verdict === "met" ? notMet(present.reason, matching(facts, glob).map(spotOf)) : met(present.reason)
}

/** Files whose texts are in memory at once. */
const BATCH = 200

/** No line of these is a line of text. */
const notText =
  /\.(?:png|jpe?g|gif|ico|webp|avif|bmp|tiff?|psd|pdf|woff2?|ttf|otf|eot|mp[34]|m4a|mov|avi|webm|ogg|wav|flac|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|so|dll|dylib|exe|o|a|lib|wasm|pyc|sqlite3?|db|bin|dat|keystore|jks|p12|pfx)$/i

/** What a search has found so far. */
class Search {
  readonly spots: Array<Spot> = []
  /** Files that have no text, or one that is too large. */
  readonly unread: Array<string> = []
  /** Files with a line that matches. */
  matched = 0
  private readonly pattern: LinearPattern

  constructor(pattern: LinearPattern) {
    this.pattern = pattern
  }

  add(path: string, text: string | undefined): void {
    if (text === undefined) {
      if (!notText.test(path)) this.unread.push(path)
      return
    }
    const room = MAX_EVIDENCE - this.spots.length
    const lines = this.pattern.lines(text, Math.max(1, room))
    if (lines.length > 0) this.matched++
    this.spots.push(...lines.slice(0, room).map((line) => spotAt("head", path, line)))
  }
}

const search = Effect.fnUntraced(function* (facts: ChangeFacts, paths: ReadonlyArray<string>, pattern: LinearPattern) {
  const found = new Search(pattern)
  for (let at = 0; at < paths.length; at += BATCH) {
    const batch = paths.slice(at, at + BATCH)
    const texts = yield* facts.read("head", batch)
    for (const path of batch) {
      found.add(path, texts.get(path))
      // Others share the thread.
      yield* Effect.yieldNow()
    }
  }
  return found
})

export interface TextQuestion {
  readonly glob: string
  readonly pattern: string
}

const questionOf = ({ glob, pattern }: TextQuestion) => `\`${pattern}\` in \`${glob}\``

/** Whether a file of this path has a line that matches. */
export const textPresent = (facts: ChangeFacts, question: TextQuestion) => searched(facts, question, true)

/** Whether no file of this path has a line that matches. */
export const textAbsent = (facts: ChangeFacts, question: TextQuestion) => searched(facts, question, false)

const searched = Effect.fnUntraced(function* (facts: ChangeFacts, question: TextQuestion, isWelcome: boolean) {
  const { met, notMet, undecided, notApplicable } = verdictsOn(facts)
  const pattern = LinearPattern.of(question.pattern)
  if (!(pattern instanceof LinearPattern)) {
    return undecided(`The pattern \`${question.pattern}\` cannot be used: ${pattern.problem}.`)
  }
  const paths = matching(facts, question.glob)
  const found = yield* search(facts, paths, pattern)
  if (found.matched > 0) {
    const reason = `${counted(found.matched, "file")} of ${paths.length.toLocaleString("en")} with ${questionOf(question)}: ${named([...new Set(found.spots.map(({ path }) => path))])}.`
    return isWelcome ? met(reason, found.spots) : notMet(reason, found.spots)
  }
  if (paths.length === 0) return notApplicable(`No file at the head matches \`${question.glob}\`.`)
  if (found.unread.length > 0) {
    return undecided(
      `No line matches ${questionOf(question)}, but ${counted(found.unread.length, "file")} could not be read as text (${named(found.unread)}).`,
      found.unread.map(spotOf)
    )
  }
  const reason = `No line of the ${counted(paths.length, "file")} matches ${questionOf(question)}.`
  return isWelcome ? notMet(reason) : met(reason)
})
