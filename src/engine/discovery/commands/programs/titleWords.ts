import { isReadme } from "../../observers/texts.ts"
import type { Survey } from "../../Survey.ts"

const MAX_LINES = 12
const MAX_TITLE = 400

/** Words of a title that many repositories have. */
const isCommon =
  /^(?:the|an?|and|for|of|to|in|with|by|readme|read|me|main|test|tests|server|client|tool|tools|utils?|program|library|project|version|build|install|src|lib|file)$/

/** What a version control of old fills in at the top of a file: `$Id: README,v 1.3 $`. */
const isKeyword = /^\$[A-Za-z]+: .*\$$/

/** Words of the first line of the readme, in small letters: what has one of them for its name is the product. */
export const titleWords = (survey: Survey): ReadonlySet<string> => {
  const readme = survey.texts(/^readme/i).find(({ path }) => isReadme(path))
  const title = (readme?.text.split("\n").slice(0, MAX_LINES) ?? [])
    .map((line) =>
      line
        .slice(0, MAX_TITLE)
        .replace(/<[^<>]*>|!?\[[^\]]*\]\([^)]*\)|[=~^#*_`[\]()]/g, " ")
        .trim()
    )
    .find((line) => /[A-Za-z]{2}/.test(line) && !isKeyword.test(line))
  const words = (title ?? "")
    .slice(0, 120)
    .toLowerCase()
    .split(/[\s:,;–—]+/)
  return new Set(words.filter((word) => /^[a-z][\w.+-]+$/.test(word) && !isCommon.test(word)))
}
