import { baseName } from "../../../core/text/paths.ts"
import type { Purpose } from "../Command.ts"
import { isAsideHeading } from "../headings.ts"
import { asksToRun, type ShellLine } from "../shellIn.ts"

/** `doc/README.touchpad` is about that alone. */
const subjectOf = (path: string): string | undefined =>
  /\/README\.(?!(?:md|mdx|markdown|mkdn?|rst|adoc|asciidoc|txt|text|org|rdoc|pod|in|en|git\w*|devel\w*|hacking|build\w*|install\w*)$)\w+$/i.test(
    path
  )
    ? baseName(path)
    : undefined

/** What was built in some way, or not yet, is spoken of: the sentence does not say to build it. */
const speaksOfBuilt =
  /(?:\b(?:when|if|unless|while|not|only)\s+(?:\w+\s+){0,3}|\b(?:binar(?:y|ies)|programs?|executables?|those)\s+)(?:built|compiled|produced|installed)\s+(?:\w+\s+)?(?:with|using|by|via|from|through)\s+$/i

/** A sentence only mentions a program that it does not start, or what something was built with. */
const isMentioned = (purpose: Purpose, before: string): boolean =>
  purpose === "run" ? !asksToRun.test(before) : purpose === "build" && speaksOfBuilt.test(before)

/** What a line is for, where that is not the whole: the heading, or the name of the document, that says so. */
export const asideOf = (path: string, purpose: Purpose, { headings, before }: ShellLine): string | undefined => {
  const aside = [...path.split("/"), ...headings].findLast(isAsideHeading) ?? subjectOf(path)
  const isMention = before !== null && isMentioned(purpose, before)
  return aside ?? (isMention ? (headings.at(-1) ?? baseName(path)) : undefined)
}

/** The sentence says that this is not to be used: "Do not use `yarn`"; or compares the product with it: "an alternative to `pytest`". */
export const refuses =
  /\b(?:(?:alternatives?|replacements?|substitutes?) (?:to|for)|unlike|similar to|compared (?:to|with)|inspired by|compatible with|than|wrapper (?:for|around)|port of|those of)\s+$|\b(?:do not|don['’]t|never|instead of|rather than|no longer|can ?not|can['’]t)\s+(?:[a-z]+\s+){0,2}(?:`+[^`]*`+,?\s+(?:or|nor|and)\s+)?$/i

/** The sentence says what the product runs for those who use it: "this command does an `npm publish`", "`kettle ship` uses `npm publish`". */
export const speaksOfProduct =
  /(?:\b(?:this|the) (?:sub-?)?(?:command|tool|program|plug-?in|action)|`[^`]{1,80}`)\s+(?:also\s+|then\s+)?(?:does|runs|calls|executes|performs|invokes|uses|wraps)\s+(?:an?\s+|the\s+)?$/i

/** Where it is listed what has to be there first, the name of a program alone asks for that program. */
export const isForNeeds = (before: string, headings: ReadonlyArray<string>): boolean =>
  /\b(?:prerequisit\w*|pre-?reqs?|requirements?|requires?|dependenc(?:y|ies)|depend(?:s|ing)? on|needed)\b/i.test(
    headings.at(-1) ?? ""
  ) && !asksToRun.test(before)

/** The sentence says what may be run besides, or at some time: "you can also run `kettle clean`". */
export const speaksOfChance = /\b(?:can|could|may|might|if|when(?:ever)?|also|later|instead|would)\b[^.]*$/i
