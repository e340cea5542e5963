import { NONE } from "../../languages/tree/FlatTree.ts"
import type { SourceFile } from "../files/SourceFile.ts"
import { type Concern, concernOf } from "./Concern.ts"
import { isInComment, lineBelow, standsAlone } from "./commentLines.ts"
import {
  bandit,
  clangTidy,
  clippy,
  concernByWords,
  dotnet,
  eslint,
  golangci,
  gosec,
  hadolint,
  infrastructure,
  jvm,
  phpcs,
  python,
  rubocop,
  shellcheck,
  zizmor
} from "./concerns.ts"

/** A mark by which a person silenced another tool, and the lines it is about. */
export interface ForeignMark {
  readonly line: number
  readonly first: number
  readonly last: number
  readonly concerns: ReadonlyArray<Concern>
  /** The mark as it is written. */
  readonly text: string
}

/**
 * Where a mark counts. "line": its own, or the one below where it stands alone. "next": the one below. "rest": until it is
 * lifted. "item": the declaration that it is written on. "block": the lines above and below, where blocks are marked inside.
 */
type Reach = "line" | "next" | "rest" | "item" | "file" | "block"

interface MarkForm {
  /** The first group holds the ids, where there are any. */
  readonly pattern: RegExp
  readonly reach: Reach
  readonly concern: (id: string) => ReadonlyArray<Concern>
  /** Of a mark without ids. */
  readonly bare: ReadonlyArray<Concern>
  /** What ends the reach of one that counts for the rest of the file. */
  readonly until?: RegExp
  /** Written in code, not in a comment. */
  readonly isCode?: true
}

const from =
  (...tables: ReadonlyArray<Readonly<Record<string, Concern>>>) =>
  (id: string): ReadonlyArray<Concern> =>
    tables.flatMap((table) => concernOf(table, id) ?? [])

const security: ReadonlyArray<Concern> = [{ category: "security" }]
const everything: ReadonlyArray<Concern> = [
  "security",
  "correctness",
  "performance",
  "maintainability",
  "architecture",
  "operations"
].map((category) => ({ category }) as Concern)
const lint: ReadonlyArray<Concern> = [
  {
    rules: [
      "correctness_bugs",
      "complexity",
      "dead_code",
      "error_handling",
      "observability",
      "async_concurrency",
      "performance_antipatterns",
      "frontend_quality",
      "accessibility"
    ]
  }
]

const forms: ReadonlyArray<MarkForm> = [
  {
    pattern: /#\s*nosec\b:?[ \t]{0,4}([BG]\d{3}(?:[ ,]+[BG]\d{3})*)?/,
    reach: "line",
    concern: from(bandit, gosec),
    bare: security
  },
  {
    pattern: /#\s*noqa(?::[ \t]{0,4}([A-Z]+\d+(?:[ ,]+[A-Z]+\d+)*))?/i,
    reach: "line",
    concern: from(python),
    bare: lint
  },
  { pattern: /#\s*pylint:\s*disable=([\w, -]+)/, reach: "line", concern: from(python), bare: [] },
  { pattern: /\bnosem(?:grep)?\b(?::[ \t]{0,4}([\w.,/ -]+))?/, reach: "line", concern: concernByWords, bare: security },
  { pattern: /\bNOSONAR\b/, reach: "line", concern: () => [], bare: everything },
  { pattern: /\b(?:lgtm|codeql)\s?\[([\w/, -]+)\]/, reach: "line", concern: concernByWords, bare: [] },
  { pattern: /\beslint-disable-line\b([^*]*)/, reach: "line", concern: from(eslint), bare: lint },
  { pattern: /\beslint-disable-next-line\b([^*]*)/, reach: "next", concern: from(eslint), bare: lint },
  {
    pattern: /\/\*\s*eslint-disable\b(?!-)([^*]*)/,
    reach: "rest",
    concern: from(eslint),
    bare: lint,
    until: /\/\*\s*eslint-enable\b/
  },
  { pattern: /\bNOLINTNEXTLINE(?:\(([^)]*)\))?/, reach: "next", concern: from(clangTidy), bare: everything },
  { pattern: /\bNOLINT\b(?:\(([^)]*)\))?/, reach: "line", concern: from(clangTidy), bare: everything },
  { pattern: /\/\/\s?nolint\b(?::([\w, -]+))?/, reach: "line", concern: from(golangci), bare: everything },
  { pattern: /#!\[allow\(([^)]*)\)\]/, reach: "file", concern: clippyOf, bare: [], isCode: true },
  { pattern: /#\[(?:allow|expect)\(([^)]*)\)\]/, reach: "item", concern: clippyOf, bare: [], isCode: true },
  {
    pattern: /@Suppress(?:Warnings|FBWarnings)?\(\s*(?:value\s*=\s*)?([^)]*)/,
    reach: "item",
    concern: from(jvm),
    bare: [],
    isCode: true
  },
  { pattern: /\[SuppressMessage\(([^)]*)/, reach: "item", concern: from(dotnet), bare: [], isCode: true },
  {
    pattern: /#pragma\s+warning\s+disable\b([\w ,]*)/,
    reach: "rest",
    concern: from(dotnet),
    bare: lint,
    until: /#pragma\s+warning\s+restore\b/,
    isCode: true
  },
  {
    pattern: /#\s*rubocop:\s*(?:disable|todo)\b([\w/, ]*)/,
    reach: "rest",
    concern: from(rubocop),
    bare: lint,
    until: /#\s*rubocop:\s*enable\b/
  },
  { pattern: /\bphpcs:ignore\b([\w., ]*)/, reach: "line", concern: from(phpcs), bare: everything },
  {
    pattern: /\bphpcs:disable\b([\w., ]*)/,
    reach: "rest",
    concern: from(phpcs),
    bare: everything,
    until: /\bphpcs:enable\b/
  },
  { pattern: /#\s*shellcheck\s+disable=([\w,]+)/, reach: "next", concern: from(shellcheck), bare: [] },
  { pattern: /#\s*hadolint\s+ignore=([\w,]+)/, reach: "next", concern: from(hadolint), bare: [] },
  { pattern: /\b(?:tfsec|trivy):ignore:([\w-]+)/, reach: "block", concern: from(infrastructure), bare: [] },
  { pattern: /\bcheckov:skip=(\w+)/, reach: "block", concern: from(infrastructure), bare: [] },
  { pattern: /#\s*zizmor:\s*ignore\[([\w, -]+)\]/, reach: "line", concern: from(zizmor), bare: [] }
]

function clippyOf(id: string): ReadonlyArray<Concern> {
  const name = /^clippy::(\w+)$/.exec(id)?.[1]
  if (name !== undefined) return from(clippy)(name)
  return /^(?:dead_code|unused\w*)$/.test(id) ? [{ rules: ["dead_code"] }] : []
}

const anyMark =
  /nosec|[nN][oO][qQ][aA]|pylint:|nosem|NOSONAR|lgtm|codeql|eslint-disable|NOLINT|nolint|\[(?:allow|expect)\(|@Suppress|SuppressMessage|#pragma|rubocop:|phpcs:|shellcheck|hadolint|tfsec|trivy:|checkov:|zizmor:/

const MAX_MARKS = 2_000

const idsOf = (text: string | undefined): ReadonlyArray<string> =>
  // What follows two dashes is the reason.
  (text ?? "")
    .replace(/\s--.*$/, "")
    .split(/[\s,"'{}[\]]+/)
    .filter((id) => id !== "" && id !== "--")

/** The lines of the declaration that begins with this annotation or attribute. */
const itemAt = (file: SourceFile, offset: number, line: number): readonly [number, number] => {
  const { tree } = file
  if (tree === null) return [line, lineBelow(file, line)]
  let node = tree.covering(offset, offset + 1)
  while (node !== NONE && !/annotation|attribute(?:_item|_list)?$/.test(tree.kind(node))) node = tree.parent(node)
  if (node === NONE) return [line, lineBelow(file, line)]
  if (tree.kind(node) === "attribute_item") {
    let item = tree.nextSibling(node)
    while (tree.is(item, "attribute_item", "line_comment", "block_comment")) item = tree.nextSibling(item)
    return [line, item === NONE ? line : file.line(tree.end(item))]
  }
  let owner = tree.parent(node)
  while (/modifiers|attribute_list|annotation/.test(tree.kind(owner))) owner = tree.parent(owner)
  return [line, owner === NONE ? line : file.line(Math.max(tree.start(owner), tree.end(owner) - 1))]
}

const lastOfRest = (file: SourceFile, line: number, until: RegExp | undefined): number => {
  for (let next = line + 1; next <= file.lineCount; next++) if (until?.test(file.lineText(next))) return next
  return file.lineCount
}

/** Lines of a block in braces around a line, by indentation: marks of infrastructure are inside of their resource. */
const blockAt = (file: SourceFile, line: number): readonly [number, number] => {
  const indent = file.lineText(line).search(/\S/)
  if (indent === 0) return [line, lineBelow(file, line)]
  let first = line
  while (first > 1 && (file.lineText(first).trim() === "" || file.lineText(first).search(/\S/) >= indent)) first--
  let last = line
  while (last < file.lineCount && (file.lineText(last).trim() === "" || file.lineText(last).search(/\S/) >= indent))
    last++
  return [first, last]
}

const reachOf = (file: SourceFile, form: MarkForm, line: number, offset: number): readonly [number, number] => {
  const text = file.lineText(line)
  switch (form.reach) {
    case "line":
      return standsAlone(text) ? [line, lineBelow(file, line)] : [line, line]
    case "next":
      return [line, lineBelow(file, line)]
    case "rest":
      return form.isCode === true || standsAlone(text) ? [line, lastOfRest(file, line, form.until)] : [line, line]
    case "item":
      return itemAt(file, offset, line)
    case "block":
      return standsAlone(text) ? blockAt(file, line) : [line, line]
    case "file":
      return [1, file.lineCount]
  }
}

const markIn = (file: SourceFile, line: number, form: MarkForm): ForeignMark | null => {
  const found = form.pattern.exec(file.lineText(line))
  if (found === null) return null
  const offset = file.lineStarts[line - 1]! + found.index
  if (form.isCode !== true && !isInComment(file, offset)) return null
  const ids = idsOf(found[1])
  const concerns = ids.length === 0 ? form.bare : ids.flatMap(form.concern)
  if (concerns.length === 0) return null
  const [first, last] = reachOf(file, form, line, offset)
  return { line, first, last, concerns, text: found[0].trim().slice(0, 120) }
}

/** The marks of other tools in a file, as far as a rule of ours is about the same. */
export const foreignMarks = (file: SourceFile): ReadonlyArray<ForeignMark> => {
  if (!anyMark.test(file.text)) return []
  const marks: Array<ForeignMark> = []
  for (let line = 1; line <= file.lineCount && marks.length < MAX_MARKS; line++) {
    if (!anyMark.test(file.lineText(line))) continue
    for (const form of forms) {
      const mark = markIn(file, line, form)
      if (mark !== null) marks.push(mark)
    }
  }
  return marks
}
