import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Check, languages, quoted, spanOf } from "./Check.ts"
import { pythonBuiltins } from "./pythonBuiltins.ts"
import type { RuleId } from "./rules.ts"

/** Holders of which every identifier below is bound: patterns, lists of imported names, declarations of scope. */
const binders = [
  "parameters",
  "lambda_parameters",
  "as_pattern_target",
  "global_statement",
  "nonlocal_statement",
  "case_pattern",
  "type_parameter",
  "type_alias_statement",
  "aliased_import",
  "import_statement",
  "import_from_statement",
  "future_import_statement"
] as const

/** Kinds whose field holds the names that they bind. */
const targets: Readonly<Record<string, string>> = {
  assignment: "left",
  augmented_assignment: "left",
  for_statement: "left",
  for_in_clause: "left",
  named_expression: "name",
  function_definition: "name",
  class_definition: "name"
}

const addBelow = (tree: FlatTree, node: number, names: Set<string>): void => {
  for (const n of tree.within(node, "identifier")) {
    if (tree.fieldOf(n) !== "attribute") names.add(tree.textOf(n))
  }
}

/** Every name that is bound anywhere in the file, in whichever scope. */
const computeBound = (file: SourceFile): ReadonlySet<string> => {
  const tree = file.tree!
  const names = new Set<string>()
  for (const node of tree.of(...binders)) addBelow(tree, node, names)
  for (const [kind, field] of Object.entries(targets)) {
    for (const node of tree.of(kind)) {
      const target = tree.child(node, field)
      if (target !== NONE) addBelow(tree, target, names)
    }
  }
  // `except Error, e:` and other forms of Python 2 leave the grammar's ways.
  for (const node of tree.of("except_clause")) {
    for (const child of tree.namedChildren(node)) if (!tree.is(child, "block")) addBelow(tree, child, names)
  }
  return names
}

/** Names may come into being in ways that the text does not show. */
const bindsInvisibly =
  /\bimport\s*\*|\bexec\s*\(|\bexec\s+["'\w]|\bexecfile\s*\(|\b(?:globals|locals|vars)\(\)\s*(?:\[|\.(?:update|setdefault)|,|\))|__builtins__|\bbuiltins\.\w+\s*=|__getattr__|\bsetattr\(\s*(?:builtins|sys\.modules)|get_ipython|^\s*%\w|<%|\{%/m

/** A script of Zope says in its head which names it is run with. */
const zopeScript = /^##\s*(?:bind \w+|parameters|title)\s*=/m

/** Files that a tool runs with names of its own. */
const isHosted = (file: SourceFile): boolean =>
  /(?:^|\/)(?:SConstruct|SConscript|conf|wscript|[\w.-]*_?config|settings[\w.-]*|Snakefile|BUILD|Tiltfile)(?:\.py|\.bazel)?$|\.(?:pyi|spec|smk|bzl)$|(?:^|\/)(?:snippets|templates?|cookiecutter[^/]*|\{\{[^/]*)\//i.test(
    file.path
  ) ||
  zopeScript.test(file.text.slice(0, 600)) ||
  /^#.*coding\s*[:=]\s*(?!utf|ascii|latin|iso)/m.test(file.text.slice(0, 200))

const notUses = new Set(["keyword_argument", "dotted_name", "keyword_pattern"])

/** Whether an identifier reads a variable. */
const readsVariable = (tree: FlatTree, node: number): boolean => {
  const parent = tree.parent(node)
  const field = tree.fieldOf(node)
  if (field === "attribute" || (field === "name" && tree.is(parent, "keyword_argument"))) return false
  if (notUses.has(tree.kind(parent)) && field !== "value") return false
  return tree.enclosing(node, "type", "import_statement", "import_from_statement", "ERROR", "exec_statement") === NONE
}

/** Code that handles the missing name, or that never runs. */
const isGuarded = (file: SourceFile, tree: FlatTree, node: number, name: string): boolean => {
  for (let up = tree.parent(node); up !== NONE; up = tree.parent(up)) {
    if (tree.is(up, "try_statement") && tree.contains(tree.child(up, "body"), node)) {
      const handlers = tree.namedChildren(up).filter((n) => tree.is(n, "except_clause"))
      if (handlers.some((n) => /NameError|^except\s*:|\bException\b/.test(tree.textOf(n).slice(0, 80)))) return true
    }
    if (tree.is(up, "if_statement", "conditional_expression", "boolean_operator", "elif_clause")) {
      const text = tree.text.slice(tree.start(up), Math.min(tree.end(up), tree.start(up) + 400))
      if (
        /version_info|PY[23]\b|PY_?[23]|TYPE_CHECKING|\bFalse\b|\b0:|platform|hexversion|in globals|in dir\(/.test(text)
      )
        return true
      if (new RegExp(`["']${name}["']`).test(text)) return true
    }
  }
  return /noqa|type: ignore|pylint|pyright/.test(file.lineText(file.line(tree.start(node))))
}

/** A file that lacks that many names is run by a program which gives it its own, as plugins and settings are. */
const NAMES_OF_A_HOST = 3

/** `class Plugin(host)` with an unknown base: such a file cannot even be imported, so a program runs it otherwise. */
const isBaseOfClass = (tree: FlatTree, node: number): boolean =>
  tree.is(tree.parent(node), "argument_list") && tree.is(tree.parent(tree.parent(node)), "class_definition")

const inspectNames = (file: SourceFile, tree: FlatTree, bound: ReadonlySet<string>, emit: Emit<RuleId>): void => {
  const found = new Map<string, number>()
  for (const node of tree.of("identifier")) {
    const name = tree.textOf(node)
    if (bound.has(name) || pythonBuiltins.has(name) || found.has(name) || /^__\w+__$/.test(name)) continue
    if (!readsVariable(tree, node) || isGuarded(file, tree, node, name)) continue
    if (isBaseOfClass(tree, node)) return
    found.set(name, node)
  }
  if (found.size >= NAMES_OF_A_HOST) return
  for (const [name, node] of found) {
    const message = `\`${name}\` is neither defined nor imported in this file, so this line raises a NameError.`
    emit({ rule: "undefined_name", ...spanOf(tree, node), message, identifiers: [name], noun: `\`${name}\`` })
  }
}

const inspectExports = (tree: FlatTree, bound: ReadonlySet<string>, emit: Emit<RuleId>): void => {
  for (const node of tree.of("assignment")) {
    if (tree.textOf(tree.child(node, "left")) !== "__all__" || !tree.is(tree.parent(tree.parent(node)), "module"))
      continue
    const list = tree.child(node, "right")
    if (!tree.is(list, "list", "tuple")) continue
    for (const entry of tree.namedChildren(list)) {
      const name = /^["'](\w+)["']$/.exec(tree.textOf(entry))?.[1]
      if (name === undefined || bound.has(name) || pythonBuiltins.has(name) || /^__\w+__$/.test(name)) continue
      const message = `\`__all__\` exports \`${name}\`, which this module does not define: \`import *\` of it raises an AttributeError.`
      emit({ rule: "undefined_export", ...spanOf(tree, entry), message, identifiers: [name], noun: `\`${name}\`` })
    }
  }
}

const isPackageMarker = (file: SourceFile): boolean => file.path.endsWith("__init__.py")

export const pythonNames: Check = {
  languages: languages("python"),
  inspect: (file, tree, emit) => {
    if (tree.hasError || bindsInvisibly.test(file.text) || isHosted(file)) return
    const bound = file.memo(computeBound, computeBound)
    inspectNames(file, tree, bound, emit)
    // A package may export its modules.
    if (!isPackageMarker(file)) inspectExports(tree, bound, emit)
    inspectRedefinitions(file, tree, emit)
  }
}

const scopes = ["module", "block"]

/** Functions that stand twice in one block, the first without a use before the second. */
const inspectRedefinitions = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const earlier = new Map<string, number>()
  for (const node of tree.of("function_definition")) {
    const block = tree.parent(node)
    // Classes have a rule of their own.
    if (!tree.is(block, ...scopes) || tree.is(tree.parent(block), "class_definition")) continue
    const name = tree.textOf(tree.child(node, "name"))
    const key = `${block} ${name}`
    const before = earlier.get(key)
    earlier.set(key, node)
    if (before === undefined || name === "_" || isUsedBetween(tree, name, before, node)) continue
    const message = `\`${name}\` is defined again here, so the function on line ${file.line(tree.start(before))} is never called.`
    const steps = [{ ...spanOf(tree, tree.child(before, "name")), note: "The first definition." }]
    emit({
      rule: "redefined_function",
      ...spanOf(tree, tree.child(node, "name")),
      message,
      steps,
      identifiers: [name],
      noun: quoted(tree, tree.child(node, "name"))
    })
  }
}

const isUsedBetween = (tree: FlatTree, name: string, first: number, second: number): boolean =>
  tree
    .of("identifier")
    .subarray(lowest(tree, tree.lastDescendant(first) + 1), lowest(tree, second))
    .some((n) => tree.textOf(n) === name)

/** Index of the first identifier at or after a node. */
const lowest = (tree: FlatTree, node: number): number => {
  const all = tree.of("identifier")
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle]! < node) low = middle + 1
    else high = middle
  }
  return low
}
