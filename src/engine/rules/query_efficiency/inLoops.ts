import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { declaredType } from "../../languages/code/declaredTypes.ts"
import { loopAround } from "../../languages/code/loops.ts"
import { assignments, type Call, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { excerpt, headSpan, span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { isQuery } from "./queries.ts"
import type { RuleId } from "./rules.ts"
import { onceOnly } from "./tables.ts"

/** What the head of a loop declares for each iteration. */
const headNodes = (tree: FlatTree, loop: number): ReadonlyArray<number> => {
  const fields = ["left", "name", "pattern", "parameters", "parameter", "initializer", "init", "initialize"]
  const found = fields.map((field) => tree.child(loop, field)).filter((node) => node !== NONE)
  const clause = tree.childOfKind(loop, "for_in_clause", "range_clause", "for_clause")
  if (clause !== NONE)
    found.push(...["left", "initializer"].map((field) => tree.child(clause, field)).filter((n) => n !== NONE))
  if (tree.is(loop, "foreach_statement") && found.length === 0) found.push(...tree.namedChildren(loop).slice(1, 2))
  return found
}

const words = (text: string): ReadonlyArray<string> => text.slice(0, 400).match(/[A-Za-z_]\w*/g) ?? []

const loopNames = (file: SourceFile, tree: FlatTree, loop: number): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const node of headNodes(tree, loop)) for (const word of words(tree.textOf(node))) names.add(word)
  const from = tree.start(loop)
  const to = tree.end(loop)
  for (const assignment of assignmentsIn(file, from, to)) {
    if (/^\$?[A-Za-z_]\w*$/.test(assignment)) names.add(assignment.replace("$", ""))
  }
  for (const word of ["const", "let", "var", "int", "final", "String", "self", "this", "new", "async", "of", "in"])
    names.delete(word)
  return names
}

const computeTargets = (
  file: SourceFile
): { readonly starts: ReadonlyArray<number>; readonly targets: ReadonlyArray<string> } => {
  const tree = file.tree!
  const real = assignments(file).filter(
    ({ node, value }) =>
      value !== NONE &&
      !tree.is(node, "pair", "keyword_argument", "keyed_element", "array_element_initializer", "element_value_pair")
  )
  return { starts: real.map(({ node }) => tree.start(node)), targets: real.map(({ target }) => target) }
}

const MAX_TARGETS = 200

const assignmentsIn = (file: SourceFile, from: number, to: number): ReadonlyArray<string> => {
  const { starts, targets } = file.memo(computeTargets, computeTargets)
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! < from) low = middle + 1
    else high = middle
  }
  const found: Array<string> = []
  for (let i = low; i < starts.length && starts[i]! < to && found.length < MAX_TARGETS; i++) found.push(targets[i]!)
  return found
}

/** Loops with a small fixed number of iterations, that wait, or that process many elements at once. */
const isFew =
  /^\s*(?:[[(]|%[wi]|array\(|range\(\s*\d+\s*\)|new (?:List|\w+\[\]))|^[A-Z][A-Z0-9_]+$|^(?:Arrays\.asList|List\.of)\(/
const isBatched = /chunk|batch|slice|page|partition|bucket|window/i

const iterableOf = (tree: FlatTree, loop: number): string => {
  const clause = tree.childOfKind(loop, "for_in_clause", "range_clause")
  const holder = clause === NONE ? loop : clause
  const node = ["right", "value"].map((field) => tree.child(holder, field)).find((found) => found !== NONE) ?? NONE
  if (node !== NONE) return tree.textOf(node).replace(/^in\s+/, "")
  if (tree.is(loop, "foreach_statement")) return tree.textOf(tree.namedChildren(loop)[0] ?? NONE)
  // A callback: the receiver of the call.
  const argument = tree.is(tree.parent(loop), "argument") ? tree.parent(loop) : loop
  const call = tree.is(loop, "block", "do_block") ? tree.parent(loop) : tree.parent(tree.parent(argument))
  return tree.textOf(call === NONE ? NONE : tree.firstChild(call)).slice(0, 200)
}

const isCounted = [
  "while_statement",
  "do_statement",
  "while",
  "until",
  "loop_expression",
  "while_modifier",
  "until_modifier"
]

/** The call that runs a callback, and what it is called on; "" for a plain function. */
const receiverOf = (tree: FlatTree, callback: number): string => {
  const argument = tree.is(tree.parent(callback), "argument") ? tree.parent(callback) : callback
  const call = tree.parent(tree.parent(argument))
  const callee = tree.child(call, "function")
  const target = callee === NONE ? tree.child(call, "object") : tree.firstChild(callee)
  return target === NONE || (callee !== NONE && tree.is(callee, "identifier")) ? "" : tree.textOf(target).slice(-400)
}

const streams =
  /\bstream\(|[sS]tream\s*\(?$|parallelStream\(|\bStream\b|\b(?:Int|Long)Stream\b|\bentrySet\(|\bvalues\(|\bkeySet\(/
const inMemory = /\.(?:ToList|ToArray|AsEnumerable|ToHashSet|ToDictionary|Keys|Values)(?:Async)?\b/
const listType =
  /^(?:System\.Collections\.Generic\.)?(?:List|IList|ICollection|IReadOnly\w+|HashSet|ISet|Dictionary|IDictionary|Collection|Queue|Stack)<|\[\]$/

/**
 * Whether a callback runs once for each element in memory. A query builder translates its lambda into one query, and
 * `flatMap` of an optional, a promise or a reactive publisher passes on one value.
 */
const runsPerElement = (file: SourceFile, tree: FlatTree, callback: number): boolean => {
  const receiver = receiverOf(tree, callback)
  switch (file.language) {
    case "csharp": {
      if (inMemory.test(receiver)) return true
      const type = /^\w+$/.test(receiver) ? declaredType(file, receiver) : null
      return type !== null && listType.test(type)
    }
    case "java":
      return streams.test(receiver) || /^forEach/.test(methodBefore(tree, callback))
    case "typescript":
    case "tsx":
    case "javascript":
      // `map(…)` of RxJS, `Effect.map`, `Option.flatMap`: functions over one value.
      return receiver !== "" && !(/^[A-Z]\w*$/.test(receiver) && !/^(?:Promise|Bluebird|[A-Z_]+)$/.test(receiver))
    default:
      return true
  }
}

/** Name of the method that a Java lambda is passed to. */
const methodBefore = (tree: FlatTree, callback: number): string =>
  tree.textOf(tree.child(tree.parent(tree.parent(callback)), "name"))

const callbacks = ["lambda_expression", "arrow_function", "function_expression"]

const isPerElement = (file: SourceFile, tree: FlatTree, loop: number): boolean => {
  if (loop === NONE || tree.is(loop, ...isCounted)) return false
  if (tree.is(loop, ...callbacks) && !runsPerElement(file, tree, loop)) return false
  if (
    tree.is(loop, "for_statement") &&
    tree.child(loop, "left") === NONE &&
    tree.childOfKind(loop, "range_clause") === NONE
  ) {
    // A counter may count attempts or pages; one over elements has the bound of a list.
    return /\.(?:length|size|Count|Length)\b|\bcount\(|\blen\(/.test(
      tree.text.slice(tree.start(loop), tree.start(loop) + 200).split("{", 1)[0]!
    )
  }
  const iterable = iterableOf(tree, loop)
  return !isFew.test(iterable) && !isBatched.test(iterable)
}

const guard =
  /cache|memo|\bnot in\b|\.has\(|isset|\bnil\b|undefined|key\?|include\?|containsKey|ContainsKey|loaded|known|seen/i

/** The query runs only for values that have not been loaded before. */
const isRemembered = (tree: FlatTree, node: number, loop: number): boolean => {
  for (let up = tree.parent(node); up !== loop && up !== NONE; up = tree.parent(up)) {
    if (tree.is(up, "if_statement", "if", "unless", "if_modifier", "unless_modifier")) {
      if (guard.test(tree.textOf(tree.child(up, "condition")))) return true
    }
    if (
      tree.is(up, "operator_assignment", "augmented_assignment_expression") &&
      /\|\|=|\?\?=/.test(tree.textOf(up).slice(0, 120))
    )
      return true
    if (tree.is(up, "lambda_expression") || /computeIfAbsent|fetch\(/.test(tree.textOf(up).slice(0, 60))) return false
  }
  return false
}

const isBatch = /^(?:batch|chunk|page|slice|ids|offset|attempt|retry)$/i

/** `Order.where(…).update_all(…)`, `Item.objects.filter(…).delete()`: one statement changes what it names. */
const isWritten = (tree: FlatTree, node: number): boolean => {
  for (let at = tree.parent(node); tree.is(at, "call", "attribute"); at = tree.parent(at)) {
    const method = tree.is(at, "call") ? tree.child(at, "method") : tree.child(at, "attribute")
    if (method !== NONE && /^(?:update|delete|destroy|touch|increment|insert)/.test(tree.textOf(method))) return true
  }
  return false
}

/** Methods of Django's query sets that run nothing by themselves. */
const lazy =
  /^(?:filter|exclude|values|values_list|order_by|distinct|annotate|select_related|prefetch_related|only|defer|using)$/

/** `pages |= Page.objects.filter(…)`, `id__in=Item.objects.filter(…)`: parts of one query that runs later. */
const isComposed = (file: SourceFile, tree: FlatTree, { node, method }: Call): boolean => {
  if (file.language !== "python" || !lazy.test(method)) return false
  let at = node
  for (;;) {
    const attribute = tree.parent(at)
    const call = tree.parent(attribute)
    if (!tree.is(attribute, "attribute") || !tree.is(call, "call")) break
    if (!lazy.test(tree.textOf(tree.child(attribute, "attribute")))) return false
    at = call
  }
  const parent = tree.parent(at)
  if (tree.is(parent, "augmented_assignment", "binary_operator"))
    return /[|&]=?/.test(tree.textOf(tree.child(parent, "operator")))
  return tree.is(parent, "keyword_argument") && tree.textOf(tree.child(parent, "name")).endsWith("__in")
}

/** A query set that gets a name and is handed only to what puts it into another query: it runs as a part of that one. */
const isSubquery = (file: SourceFile, tree: FlatTree, { node, method }: Call): boolean => {
  if (file.language !== "python" || !lazy.test(method)) return false
  const text = tree.textOf(node).slice(0, 1_000)
  if (/\bOuterRef\(/.test(text)) return true
  const holder = tree.parent(node)
  if (!tree.is(holder, "assignment") || !tree.is(tree.child(holder, "left"), "identifier")) return false
  const name = tree.textOf(tree.child(holder, "left"))
  const rest = file.text.slice(tree.end(holder), tree.end(holder) + 4_000)
  return new RegExp(`\\b(?:Exists|Subquery)\\(\\s*${name}\\b|__in\\s*=\\s*${name}\\b`).test(rest)
}

/** In the handler of a failure, or behind `x.y or`: most rounds do not get here. */
const isRare = (tree: FlatTree, node: number, loop: number): boolean => {
  for (let at = node; at !== loop && at !== NONE; at = tree.parent(at)) {
    const up = tree.parent(at)
    if (tree.is(at, "except_clause", "catch_clause", "rescue")) return true
    if (!tree.is(up, "boolean_operator", "binary_expression", "binary") || tree.child(up, "right") !== at) continue
    const isFallback = /^(?:or|\|\||\?\?)$/.test(tree.textOf(tree.child(up, "operator")))
    if (isFallback && /^[\w$@]+(?:[.?!>-]+\w+)+$/.test(tree.textOf(tree.child(up, "left")))) return true
  }
  return false
}

/** What prepares a test or clears up after it. */
const isSetUp = (file: SourceFile, tree: FlatTree, node: number): boolean => {
  const around = enclosingFunction(file, node)
  if (around === null) return false
  const holder = tree.parent(around.node)
  if (tree.is(holder, "decorated_definition") && /^@(?:\w+\.)*fixture\b/.test(tree.textOf(holder).slice(0, 80)))
    return true
  return /^(?:set_?up|tear_?down)(?:_?(?:class|module|method|test_?data))?$/i.test(around.name?.split(".").at(-1) ?? "")
}

/** Variables among the arguments; for an association also its owner. */
const variablesOf = (
  file: SourceFile,
  tree: FlatTree,
  { args, named, receiverNode, receiver }: Call
): ReadonlyArray<string> => {
  const text = [...args, ...named.values()].map((node) => tree.textOf(node).slice(0, 300)).join(" ")
  const pattern = file.language === "php" ? /\$(\w+)/g : /(?<![\w.$:])[A-Za-z_]\w*(?!\s*[:(])/g
  const found = (text.match(pattern) ?? []).map((word) => word.replace("$", ""))
  const isAssociation = file.language === "ruby" && tree.is(receiverNode, "call") && /^[a-z]/.test(receiver ?? "")
  return isAssociation ? [...found, (receiver ?? "").split(".", 1)[0]!] : found
}

/** Each round reads another table: `SELECT count(*) FROM {table}`, `session.query(model)`. No one query reads them all. */
const namesTable = (tree: FlatTree, { args, method }: Call, used: string): boolean => {
  const text = args.map((node) => tree.textOf(node).slice(0, 600)).join(" ")
  const isModel = /^(?:query|select)$/.test(method) && text.trim() === used
  const placed = "(?:\\{|\\$\\{|#\\{|\\{\\$|\\$|[\"'`]\\s*(?:\\+|\\.|\\|\\|)\\s*)"
  return isModel || new RegExp(`\\b(?:FROM|JOIN)\\s+["'\`[]*${placed}(?:[\\w.]+\\()?\\$?${used}\\b`, "i").test(text)
}

const inspectCall = (file: SourceFile, tree: FlatTree, call: Call, emit: Emit<RuleId>): void => {
  const loop = loopAround(file, call.node)
  if (!isPerElement(file, tree, loop) || !isQuery(file, tree, call)) return
  if (isWritten(tree, call.node) || isComposed(file, tree, call) || isSubquery(file, tree, call)) return
  if (isRare(tree, call.node, loop) || isSetUp(file, tree, call.node)) return
  const names = loopNames(file, tree, loop)
  const used = variablesOf(file, tree, call).find((word) => names.has(word))
  if (used === undefined || isBatch.test(used) || isRemembered(tree, call.node, loop)) return
  if (namesTable(tree, call, used)) return
  const message = `${excerpt(tree, call.node)} runs one query for each \`${used}\` of the loop.`
  const steps = [{ ...headSpan(tree, loop), note: "This loop repeats the query." }]
  emit({ rule: "query_in_loop", ...span(tree, call.node), message, identifiers: [call.method], steps })
}

export const inspectLoops = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  if (onceOnly.test(file.path)) return
  for (const call of calls(file)) if (mayQuery.test(call.method)) inspectCall(file, tree, call, emit)
}

const mayQuery =
  /^(?:find|count|exist|get|filter|exclude|first|last|values|aggregate|query|scalar|execute|fetch|where|pluck|mysql|pg_|select|prepare|create(?:Native|Named)?Query|First|Single|Find|Any|Count|ToList|ToArray|Load|Max|Min|Sum|Query|Execute|Get|Select|\$queryRaw|distinct|one|any|all|raw|manyOrNone)/
