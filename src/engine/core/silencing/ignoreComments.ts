import type { SourceFile } from "../files/SourceFile.ts"
import { CREDENTIALS, isRuleName, meansRule } from "../settings/ruleNames.ts"
import { followsLeader, isInComment, lineBelow, standsAlone, untilCloser } from "./commentLines.ts"

/** A comment by which a person accepts what a rule matches: `assay: ignore <rule>, … -- reason`. */
export interface IgnoreComment {
  readonly line: number
  /** The line it is about; null for all of the file. */
  readonly target: number | null
  /** Tools and rules; empty for all but those about credentials. */
  readonly rules: ReadonlyArray<string>
  /** Null where there is none: then it silences nothing. */
  readonly reason: string | null
}

const MAX_COMMENTS = 500
const MAX_REASON = 300

const mention = /\bassay:[ \t]{0,8}ignore(-file)?\b/i
const mentions = /\bassay:[ \t]{0,8}ignore/i

const partsOf = (text: string): Pick<IgnoreComment, "rules" | "reason"> => {
  const at = text.search(/(?:^|\s)--(?:\s|$)/)
  const names = at < 0 ? text : text.slice(0, at)
  const reason =
    at < 0
      ? ""
      : text
          .slice(at)
          .replace(/^\s*--\s*/, "")
          .trim()
  return {
    rules: names.split(/[,\s]+/).filter((name) => name !== ""),
    reason: reason === "" ? null : reason.slice(0, MAX_REASON)
  }
}

const commentIn = (file: SourceFile, line: number): IgnoreComment | null => {
  const text = file.lineText(line)
  const found = mention.exec(text)
  if (found === null || !followsLeader(text, found.index)) return null
  if (!isInComment(file, file.lineStarts[line - 1]! + found.index)) return null
  const isFile = found[1] !== undefined
  const target = isFile ? null : standsAlone(text) ? lineBelow(file, line) : line
  return { line, target, ...partsOf(untilCloser(text.slice(found.index + found[0].length))) }
}

/** The comments of a file, in order. */
export const ignoreComments = (file: SourceFile): ReadonlyArray<IgnoreComment> => {
  if (!mentions.test(file.text)) return []
  const comments: Array<IgnoreComment> = []
  for (let line = 1; line <= file.lineCount && comments.length < MAX_COMMENTS; line++) {
    const comment = commentIn(file, line)
    if (comment !== null) comments.push(comment)
  }
  return comments
}

/** Whether the comment accepts a match of this rule there. Credentials have to be named. */
export const accepts = (
  { target, rules, reason }: IgnoreComment,
  ruleId: string,
  isCredential: boolean,
  [first, last]: readonly [first: number, last: number]
): boolean => {
  if (reason === null || (target !== null && target !== first && target !== last)) return false
  return rules.length === 0 ? !isCredential : rules.some((name) => meansRule(name, ruleId))
}

/** Whether it is about credentials only: nothing else is looked for in an excluded file. */
export const namesCredentials = ({ rules }: IgnoreComment): boolean =>
  rules.length > 0 && rules.every((name) => name.split(".")[0] === CREDENTIALS)

/** What is wrong with a comment, whatever it is about. */
export const faultOf = ({ rules, reason }: IgnoreComment): string | null => {
  if (reason === null) return "An ignore comment needs a reason and silences nothing without: add ` -- why`."
  const unknown = rules.find((name) => !isRuleName(name))
  return unknown === undefined ? null : `"${unknown.slice(0, 60)}" is no tool (complexity) or rule (tool.rule).`
}
