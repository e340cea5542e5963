import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { callsWithin } from "../../languages/code/callsWithin.ts"
import { localUses } from "../../languages/code/localUses.ts"
import { loopAround } from "../../languages/code/loops.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { assignments, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { excerpt, headSpan, span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const compiles: Partial<Record<SourceFile["language"], RegExp>> = {
  go: /^regexp\.(?:MustCompile|Compile|MatchString)$/,
  java: /^(?:java\.util\.regex\.)?Pattern\.compile$/,
  csharp: /^(?:System\.Text\.RegularExpressions\.)?Regex$/,
  rust: /^(?:regex::)?Regex::new$/
}

/** `if (pattern == null) pattern = …`: created when it is first needed. */
const isLazy = (tree: FlatTree, node: number, loop: number): boolean => {
  for (let up = tree.parent(node); up !== loop && up !== NONE; up = tree.parent(up)) {
    if (!tree.is(up, "if_statement", "if_expression")) continue
    if (/\bnull\b|\bnil\b|is_none|HasValue/.test(tree.textOf(tree.child(up, "condition")))) return true
  }
  return false
}

const inspectRegexes = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const pattern = compiles[file.language]!
  for (const { node, callee, args } of calls(file)) {
    if (!pattern.test(callee) || literalValue(file, args[0] ?? NONE) === null) continue
    const loop = loopAround(file, node)
    if (loop === NONE || isLazy(tree, node, loop)) continue
    const message = `${excerpt(tree, node)} is compiled again in each iteration of the loop.`
    emit({ rule: "regex_in_loop", ...span(tree, node), message })
  }
}

const declarations = ["local_variable_declaration", "variable_declaration", "short_var_declaration", "var_spec"]

/** Whether a name is declared as a text in this function. */
const isText = (tree: FlatTree, first: number): boolean => {
  const declaration = tree.enclosing(first, ...declarations)
  const isName = tree.fieldOf(first) === "name" || tree.fieldOf(tree.parent(first)) === "left"
  if (declaration === NONE || !isName) return false
  const text = tree.textOf(declaration).slice(0, 160)
  if (tree.is(declaration, "short_var_declaration"))
    return /^\w+\s*:=\s*(?:"[^"\n]{0,100}"|`[^`\n]{0,100}`)$/.test(text)
  const type = tree.textOf(tree.child(declaration, "type"))
  return (
    /^[sS]tring$/.test(type) || (type === "var" && /^var\s+\w+\s*=\s*(?:"[^"\n]{0,100}"|string\.Empty)$/.test(text))
  )
}

/** Declared before the loop, so that it grows with each iteration. */
const isDeclaredBefore = (tree: FlatTree, uses: ReadonlyArray<number>, loop: number): boolean => {
  const first = uses[0] ?? NONE
  return (
    first !== NONE &&
    first < loop &&
    tree.enclosing(first, "variable_declarator", "short_var_declaration", "var_spec") !== NONE
  )
}

/** Assigned again in each iteration, or last in it. */
const isReset = (tree: FlatTree, uses: ReadonlyArray<number>, loop: number): boolean =>
  uses.some((use) => {
    if (!tree.contains(loop, use)) return false
    const parent = tree.is(tree.parent(use), "expression_list") ? tree.parent(tree.parent(use)) : tree.parent(use)
    const isAssigned = tree.is(parent, "assignment_expression", "assignment_statement") && tree.fieldOf(use) !== "right"
    return isAssigned && /^[\w.]+\s*=(?!=)/.test(tree.textOf(parent).slice(0, 80))
  })

/** Whether the uses are of a text that keeps what each iteration of the loop adds. */
const growsWith = (tree: FlatTree, uses: ReadonlyArray<number>, loop: number): boolean =>
  uses.length <= MAX_USES &&
  isText(tree, uses[0] ?? NONE) &&
  isDeclaredBefore(tree, uses, loop) &&
  !isReset(tree, uses, loop)

const isShort = (tree: FlatTree, loop: number): boolean => {
  const head = tree.text.slice(tree.start(loop), tree.start(loop) + 120)
  return /^[^;{]*;[^;<]*<=?\s*\d{1,2}\s*;/.test(head) || /^foreach[^{]*\b(?:args|new\[\])/.test(head)
}

const inspectTexts = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const reported = new Set<string>()
  for (const { node, target, operator } of assignments(file)) {
    if (operator !== "+=" || !/^\w+$/.test(target)) continue
    const loop = loopAround(file, node)
    if (loop === NONE || isShort(tree, loop) || tree.is(loop, "lambda_expression")) continue
    const holder = enclosingFunction(file, node)
    if (holder === null || !growsWith(tree, localUses(file, holder, target), loop)) continue
    // A loop that leaves after adding adds once.
    if (tree.is(tree.nextSibling(tree.parent(node)), "break_statement", "return_statement")) continue
    if (reported.has(`${loop} ${target}`)) continue
    reported.add(`${loop} ${target}`)
    const message = `${excerpt(tree, node)} copies all of \`${target}\` in each iteration of the loop.`
    emit({ rule: "string_built_in_loop", ...span(tree, node), message, identifiers: [target] })
  }
}

const MAX_USES = 40

/** `for (K key : map.keySet()) … map.get(key)`. */
const inspectKeys = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const loop of tree.of("enhanced_for_statement")) {
    const map = /^([\w.]+)\.keySet\(\)$/.exec(tree.textOf(tree.child(loop, "value")).slice(0, 120))?.[1]
    if (map === undefined) continue
    const key = tree.textOf(tree.child(loop, "name"))
    const read = callsWithin(file, tree.child(loop, "body")).find(
      ({ receiver, method, args }) =>
        receiver === map && method === "get" && args.length === 1 && tree.textOf(args[0]!) === key
    )
    // Looked up for some keys only, it may well be cheaper.
    if (read === undefined || tree.enclosing(read.node, "if_statement") > loop) continue
    const message = `The loop iterates over the keys of \`${map}\` and looks up each value again with ${excerpt(tree, read.node)}.`
    emit({ rule: "map_searched_by_key", ...headSpan(tree, loop), message, identifiers: [map.replace(/^.*\./, "")] })
  }
}

const inspectCounts = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("binary_expression")) {
    const text = tree.text.slice(Math.max(tree.start(node), tree.end(node) - 24), tree.end(node))
    if (!/\.Count\(\)\s*(?:>\s*0|[!=]=\s*0|>=\s*1|<\s*1)$/.test(text)) continue
    const count = tree.child(tree.child(node, "left"), "function")
    const inner = tree.child(count, "expression")
    const callee = tree.child(inner, "function")
    if (!tree.is(inner, "invocation_expression") || tree.textOf(tree.child(callee, "name")) !== "Where") continue
    emit({
      rule: "filtered_to_find_one",
      ...span(tree, node),
      message: `${excerpt(tree, node)} counts all matches to test whether there is one; \`Any\` stops at the first.`
    })
  }
}

export const inspectCompiled = (file: SourceFile, emit: Emit<RuleId>): void => {
  const { text, language } = file
  const hasRegexes = /regexp\.M|regexp\.Compile|Pattern\.compile|new Regex\(|Regex::new/.test(text)
  const hasTexts = language !== "rust" && text.includes("+=")
  const hasKeys = language === "java" && text.includes(".keySet()")
  const hasCounts = language === "csharp" && /\.Where\(/.test(text) && /\.Count\(\)/.test(text)
  const tree = hasRegexes || hasTexts || hasKeys || hasCounts ? file.tree : null
  if (tree === null) return
  if (hasRegexes) inspectRegexes(file, tree, emit)
  if (hasTexts) inspectTexts(file, tree, emit)
  if (hasKeys) inspectKeys(file, tree, emit)
  if (hasCounts) inspectCounts(tree, emit)
}
