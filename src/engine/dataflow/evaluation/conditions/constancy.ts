import { compact } from "../../../languages/syntax/Syntax.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import type { Constant } from "../../values/Value.ts"
import { type Run, roleOf } from "../Run.ts"

/** A write that the evaluation of statements does not see as such: counters, references, names of outer functions. */
const hiddenWrites = [
  "update_expression",
  "inc_statement",
  "dec_statement",
  "postfix_unary_expression",
  "prefix_unary_expression",
  "unary_expression",
  "argument",
  "by_ref",
  "reference_assignment_expression",
  "reference_modifier",
  "global_statement",
  "nonlocal_statement",
  "global_declaration",
  "delete_statement",
  "static_variable_declaration",
  "ref_expression"
]

const everything = "*"
const jumps = ["goto_statement"]
const nested = [
  "lambda_expression",
  "anonymous_method_expression",
  "local_function_statement",
  "func_literal",
  "arrow_function",
  "function_expression",
  "function_declaration",
  "function_definition",
  "block",
  "do_block",
  "lambda"
]
const assignmentKinds = [
  "assignment",
  "assignment_expression",
  "assignment_statement",
  "augmented_assignment",
  "augmented_assignment_expression",
  "operator_assignment",
  "named_expression"
]
const loopWrites = [
  ...assignmentKinds,
  "short_var_declaration",
  "variable_declarator",
  "var_spec",
  "for_statement",
  "for_in_statement",
  "foreach_statement",
  "enhanced_for_statement",
  "range_clause",
  "as_pattern",
  "case_pattern",
  "for",
  "list_literal"
]

const addNames = (text: string, names: Set<string>): void => {
  for (const match of text.slice(0, 300).matchAll(/[A-Za-z_$@][\w$]*/g)) names.add(match[0])
}

/** Does a node of one of these kinds write to what it names? */
const isHiddenWrite = (run: Run, node: number): boolean => {
  const { tree } = run
  switch (tree.kind(node)) {
    case "unary_expression":
      return tree.text[tree.start(node)] === "&"
    case "argument":
      return /^(?:ref|out|&)\b|^&/.test(tree.text.slice(tree.start(node), tree.start(node) + 5))
    case "prefix_unary_expression":
    case "postfix_unary_expression":
      return /^(?:\+\+|--)|(?:\+\+|--)$/.test(tree.textOf(node).slice(0, 200))
    default:
      return true
  }
}

const hiddenNames = (run: Run, within: number): ReadonlySet<string> => {
  const { tree } = run
  const names = new Set<string>()
  for (const node of tree.within(within, ...hiddenWrites))
    if (isHiddenWrite(run, node)) addNames(tree.textOf(node), names)
  if (tree.within(within, ...jumps).length > 0) names.add(everything)
  // Python's own functions say so (nonlocal), and those of Java cannot.
  if (run.file.language === "python" || run.file.language === "java") return names
  for (const node of tree.within(within, ...nested)) {
    if (node !== within && isClosure(run, node)) addAssigned(run, node, names)
  }
  return names
}

const isClosure = (run: Run, node: number): boolean =>
  !run.tree.is(node, "block", "do_block") || run.file.language === "ruby"

/** Names that a closure writes to without declaring them. */
const addAssigned = (run: Run, closure: number, names: Set<string>): void => {
  const { tree } = run
  for (const node of tree.within(closure, ...assignmentKinds)) {
    const left = tree.child(node, "left")
    if (left !== NONE) addNames(tree.textOf(left), names)
  }
}

const namesAround = (run: Run, within: number): ReadonlySet<string> => {
  const known = run.hiddenWrites.get(within)
  if (known !== undefined) return known
  const names = hiddenNames(run, within)
  run.hiddenWrites.set(within, names)
  return names
}

/** May a variable that is written here hold a constant: does nothing else write to it in a way that is not followed? */
export const keepsConstant = (run: Run, name: string, target: number, constant: Constant): boolean => {
  const { info } = run.frame
  // A flag is there to be changed, be it by hand in a debugger: only what is declared constant stays so.
  if (typeof constant === "boolean" && !isDeclaredConstant(run, target)) return false
  // Fields and globals, which other functions write, too.
  if (run.file.language === "ruby" && /^[@$]/.test(name)) return false
  if (info === null) return isTopConstant(run, name, target)
  const names = namesAround(run, info.node)
  return !names.has(name) && !names.has(everything)
}

const isDeclaredConstant = ({ tree }: Run, target: number): boolean => {
  if (tree.enclosing(target, "const_spec") !== NONE) return true
  const declaration = tree.enclosing(
    target,
    "lexical_declaration",
    "local_variable_declaration",
    "local_declaration_statement"
  )
  return (
    declaration !== NONE &&
    /^(?:const|final)\b/.test(tree.text.slice(tree.start(declaration), tree.start(declaration) + 6))
  )
}

/** At the top of a file any function, and other files, may write: constants are what languages or habit declare so. */
const isTopConstant = (run: Run, name: string, target: number): boolean => {
  const { tree } = run
  switch (run.file.language) {
    case "go":
      return tree.enclosing(target, "const_spec") !== NONE
    case "python":
      return (
        /^_*[A-Z][A-Z0-9_]*$/.test(name) &&
        tree.is(tree.parent(tree.parent(tree.parent(target))), "module") &&
        !namesAround(run, 0).has(name) &&
        writesOf(run, name) === 1
      )
    case "javascript":
    case "typescript":
    case "tsx": {
      const declaration = tree.enclosing(target, "lexical_declaration")
      return declaration !== NONE && tree.text.startsWith("const", tree.start(declaration))
    }
    default:
      return false
  }
}

const writesOf = (run: Run, name: string): number => {
  let count = 0
  for (const node of run.tree.of(...loopWrites)) {
    const left = targetText(run, node)
    if (left !== null && new RegExp(`(?:^|\\W)${name}(?:\\W|$)`).test(left)) count++
  }
  return count
}

const targetText = (run: Run, node: number): string | null => {
  const { tree } = run
  for (const field of ["left", "name", "pattern", "alias", "key"]) {
    const target = tree.child(node, field)
    if (target !== NONE) return compact(tree.textOf(target).slice(0, 300))
  }
  return tree.is(node, "as_pattern", "case_pattern", "list_literal") ? tree.textOf(node).slice(0, 300) : null
}

/** Names that anything in a loop writes to. */
export const writtenIn = (run: Run, loop: number): ReadonlySet<string> => {
  const known = run.loopWrites.get(loop)
  if (known !== undefined) return known
  const names = new Set<string>()
  for (const node of run.tree.within(loop, ...loopWrites)) {
    const text = targetText(run, node)
    if (text !== null) addNames(text, names)
    // Listed without names of fields in some grammars.
    if (roleOf(run, node) === "each")
      for (const part of run.tree.namedChildren(node).slice(0, 3)) {
        addNames(run.tree.textOf(part).slice(0, 80), names)
      }
  }
  run.loopWrites.set(loop, names)
  return names
}
