import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import { type Analysis, join, type State } from "./Analysis.ts"
import { type NativeFunction, plain } from "./functions.ts"

/** Deeper code is generated; walking it would need more stack than there is. */
const MAX_DEPTH = 250

class TooDeep extends Error {}

/** Follows all paths through a function once; a loop is entered no second time. False where the code is too deep. */
export const walkPaths = (tree: FlatTree, fn: NativeFunction, analysis: Analysis, initial: State): boolean => {
  try {
    const walk = new Walk(tree, fn.body, analysis)
    const last = walk.statement(fn.body, initial)
    if (last !== null) analysis.leave(last, fn.body)
    return true
  } catch (error) {
    if (error instanceof TooDeep) return false
    throw error
  }
}

interface Loop {
  breaks: State | null
  continues: State | null
}

const likely =
  /^(?:likely|unlikely|__builtin_expect|LIKELY|UNLIKELY|G_LIKELY|G_UNLIKELY|__glibc_likely|__glibc_unlikely|__predict_true|__predict_false)$/

/** `LIST_FOREACH(…) { … }`: a call without a semicolon, whose block is run any number of times. */
const isMacroLoop = (tree: FlatTree, node: number): boolean =>
  tree.is(node, "expression_statement") && !tree.textOf(node).endsWith(";")

const lastJumpsIn = (tree: FlatTree, body: number): ReadonlyMap<string, number> =>
  new Map([...tree.within(body, "goto_statement")].map((node) => [tree.textOf(tree.child(node, "label")), node]))

class Walk {
  private readonly tree: FlatTree
  private readonly body: number
  private readonly analysis: Analysis
  private readonly loops: Array<Loop> = []
  private readonly breakable: Array<Loop> = []
  private readonly labels = new Map<string, State | null>()
  private lastJumps: ReadonlyMap<string, number> | undefined
  private depth = 0

  constructor(tree: FlatTree, body: number, analysis: Analysis) {
    this.tree = tree
    this.body = body
    this.analysis = analysis
  }

  statement(node: number, state: State | null): State | null {
    if (++this.depth > MAX_DEPTH) throw new TooDeep()
    const after = this.statementOf(node, state)
    this.depth--
    return after
  }

  private statementOf(node: number, state: State | null): State | null {
    const { tree } = this
    const kind = tree.kind(node)
    if (kind === "labeled_statement") return this.labeled(node, state)
    if (kind === "compound_statement" || kind === "else_clause" || kind === "case_statement")
      return this.sequence(node, state)
    if (state === null) return this.unreached(node)
    switch (kind) {
      case "if_statement":
        return this.branch(node, state)
      case "while_statement":
      case "for_statement":
      case "for_range_loop":
      case "do_statement":
        return this.loop(node, state)
      case "switch_statement":
        return this.choice(node, state)
      case "return_statement":
      case "throw_statement":
      case "co_return_statement":
        return this.leaving(node, state)
      case "goto_statement":
        this.jump(node, state)
        return null
      case "break_statement":
        return this.breaking(state)
      case "continue_statement":
        if (this.loops.length > 0) this.loops.at(-1)!.continues = join(this.loops.at(-1)!.continues, state)
        return null
      case "declaration":
        return this.declaration(node, state)
      case "try_statement":
        return this.attempt(node, state)
      default:
        return this.expression(node, state)
    }
  }

  /** Code behind a jump is reached through its labels only. */
  private unreached(node: number): State | null {
    let state: State | null = null
    for (const label of this.tree.within(node, "labeled_statement")) {
      if (label !== node) state = join(state, this.statement(label, null))
    }
    return state
  }

  private sequence(node: number, state: State | null, before?: (state: State | null) => void): State | null {
    const { tree } = this
    let at = state
    let previous = NONE
    for (const child of tree.namedChildren(node)) {
      if (tree.fieldOf(child) === "value") continue
      before?.(at)
      const after = this.statement(child, at)
      at = tree.is(child, "compound_statement") && isMacroLoop(tree, previous) ? join(at, after) : after
      previous = child
    }
    return at
  }

  private labeled(node: number, state: State | null): State | null {
    const [label, ...rest] = this.tree.namedChildren(node)
    const arriving = label === undefined ? null : (this.labels.get(this.tree.textOf(label)) ?? null)
    let at = join(state, arriving)
    if (at !== null && label !== undefined && this.isJumpedBackTo(node, this.tree.textOf(label))) {
      at = this.repeated(at, this.body)
    }
    for (const child of rest) at = this.statement(child, at)
    return at
  }

  /** A `break` without a loop belongs to a macro that is one. */
  private breaking(state: State): State | null {
    const frame = this.breakable.at(-1)
    if (frame === undefined) return state
    frame.breaks = join(frame.breaks, state)
    return null
  }

  private isJumpedBackTo(node: number, label: string): boolean {
    this.lastJumps ??= lastJumpsIn(this.tree, this.body)
    return (this.lastJumps.get(label) ?? NONE) > node
  }

  private jump(node: number, state: State): void {
    const label = this.tree.textOf(this.tree.child(node, "label"))
    this.labels.set(label, join(this.labels.get(label) ?? null, state))
  }

  private leaving(node: number, state: State): State | null {
    let at: State | null = state
    for (const child of this.tree.namedChildren(node)) if (at !== null) at = this.expression(child, at)
    if (at !== null) this.analysis.leave(at, node)
    return null
  }

  private branch(node: number, state: State): State | null {
    const { tree } = this
    const [holds, fails] = this.condition(this.conditionOf(node), state)
    const consequence = this.statement(tree.child(node, "consequence"), holds)
    const alternative = tree.child(node, "alternative")
    return join(consequence, alternative === NONE ? fails : this.statement(alternative, fails))
  }

  /** The condition itself, without its parentheses. */
  private conditionOf(node: number): number {
    const condition = this.tree.child(node, "condition")
    if (!this.tree.is(condition, "condition_clause")) return condition
    const value = this.tree.child(condition, "value")
    return value === NONE ? condition : value
  }

  private loop(node: number, state: State): State | null {
    const { tree } = this
    let at: State | null = state
    const initializer = tree.child(node, "initializer")
    if (initializer !== NONE)
      at = tree.is(initializer, "declaration") ? this.declaration(initializer, at) : this.expression(initializer, at)
    if (tree.is(node, "for_range_loop") && at !== null) at = this.expression(tree.child(node, "right"), at)
    if (at === null) return null
    at = this.repeated(at, node)
    const condition = this.conditionOf(node)
    const isChecked = condition !== NONE && !tree.is(node, "do_statement")
    const [enter, skip] = isChecked ? this.condition(condition, at) : [at, tree.is(node, "for_range_loop") ? at : null]
    const frame: Loop = { breaks: null, continues: null }
    this.loops.push(frame)
    this.breakable.push(frame)
    let end = this.statement(tree.child(node, "body"), enter)
    this.loops.pop()
    this.breakable.pop()
    end = join(end, frame.continues)
    const update = tree.child(node, "update")
    if (update !== NONE && end !== null) end = this.expression(update, end)
    return join(join(skip, frame.breaks), this.afterRound(node, condition, end))
  }

  private repeated(state: State, node: number): State {
    return this.analysis.repeat === undefined ? state : this.analysis.repeat(state, node)
  }

  /** The state with which a loop ends after a round. */
  private afterRound(node: number, condition: number, end: State | null): State | null {
    if (end === null) return null
    if (condition === NONE) return this.tree.is(node, "for_range_loop") ? end : null
    return this.condition(condition, end)[1]
  }

  private choice(node: number, state: State): State | null {
    const { tree } = this
    const entry = this.expression(this.conditionOf(node), state)
    const frame: Loop = { breaks: null, continues: null }
    this.breakable.push(frame)
    let at: State | null = null
    let hasDefault = false
    for (const child of tree.namedChildren(tree.child(node, "body"))) {
      if (tree.is(child, "case_statement")) {
        hasDefault ||= tree.child(child, "value") === NONE
        at = join(at, entry)
      }
      at = this.statement(child, at)
    }
    this.breakable.pop()
    return join(join(at, frame.breaks), hasDefault ? null : entry)
  }

  /** A handler may be reached from each statement of the block, but not from behind the last one: nothing is left that throws. */
  private attempt(node: number, state: State): State | null {
    const { tree } = this
    let thrown: State | null = state
    let after = this.sequence(tree.child(node, "body"), state, (before) => {
      thrown = join(thrown, before)
    })
    for (const handler of tree.namedChildren(node)) {
      if (!tree.is(handler, "catch_clause")) continue
      after = join(after, this.statement(tree.child(handler, "body"), thrown))
    }
    return after
  }

  private declaration(node: number, state: State | null): State | null {
    let at = state
    for (const declarator of this.tree.childrenOfField(node, "declarator")) {
      if (at === null) return null
      if (!this.tree.is(declarator, "init_declarator")) {
        at = this.analysis.declare(at, declarator)
        continue
      }
      const value = this.tree.child(declarator, "value")
      at = this.expression(value, at)
      if (at !== null) at = this.analysis.assign(at, this.tree.child(declarator, "declarator"), value, "=")
    }
    return at
  }

  /** The states in which a condition holds and in which it does not. */
  condition(node: number, state: State): readonly [State | null, State | null] {
    if (++this.depth > MAX_DEPTH) throw new TooDeep()
    const states = this.conditionStates(node, state)
    this.depth--
    return states
  }

  private conditionStates(node: number, state: State): readonly [State | null, State | null] {
    const { tree } = this
    const at = this.bare(node)
    if (tree.is(at, "unary_expression") && tree.textOf(tree.child(at, "operator")) === "!") {
      const [holds, fails] = this.condition(tree.child(at, "argument"), state)
      return [fails, holds]
    }
    const operator = tree.is(at, "binary_expression") ? tree.textOf(tree.child(at, "operator")) : ""
    if (operator === "&&" || operator === "||") {
      const [holds, fails] = this.condition(tree.child(at, "left"), state)
      const next = operator === "&&" ? holds : fails
      const [second, third] = next === null ? [null, null] : this.condition(tree.child(at, "right"), next)
      return operator === "&&" ? [second, join(fails, third)] : [join(holds, second), third]
    }
    if (tree.is(at, "number_literal", "true", "false")) {
      const isTrue = !/^(?:0|false)$/.test(tree.textOf(at))
      return isTrue ? [state, null] : [null, state]
    }
    const after = this.expression(at, state)
    if (after === null) return [null, null]
    return [this.analysis.refine(after, at, true), this.analysis.refine(after, at, false)]
  }

  /** Through parentheses and the marks of likely branches. */
  private bare(node: number): number {
    const { tree } = this
    let at = plain(tree, node)
    while (tree.is(at, "call_expression") && likely.test(tree.textOf(tree.child(at, "function")))) {
      const first = tree.namedChildren(tree.child(at, "arguments"))[0]
      if (first === undefined) break
      at = plain(tree, first)
    }
    return at
  }

  expression(node: number, state: State | null): State | null {
    if (state === null || node === NONE) return state
    if (++this.depth > MAX_DEPTH) throw new TooDeep()
    const after = this.expressionOf(node, state)
    this.depth--
    return after
  }

  private expressionOf(node: number, state: State): State | null {
    const { tree, analysis } = this
    switch (tree.kind(node)) {
      case "identifier":
        return analysis.read(state, node)
      case "sizeof_expression":
      case "alignof_expression":
      case "decltype":
      case "string_literal":
      case "number_literal":
      case "comment":
        return state
      case "assignment_expression":
        return this.assignment(node, state)
      case "binary_expression":
        return this.binary(node, state)
      case "conditional_expression": {
        const [holds, fails] = this.condition(tree.child(node, "condition"), state)
        return join(
          this.expression(tree.child(node, "consequence"), holds),
          this.expression(tree.child(node, "alternative"), fails)
        )
      }
      case "call_expression": {
        const callee = tree.child(node, "function")
        let at: State | null = tree.is(callee, "identifier") ? state : this.expression(callee, state)
        for (const argument of tree.namedChildren(tree.child(node, "arguments"))) at = this.expression(argument, at)
        return at === null ? null : analysis.call(at, node)
      }
      case "delete_expression": {
        const at = this.children(node, state)
        return at === null || analysis.remove === undefined ? at : analysis.remove(at, node)
      }
      default:
        return this.children(node, state)
    }
  }

  private children(node: number, state: State): State | null {
    let at: State | null = state
    for (const child of this.tree.namedChildren(node)) at = this.nested(child, at)
    return at
  }

  /** Statements stand inside of expressions, too: in macros' arguments and in statement expressions. */
  private nested(child: number, state: State | null): State | null {
    return /_statement$|^declaration$|_loop$/.test(this.tree.kind(child))
      ? this.statement(child, state)
      : this.expression(child, state)
  }

  private assignment(node: number, state: State): State | null {
    const { tree } = this
    const target = tree.child(node, "left")
    const value = tree.child(node, "right")
    const operator = tree.textOf(tree.child(node, "operator"))
    let at = this.expression(value, state)
    // Macros put their parameters in parentheses, what they assign, too.
    const isPlain = operator === "=" && tree.is(plain(tree, target), "identifier")
    if (!isPlain) at = this.expression(target, at)
    return at === null ? null : this.analysis.assign(at, target, value, operator)
  }

  private binary(node: number, state: State): State | null {
    const operator = this.tree.textOf(this.tree.child(node, "operator"))
    if (operator === "&&" || operator === "||") {
      const [holds, fails] = this.conditionStates(node, state)
      return join(holds, fails)
    }
    return this.expression(this.tree.child(node, "right"), this.expression(this.tree.child(node, "left"), state))
  }
}
