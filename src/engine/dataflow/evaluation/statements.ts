import { NONE } from "../../languages/tree/FlatTree.ts"
import { reachWord } from "../sinks/sinks.ts"
import { anyElement, elementsOf } from "../values/elements.ts"
import { truthOf } from "../values/folding.ts"
import { merge } from "../values/places.ts"
import { Scope } from "../values/Scope.ts"
import {
  collection,
  isTainted,
  join,
  unknown,
  type Value,
  withoutConstant,
  withStep,
  withType
} from "../values/Value.ts"
import { addField, bind } from "./binding.ts"
import { namedCallable } from "./closures.ts"
import { writtenIn } from "./conditions/constancy.ts"
import { noteReturn } from "./conditions/validators.ts"
import { refine } from "./conditions.ts"
import { evaluate } from "./evaluate.ts"
import { bindKey } from "./phpExpressions.ts"
import { MAX_DEPTH, nodeField, type Run, roleOf } from "./Run.ts"
import { choose } from "./switches.ts"

const MAX_ROUNDS = 4

/** What the condition of a loop is when its body never runs. */
const NEVER: Readonly<Record<string, boolean>> = {
  while_statement: false,
  for_statement: false,
  while: false,
  until: true
}

/** Run a statement (or evaluate an expression for its effects). */
export const execute = (run: Run, scope: Scope, node: number): void => {
  if (node === NONE || scope.dead || run.fuel-- < 0) return
  if (run.depth > MAX_DEPTH) return
  run.depth++
  try {
    statement(run, scope, node)
  } finally {
    run.depth--
  }
}

const statement = (run: Run, scope: Scope, node: number): void => {
  switch (roleOf(run, node)) {
    case "block":
      return isShown(run, node) ? shown(run, scope, node) : block(run, scope, node)
    case "if":
      return branch(run, scope, node)
    case "loop":
      return loop(run, scope, node)
    case "each":
      return each(run, scope, node)
    case "switch":
      return choose(run, scope, node)
    case "try":
      return attempt(run, scope, node)
    case "with":
      return within(run, scope, node)
    case "return":
      return run.tree.is(node, "yield_statement") ? hand(run, scope, node) : leave(run, scope, node)
    case "throw":
      for (const child of run.tree.namedChildren(node)) evaluate(run, scope, child)
      scope.dead = true
      return
    case "jump":
      run.frame.jumps?.push(scope.copy())
      scope.dead = true
      return
    case "skip":
      return
    default: {
      const value = evaluate(run, scope, node)
      if (run.language.implicitReturn === true) scope.value = value
    }
  }
}

/** `<?= $name ?>`. */
const isShown = (run: Run, node: number): boolean =>
  run.file.language === "php" &&
  run.tree.is(node - 1, "php_tag") &&
  run.tree.textOf(node - 1) === "<?=" &&
  run.tree.is(node, "expression_statement")

const shown = (run: Run, scope: Scope, node: number): void => {
  for (const part of run.tree.namedChildren(node)) reachWord(run, part, "echo", evaluate(run, scope, part), "<?=")
}

const block = (run: Run, scope: Scope, node: number): void => {
  if (run.file.language === "ruby" && run.tree.childOfKind(node, "rescue", "ensure") !== NONE) {
    return attempt(run, scope, node)
  }
  const children = run.tree.namedChildren(node)
  for (const child of children) {
    if (roleOf(run, child) === "function") namedCallable(run, scope, child)
  }
  for (const child of children) execute(run, scope, child)
}

const branch = (run: Run, scope: Scope, node: number): void => {
  execute(run, scope, run.tree.child(node, "initializer"))
  const condition = nodeField(run, node, "condition")
  const truth = truthOf(run.file.language, evaluate(run, scope, condition).constant)
  scope.value = null
  const yes = scope.copy()
  const no = scope.copy()
  const holds = !run.tree.is(node, "unless", "unless_modifier")
  if (truth !== null) (truth === holds ? no : yes).dead = true
  refine(run, yes, condition, holds)
  refine(run, no, condition, !holds)
  execute(run, yes, nodeField(run, node, "consequence", "body"))
  merge(run, scope, [yes, ...alternatives(run, no, node), no])
}

/** Where the branches of `else if` end that are listed beside each other; `no` is the path on which none is taken. */
const alternatives = (run: Run, no: Scope, node: number): ReadonlyArray<Scope> => {
  const all = run.tree.childrenOfField(node, "alternative")
  const ends: Array<Scope> = []
  for (const alternative of all) {
    if (no.dead) break
    const inner = run.tree.child(alternative, "condition")
    if (inner === NONE || roleOf(run, alternative) !== "if" || all.length === 1) {
      execute(run, no, alternative)
      continue
    }
    const decided = truthOf(run.file.language, evaluate(run, no, inner).constant)
    const taken = no.copy()
    if (decided !== null) (decided ? no : taken).dead = true
    refine(run, taken, inner, true)
    refine(run, no, inner, false)
    execute(run, taken, nodeField(run, alternative, "consequence", "body"))
    ends.push(taken)
  }
  return ends
}

/** The body may run never, once or often; what it leaves reaches its own beginning again. */
const repeat = (run: Run, scope: Scope, node: number, body: (inside: Scope) => void): void => {
  scope.enterLoop(writtenIn(run, node))
  const outerJumps = run.frame.jumps
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const vars = scope.all
    const before = scope.weight()
    const jumps: Array<Scope> = []
    run.frame.jumps = jumps
    const inside = scope.copy()
    body(inside)
    run.frame.jumps = outerJumps
    merge(run, scope, [scope.copy(), inside, ...jumps])
    if (scope.sameAs(vars) || scope.weight() === before) break
  }
}

const loop = (run: Run, scope: Scope, node: number): void => {
  const { tree } = run
  const clause = tree.childOfKind(node, "for_clause")
  const head = clause === NONE ? node : clause
  execute(run, scope, nodeField(run, head, "initializer", "init"))
  const condition = nodeField(run, head, "condition")
  scope.enterLoop(writtenIn(run, node))
  const isEndless = !tree.is(node, "do_statement") && condition !== NONE
  if (isEndless && truthOf(run.file.language, evaluate(run, scope, condition).constant) === NEVER[tree.kind(node)])
    return
  repeat(run, scope, node, (inside) => {
    evaluate(run, inside, condition)
    const own = nodeField(run, node, "body")
    if (own === NONE) for (const child of tree.namedChildren(node)) execute(run, inside, child)
    else execute(run, inside, own)
    const next = nodeField(run, head, "increment", "update")
    if (next !== NONE && !inside.dead) evaluate(run, inside, next)
  })
  // Python's loops have an `else`.
  execute(run, scope, nodeField(run, node, "alternative"))
}

/** `for (MultipartFile file : files)`: the loop says what its elements are where nothing else does. */
const declaredElement = (run: Run, node: number, element: Value): Value => {
  const type = run.tree.child(node, "type")
  if (type === NONE || element.type !== null) return element
  return withType(element, run.language.declaredType(run.file, run.tree.textOf(type)))
}

const each = (run: Run, scope: Scope, node: number): void => {
  const { tree } = run
  const range = tree.childOfKind(node, "range_clause")
  const head = range === NONE ? node : range
  const isListed = tree.is(node, "foreach_statement") && tree.child(node, "right") === NONE
  const listed = isListed ? tree.namedChildren(node) : []
  const right = listed[0] ?? nodeField(run, head, "right", "value")
  if (right === NONE) return loop(run, scope, node)
  const items = evaluate(run, scope, right)
  const target = listed[1] ?? nodeField(run, head, "left", "name", "pattern")
  const left = tree.is(target, "foreach_pair", "pair") ? (tree.namedChildren(target)[1] ?? target) : target
  const element = declaredElement(
    run,
    node,
    withoutConstant(anyElement(scope, items) ?? (isTainted(items) ? join(elementsOf(items), items) : elementsOf(items)))
  )
  repeat(run, scope, node, (inside) => {
    // The position or key of `for i, v := range` is the first of two.
    const names = range !== NONE && tree.is(left, "expression_list") ? tree.namedChildren(left) : [left]
    if (names.length === 2) bind(run, inside, names[0]!, items.fields === null ? unknown("number") : unknown())
    if (run.file.language === "php") bindKey(run, inside, target, items)
    bind(run, inside, names.at(-1)!, element)
    execute(run, inside, nodeField(run, node, "body"))
  })
  execute(run, scope, nodeField(run, node, "alternative"))
}

const ownStatements = (run: Run, node: number): ReadonlyArray<number> =>
  run.tree.namedChildren(node).filter((child) => !run.tree.is(child, "rescue", "else", "ensure"))

const executeHandler = (run: Run, thrown: Scope, handler: number): Scope => {
  const caught = thrown.copy()
  for (const part of run.tree.namedChildren(handler)) execute(run, caught, part)
  return caught
}

const attempt = (run: Run, scope: Scope, node: number): void => {
  const { tree } = run
  const thrown = scope.copy()
  const tried = scope.watched(thrown)
  execute(run, tried, tree.child(node, "resources"))
  execute(run, tried, tree.child(node, "body"))
  if (run.file.language === "ruby") for (const child of ownStatements(run, node)) execute(run, tried, child)
  const ends: Array<Scope> = []
  const last: Array<number> = []
  for (const child of tree.namedChildren(node)) {
    if (tree.is(child, "catch_clause", "except_clause", "except_group_clause", "rescue")) {
      ends.push(executeHandler(run, thrown, child))
    } else if (tree.is(child, "else_clause", "else")) execute(run, tried, child)
    else if (tree.is(child, "finally_clause", "ensure")) last.push(child)
  }
  merge(run, scope, [tried, ...ends])
  for (const child of last) execute(run, scope.dead ? thrown : scope, child)
}

const within = (run: Run, scope: Scope, node: number): void => {
  for (const child of run.tree.namedChildren(node)) {
    if (roleOf(run, child) === "block") execute(run, scope, child)
    else evaluate(run, scope, child)
  }
}

/** `yield x;`: the value of a Java switch, or one element of what a C# function answers. */
const hand = (run: Run, scope: Scope, node: number): void => {
  const part = run.tree.namedChildren(node)[0]
  const value = part === undefined ? unknown() : evaluate(run, scope, part)
  if (run.file.language === "java") {
    scope.value = value
    run.frame.jumps?.push(scope.copy())
    scope.dead = true
  } else if (part === undefined) scope.dead = true
  else addReturn(run, several([withoutConstant(value)], "*"))
}

const leave = (run: Run, scope: Scope, node: number): void => {
  const { tree } = run
  const given = tree.namedChildren(node)
  const [first, ...others] = tree.is(given[0] ?? NONE, "argument_list") ? tree.namedChildren(given[0]!) : given
  if (first !== undefined) {
    const list = tree.is(first, "expression_list") ? tree.namedChildren(first) : [first, ...others]
    const values = list.map((part) => {
      const value = evaluate(run, scope, part)
      return withStep(value, tree.start(part), tree.end(part), "is returned")
    })
    const value = values[0]
    if (value !== undefined) answered(run, node, value)
    if (value !== undefined) addReturn(run, values.length === 1 ? value : several(values))
  }
  if (first === undefined) leaveNamed(run, scope)
  noteReturn(run, scope, lastOf(run, first ?? NONE))
  scope.dead = true
}

/** A Go function with named results returns what these hold. */
const leaveNamed = (run: Run, scope: Scope): void => {
  const { info } = run.frame
  if (run.file.language !== "go" || info === null) return
  const results = run.tree.child(info.node, "result")
  const names = run.tree.namedChildren(results).flatMap((one) => run.tree.childrenOfField(one, "name"))
  const values = names.map((name) => withoutConstant(scope.get(run.tree.textOf(name)) ?? unknown()))
  if (values.length > 0) addReturn(run, values.length === 1 ? values[0]! : several(values))
}

/** Of several results the last one says how it went. */
const lastOf = ({ tree, file }: Run, node: number): number =>
  file.language === "go" && tree.is(node, "expression_list") ? (tree.namedChildren(node).at(-1) ?? NONE) : node

/** `return value, err`. */
const several = (values: ReadonlyArray<Value>, name?: string): Value => {
  const all = collection()
  values.forEach((value, i) => addField(all, name ?? String(i), value))
  return all
}

/** A route's answer is as good as a call that sends it. */
const answered = (run: Run, node: number, value: Value): void => {
  const { info } = run.frame
  if (info !== null && isTainted(value) && run.language.answers?.(run.file, info) === true) {
    reachWord(run, node, "return", value)
  }
}

const addReturn = (run: Run, value: ReturnType<typeof unknown>): void => {
  // Another path may end without a return.
  run.frame.returns = withoutConstant(run.frame.returns === null ? value : join(run.frame.returns, value))
}

/** The value of a body: what its return statements give, or the expression itself. */
export const executeBody = (run: Run, scope: Scope, body: number): void => {
  if (roleOf(run, body) === "block") {
    execute(run, scope, body)
    if (!scope.dead && scope.value !== null) {
      if (run.language.implicitReturn === true) answered(run, run.tree.namedChildren(body).at(-1) ?? body, scope.value)
      addReturn(run, scope.value)
    }
  } else addReturn(run, evaluate(run, scope, body))
}
