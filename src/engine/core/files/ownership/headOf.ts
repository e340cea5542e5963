import { openingComment, openingOfModule } from "../openingComment.ts"

/** Modules of Python name their people and terms in variables, which may stand behind what they import. */
const variable = /^__(authors?|maintainer|e?mail|copyright|licen[cs]e|url)__[ \t]*=[ \t]*([^\n]{1,200})/gm
/** A release of its own, as a literal. */
const release = /^__version__[ \t]*=[ \t]*[^\n\w]{0,4}["'(][^\n\d]{0,8}\d/
const MAX_SEEN = 16_000
/** A release may stand behind a long manual. */
const MAX_MANUAL = 32_000

const isModule = (path: string): boolean => path.endsWith(".py")

const lineOf = ([, name, value]: RegExpMatchArray): string => {
  const text = value!.replace(/["'()[\]]/g, " ").trim()
  if (/^(?:copyright|url)$/.test(name!)) return /copyright|https?:/i.test(text) ? text : `Copyright ${text}`
  return /^licen/.test(name!) ? `License: ${text}` : `author: ${text}`
}

/** What a file opens with, and what it says of itself in variables, as lines of a comment. */
export const headOf = (path: string, text: string, comment = openingComment(text)): string => {
  if (!isModule(path)) return comment
  const seen = text.slice(0, MAX_SEEN)
  if (!seen.startsWith("__") && !seen.includes("\n__")) return comment
  return [comment, ...[...seen.matchAll(variable)].map(lineOf)].join("\n")
}

/** The same with the whole manual that a module may open with. */
export const manualOf = (path: string, text: string): string => headOf(path, text, openingOfModule(text))

/** Whether a module of Python has a release of its own. */
export const isReleased = (path: string, text: string): boolean => {
  if (!isModule(path)) return false
  const at = text.startsWith("__version__") ? 0 : text.slice(0, MAX_MANUAL).indexOf("\n__version__") + 1
  return release.test(text.slice(at, at + 120))
}
