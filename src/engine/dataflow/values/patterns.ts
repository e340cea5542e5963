/** Alternatives outside of brackets are anchored on one side only: `^a|b$`. */
const splitsAnchors = (body: string): boolean => {
  let depth = 0
  let inClass = false
  for (let i = 0; i < body.length; i++) {
    const c = body[i]
    if (c === "\\") i++
    else if (inClass) inClass = c !== "]"
    else if (c === "[") inClass = true
    else if (c === "(") depth++
    else if (c === ")") depth--
    else if (c === "|" && depth === 0) return true
  }
  return false
}

const harmless = "(?:\\(\\?:|\\[[\\w\\\\.:@ -]+\\]|\\\\[wd.-]|[\\w()|{},?+*-])+"
const anchored = new RegExp(`^(?:\\^|\\\\A)${harmless}(?:\\$|\\\\z|\\\\Z)$`)
const anchoredText = new RegExp(`^\\\\A${harmless}\\\\[zZ]$`)
const whole = new RegExp(`^(?:\\^|\\\\A)?${harmless}(?:\\$|\\\\z|\\\\Z)?$`)

/** `/…/i`, and `#…#iD` of PHP; a pattern without delimiters has no flags. */
const partsOf = (text: string): { readonly body: string; readonly flags: string } => {
  const parts = /^([/#~!@%|])(.*)\1([a-zA-Z]*)$/.exec(text)
  return parts === null ? { body: text, flags: "" } : { body: parts[2]!, flags: parts[3]! }
}

const localPath = /^(?:\^|\\A)\\?\/(?:\w|\[[\w-]+\](?![?*]))/

/** A pattern that only paths of the same site match: a slash, and a letter or digit behind it. */
export const isLocalPath = (text: string, isRuby: boolean): boolean => {
  const { body, flags } = partsOf(text)
  return localPath.test(body) && !(flags.includes("m") || (isRuby && body.startsWith("^")))
}

/**
 * The pattern, when nothing harmful matches it: both anchors, and no bare dot, quote or slash in it. `matches` of Java
 * and `fullmatch` anchor by themselves; in Ruby, and with the flag for lines, `^` and `$` hold for one line of many.
 */
export const harmlessPattern = (text: string, isRuby: boolean, isFull: boolean): string | null => {
  const { body, flags } = partsOf(text)
  const byLine = isRuby || flags.includes("m")
  const shape = isFull ? whole : byLine ? anchoredText : anchored
  return body.length < 300 && shape.test(body) && (isFull || !splitsAnchors(body)) ? body : null
}

/** Patterns that match what is not allowed: taking all of it out leaves letters, digits and little else. */
const excludedCharacters = /^(?:\/)?\[\^[\w\\.:@ -]+\]\+?(?:\/([a-z]*))?$/

/** The pattern, when a text in which nothing matches it has harmless characters only: `/[^a-z]/`. */
export const harmlessAbsence = (text: string): string | null => (excludedCharacters.test(text) ? text : null)

const shellOperators = [";", "|", "&", "$", "`"]

/** A pattern that matches whatever lets a text do more in a shell than be an argument: `/[;&|`$<>]/`. */
export const deniesShell = (text: string): boolean => {
  const characters = /^\/?\[([^^](?:[^\]\\]|\\.)*)\][+*]?(?:\/[a-z]*)?$/.exec(text)?.[1]
  return characters !== undefined && shellOperators.every((operator) => characters.includes(operator))
}

/** `x.replace(/[^a-z]/g, "")`: is a replacement of all that this matches by this text harmless? */
export const leavesHarmless = (pattern: string, replacement: string, onlyFirst: boolean): boolean => {
  const match = excludedCharacters.exec(pattern)
  if (match === null || !/^[\w.-]*$/.test(replacement)) return false
  return !onlyFirst || match[1]?.includes("g") === true
}
