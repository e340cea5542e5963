import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { syntaxOf } from "../syntax/languages.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"

interface Loops {
  /** Statements that run their body again and again. */
  readonly statements: ReadonlyArray<string>
  /** Functions and blocks, which are a loop when given to one of `methods`. */
  readonly callbacks: ReadonlyArray<string>
  readonly methods: RegExp
  /** Parts of a loop that are evaluated once, by field or by kind of node. */
  readonly once: ReadonlySet<string>
}

const javascript: Loops = {
  statements: ["for_statement", "for_in_statement", "while_statement", "do_statement"],
  callbacks: ["arrow_function", "function_expression"],
  methods: /^(?:forEach|map|flatMap|filter|reduce|reduceRight|some|every|each|mapSeries|forEachSeries)$/,
  once: new Set(["right", "initializer"])
}

const never = /^(?!)/

const loops: Partial<Record<Language, Loops>> = {
  typescript: javascript,
  tsx: javascript,
  javascript,
  python: {
    statements: [
      "for_statement",
      "while_statement",
      "list_comprehension",
      "set_comprehension",
      "dictionary_comprehension",
      "generator_expression"
    ],
    callbacks: [],
    methods: never,
    once: new Set(["right", "alternative"])
  },
  go: { statements: ["for_statement"], callbacks: [], methods: never, once: new Set(["range_clause", "initializer"]) },
  java: {
    statements: ["for_statement", "enhanced_for_statement", "while_statement", "do_statement"],
    callbacks: ["lambda_expression"],
    methods: /^(?:forEach|forEachOrdered|map|mapTo\w+|flatMap|filter|anyMatch|allMatch|noneMatch|peek|removeIf)$/,
    once: new Set(["value", "init"])
  },
  csharp: {
    statements: ["for_statement", "foreach_statement", "while_statement", "do_statement"],
    callbacks: ["lambda_expression"],
    methods: /^(?:ForEach|Select|SelectMany|Where|Any|All)$/,
    once: new Set(["right", "initializer"])
  },
  ruby: {
    statements: ["while", "until", "for", "while_modifier", "until_modifier"],
    callbacks: ["block", "do_block"],
    methods:
      /^(?:each|each_\w+|map|map!|flat_map|collect|select|reject|filter_map|inject|reduce|times|upto|downto|find_each|sum|sort_by|group_by|each_with_object)$/,
    once: new Set(["value"])
  },
  php: {
    statements: ["foreach_statement", "for_statement", "while_statement", "do_statement"],
    callbacks: ["anonymous_function", "arrow_function"],
    methods: /^(?:array_map|array_walk|array_filter|array_reduce|each|map)$/,
    once: new Set(["initialize"])
  },
  rust: {
    statements: ["for_expression", "while_expression", "loop_expression"],
    callbacks: ["closure_expression"],
    methods: /^(?:for_each|map|filter|flat_map|filter_map)$/,
    once: new Set(["value"])
  }
}

const calleeOf = (file: SourceFile, tree: FlatTree, callback: number): string => {
  const syntax = syntaxOf(file.language)
  const parent = tree.parent(callback)
  const list = tree.is(parent, "argument") ? tree.parent(parent) : parent
  const call = tree.is(list, "arguments", "argument_list") ? tree.parent(list) : list
  return syntax?.callKinds.includes(tree.kind(call)) === true ? (syntax.callAt(tree, call)?.method ?? "") : ""
}

/** What is iterated over is evaluated once: the second child of PHP's foreach and the first clause of a comprehension. */
const isEvaluatedOnce = (tree: FlatTree, loop: number, part: number, { once }: Loops): boolean => {
  if (once.has(tree.fieldOf(part) ?? "") || once.has(tree.kind(part))) return true
  if (tree.is(loop, "foreach_statement")) return tree.fieldOf(part) !== "body"
  if (!tree.is(part, "for_in_clause")) return false
  return tree.childOfKind(loop, "for_in_clause") === part
}

/** Innermost loop, or call that runs its callback for each element, that runs a node repeatedly inside its function. */
export const loopAround = (file: SourceFile, node: number): number => {
  const kinds = loops[file.language]
  const functionKinds = syntaxOf(file.language)?.functionKinds
  const tree = file.tree
  if (kinds === undefined || functionKinds === undefined || tree === null) return NONE
  let part = node
  for (let up = tree.parent(node); up !== NONE; up = tree.parent(up)) {
    if (tree.is(up, ...kinds.statements) && !isEvaluatedOnce(tree, up, part, kinds)) return up
    const isCallback = tree.is(up, ...kinds.callbacks)
    if (isCallback && kinds.methods.test(calleeOf(file, tree, up))) return up
    // Ruby's blocks are part of the method around them; elsewhere another function begins.
    if (isCallback ? file.language !== "ruby" : functionKinds.includes(tree.kind(up))) return NONE
    part = up
  }
  return NONE
}
