import type { SourceFile } from "../../core/files/SourceFile.ts"
import { commentAbove } from "../../languages/code/commentAbove.ts"
import type { Handler, TryStatement } from "../../languages/code/tryStatements.ts"
import { type FlatTree, lowerBound, NONE } from "../../languages/tree/FlatTree.ts"

const commentNodes = (file: SourceFile): Int32Array =>
  file.tree!.of("comment", "line_comment", "block_comment").map((node) => node)
const startsOfComments = (file: SourceFile): Int32Array => {
  const tree = file.tree!
  return file.memo(commentNodes, commentNodes).map((node) => tree.start(node))
}

/** Texts of the comments that begin in a range. */
const commentsIn = (file: SourceFile, from: number, to: number): ReadonlyArray<string> => {
  const nodes = file.memo(commentNodes, commentNodes)
  const starts = file.memo(startsOfComments, startsOfComments)
  const texts: Array<string> = []
  for (let i = lowerBound(starts, from); i < starts.length && starts[i]! < to; i++) {
    texts.push(file.tree!.textOf(nodes[i]!))
  }
  return texts
}

const endOfLine = (text: string, at: number): number => {
  const end = text.indexOf("\n", at)
  return end < 0 ? text.length : end
}

/** Failures are expected, unimportant or handled elsewhere. */
const reason =
  /ignor|best[- ]?effort|optional|swallow|suppress|tolerat|does(?:n't| not) (?:matter|exist)|(?:don't|do not) care|no matter|never mind|not worth|harmless|if it exists|already|may (?:not|fail|throw|be)|might (?:not|fail|throw|be)|can (?:fail|throw)|critical|silent|on purpose|intention|deliberate|fall ?back|not supported|unsupported|nothing to |no-?op|\bIE ?\d|\bbrowsers?\b|\bbugs?\b|throw(?:s|n)\b|raises\b|work ?around|quirk|legacy|\bfail(?:s|ed|ure|ures|ing)?\b|reject(?:s|ed|ion)\b|\bfine\b|\bok(?:ay)?\b|\bsafe(?:ly|ty)?\b|expected|missing|absent|unavailable|not (?:found|there|available|installed|exist)|\bgone\b|without|\bagain\b|\bretr(?:y|ied|ies)|handled|logged|reported|infallible|guarantee|\bpanic/i
/** Notes to oneself explain nothing. */
const note = /\b(?:TODO|FIXME|XXX|HACK)\b.*/g
/** Instructions to other tools, unless they are about such handlers. */
const instruction =
  /(?:@ts-|\btype:\s*ignore|\b(?:eslint|tslint|oxlint|biome|prettier|istanbul|c8|v8|mypy|pyright|pylint|ruff|noqa|flake8|rubocop|sonar|nosonar|nolint|noinspection|cspell|pragma)\b).*/gi
const sameRule = /empty|except|S110|S112|BLE001|E722|errcheck|Suppressed|swallow/i

const isReason = (text: string): boolean =>
  reason.test(text.replace(note, "").replace(instruction, (whole) => (sameRule.test(whole) ? "ignored" : "")))

/** Whether a comment above the line of an offset, or one that begins in a range, gives the reason for dropping a failure. */
export const hasReason = (file: SourceFile, above: number, from: number, to: number): boolean =>
  isReason(commentAbove(file, above)) || isReason(commentsIn(file, from, endOfLine(file.text, to)).join("\n"))

/** Any comment in a handler is about it. */
export const isCommented = (file: SourceFile, from: number, to: number): boolean =>
  commentsIn(file, from, to).length > 0

const bodyStart = (file: SourceFile, tree: FlatTree, { node }: Handler): number => {
  const field = tree.child(node, "body")
  const body = field === NONE ? tree.childOfKind(node, "block") : field
  const isIndented = file.language === "python" || file.language === "ruby"
  return isIndented || body === NONE ? endOfLine(file.text, tree.start(node)) : tree.start(body)
}

/** A comment in the handler, or one beside it or above the attempt that gives the reason for dropping the failure. */
export const isExplained = (file: SourceFile, attempt: TryStatement, handler: Handler): boolean => {
  const tree = file.tree!
  const end = tree.end(handler.node)
  if (isCommented(file, bodyStart(file, tree, handler), end) || endsInComment(file, tree, handler)) return true
  return hasReason(file, attempt.start, attempt.start, end)
}

/** A comment anywhere in the attempt declares failures as unimportant. */
export const isDeliberate = (file: SourceFile, { node, start }: TryStatement): boolean =>
  isReason(commentsIn(file, start, file.tree!.end(node)).join("\n"))

/** The grammars of Python and Ruby attach a comment below the last statement of a block to the block around it. */
const endsInComment = (file: SourceFile, tree: FlatTree, handler: Handler): boolean => {
  if (file.language !== "python" && file.language !== "ruby") return false
  const end = tree.end(handler.node)
  // The node of an empty handler may end with the line break.
  const line = file.line(end > tree.start(handler.node) ? end - 1 : end)
  const indent = file.lineText(file.line(tree.start(handler.node))).search(/\S/)
  const below = file.lineText(line + 1)
  return /^\s*#/.test(below) && below.search(/\S/) > indent
}
