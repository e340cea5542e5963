import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { lastName } from "../../languages/syntax/Syntax.ts"
import { functions } from "../../languages/syntax/vocabulary.ts"
import { sendsNoHtml } from "./flows.ts"
import type { RuleId } from "./rules.ts"

interface Part {
  readonly start: number
  readonly end: number
  readonly name: string | null
  readonly isOther: boolean
}

/** Outermost functions: what one of them says of the content is not said of the others. */
const partsOf = (file: SourceFile): ReadonlyArray<Part> => {
  const tree = file.tree
  const parts: Array<Part> = []
  if (tree === null) return parts
  for (const { node, name } of functions(file)) {
    const [start, end] = [tree.start(node), tree.end(node)]
    if (parts.some((part) => start >= part.start && end <= part.end)) continue
    parts.push({ start, end, name: name === null ? null : lastName(name), isOther: sendsNoHtml(tree.textOf(node)) })
  }
  return parts
}

/** Code that runs before or after that of others. */
const wrapping =
  /(?<![.\w])next\s*\(|\bnext\.|\bc(?:tx)?\.Next\(|ServeHTTP|doFilter|before_?request|after_?request|[mM]iddleware|OnActionExecut\w+|OnResultExecut\w+/
const MAX_ABOVE = 60

/** Nothing in the file is HTML: another type is declared outside of the functions, or by one that runs around others. */
export const isAllOtherContent = (file: SourceFile): boolean => {
  const parts = file.memo(partsOf, partsOf)
  const around = parts.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), file.text)
  return (
    parts.length < 2 ||
    sendsNoHtml(around) ||
    parts.some(
      ({ start, end, isOther }) => isOther && wrapping.test(file.text.slice(Math.max(0, start - MAX_ABOVE), end))
    )
  )
}

/** Reports what functions send that declare no other type of content, nor call one that does, nor are called by one. */
export const ofHtml = (file: SourceFile, emit: Emit<RuleId>): Emit<RuleId> => {
  const others = file.memo(partsOf, partsOf).filter(({ isOther }) => isOther)
  const mentions = (start: number, end: number, name: string | null): boolean =>
    name !== null && new RegExp(`\\b${name.replace(/[^\w]/g, "")}\\s*\\(`).test(file.text.slice(start, end))
  return (match) => {
    const own = file.memo(partsOf, partsOf).find(({ start, end }) => match.start >= start && match.end <= end)
    if (own === undefined || own.isOther) return
    const isJoined = others.some(
      (other) =>
        other.name !== own.name &&
        (mentions(own.start, own.end, other.name) || mentions(other.start, other.end, own.name))
    )
    if (!isJoined) emit(match)
  }
}
