import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import type { FlatTree } from "../../languages/tree/FlatTree.ts"
import { parse } from "../../languages/tree/Parser.ts"
import type { RuleId } from "./rules.ts"

const MIN_LINES = 5
const MAX_LINES = 400
/** Blocks of one file that are parsed, so that a file of comments does not cost what a file of code costs. */
const MAX_BLOCKS = 40

interface Block {
  readonly start: number
  readonly end: number
  readonly lines: ReadonlyArray<string>
}

/** Words of documentation, of licences and of settings for tools. */
const explains =
  /```|~~~|>>>|\be\.g\.|\bi\.e\.|\bexamples?\b|\busage\b|\bfor instance\b|\blicen[cs]e|copyright|@(?:param|returns?|example|see|code|link)|:\s*$(?![\s\S])|^\s*[-*] /im
const codeLine =
  /[;{})\]]\s*$|^\s*(?:if|for|while|return|import|from|def|class|else|elif|try|except|const|let|var|func|public|private|protected|switch|case|break|await)\b.*[({:;=]|^\s*[\w.$[\]"']+\s*(?:[-+*/|&]?=|:=)\s*\S|^\s*[\w.$]+\([^)]*\)?/

const isCodeLike = (lines: ReadonlyArray<string>): boolean => {
  const written = lines.filter((line) => line.trim() !== "")
  return written.length >= MIN_LINES && written.filter((line) => codeLine.test(line)).length * 10 >= written.length * 7
}

const stripLine = (text: string): string => text.replace(/^(?:\/\/|#) ?/, "")

const lineBlocks = (file: SourceFile, tree: FlatTree, comments: ReadonlyArray<number>): Array<Block> => {
  const blocks: Array<Block> = []
  let run: Array<number> = []
  const flush = () => {
    if (run.length >= MIN_LINES && run.length <= MAX_LINES)
      blocks.push({
        start: tree.start(run[0]!),
        end: tree.end(run.at(-1)!),
        lines: run.map((node) => stripLine(tree.textOf(node).trimEnd()))
      })
    run = []
  }
  for (const node of comments) {
    const text =
      file.text.charCodeAt(tree.start(node)) === 35 ? "#" : file.text.slice(tree.start(node), tree.start(node) + 2)
    const lineStart = file.lineStarts[file.line(tree.start(node)) - 1]!
    const isAlone = file.text.slice(lineStart, tree.start(node)).trim() === ""
    if ((text !== "#" && text !== "//") || !isAlone) {
      flush()
      continue
    }
    const isNext = run.length > 0 && file.line(tree.start(node)) === file.line(tree.start(run.at(-1)!)) + 1
    if (!isNext) flush()
    run.push(node)
  }
  flush()
  return blocks
}

const starred = (tree: FlatTree, comments: ReadonlyArray<number>): Array<Block> =>
  comments.flatMap((node) => {
    const text = tree.textOf(node)
    // Two stars are documentation.
    if (!text.startsWith("/*") || /^\/\*[*!]/.test(text) || /^\s*\*\s/m.test(text)) return []
    const lines = text.slice(2, -2).split("\n")
    return lines.length < MIN_LINES || lines.length > MAX_LINES
      ? []
      : [{ start: tree.start(node), end: tree.end(node), lines }]
  })

const doing = [
  "call_expression",
  "call",
  "method_invocation",
  "assignment",
  "assignment_expression",
  "variable_declarator",
  "short_var_declaration",
  "assignment_statement",
  "if_statement",
  "return_statement",
  "for_statement"
]

/** Go and Java allow statements in functions only. */
const wrappings: Readonly<Record<string, ReadonlyArray<readonly [before: string, after: string]>>> = {
  go: [
    ["package a\n", "\n"],
    ["package a\nfunc f() {\n", "\n}\n"]
  ],
  java: [
    ["class A {\n", "\n}\n"],
    ["class A { void f() {\n", "\n} }\n"]
  ]
}
const plain = [["", "\n"]] as const

const dedent = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^\s*/.exec(line)![0].length)
  const least = Math.min(...indents)
  return lines.map((line) => line.slice(Math.min(least, line.length)))
}

/** Whether it parses, and has several statements. */
const isCode = (file: SourceFile, lines: ReadonlyArray<string>): boolean => {
  const code = dedent(lines).join("\n")
  for (const [before, after] of wrappings[file.language] ?? plain) {
    const { tree } = parse(before + code + after, file.language, 200)
    if (tree !== null && !tree.hasError && tree.of(...doing).length >= 3) return true
  }
  return false
}

/** Null when a sentence above explains why the code is there, or what it is an example of. */
const withoutHeading = (lines: ReadonlyArray<string>): ReadonlyArray<string> | null => {
  const first = lines.findIndex((line) => codeLine.test(line))
  const heading = lines.slice(0, Math.max(0, first))
  if (heading.some((line) => line.trimEnd().endsWith(":") || line.trim().split(/\s+/).length >= 4)) return null
  return lines.slice(first)
}

export const reportComments = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree
  if (tree === null) return
  const comments = [...tree.of("comment", "line_comment", "block_comment")]
  if (comments.length === 0) return
  let tried = 0
  for (const { start, end, lines } of [...lineBlocks(file, tree, comments), ...starred(tree, comments)]) {
    const text = lines.join("\n")
    if (!isCodeLike(lines) || explains.test(text)) continue
    if (++tried > MAX_BLOCKS) return
    const code = withoutHeading(lines)
    if (code === null) continue
    const written = code.filter((line) => line.trim() !== "").length
    if (written < MIN_LINES || !isCode(file, code)) continue
    emit({ rule: "commented_out_code", start, end, message: `${written} lines of code are commented out here.` })
  }
}
