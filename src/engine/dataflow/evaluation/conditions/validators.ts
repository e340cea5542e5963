import type { Call, FunctionInfo } from "../../../languages/syntax/Syntax.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { truthOf } from "../../values/folding.ts"
import { Scope } from "../../values/Scope.ts"
import { ALL_KINDS, type Callable, type EnclosingScope, tainted, taintsOf } from "../../values/Value.ts"
import type { Cleared } from "../checks.ts"
import { type Checks, newFrame, originAt, type Run, roleOf } from "../Run.ts"
import { writtenIn } from "./constancy.ts"

const MAX_LENGTH = 4_000
const MAX_PARAMETERS = 6

/** A function of the file that a call in a condition may mean, and how many of its parameters stand before the arguments. */
const ownFunction = (run: Run, call: Call): { readonly info: FunctionInfo; readonly before: number } | null => {
  const own = call.receiver === null || /^(?:self|this|cls)$/.test(call.receiver)
  const owner = own ? run.index.className(call.node) : null
  const info =
    (own ? undefined : run.index.named(call.callee, call.args.length)) ??
    (owner === null ? undefined : run.index.named(`${owner}.${call.method}`, call.args.length)) ??
    run.index.named(call.callee, call.args.length)
  if (info === undefined || info.body === NONE) return null
  return { info, before: /^(?:self|cls)$/.test(info.parameters[0]?.name ?? "") ? 1 : 0 }
}

/** What the function makes sure of about its parameters; null where it is too large, or asked for while it runs. */
const checksOf = (run: Run, info: FunctionInfo): Checks | null => {
  const known = run.checks.get(info.node)
  if (known !== undefined) return known
  run.checks.set(info.node, null)
  const checks = findChecks(run, info, run.module)
  run.checks.set(info.node, checks)
  return checks
}

const findChecks = (run: Run, info: FunctionInfo, around: EnclosingScope): Checks | null => {
  const { tree, syntax } = run
  const isLarge = tree.end(info.body) - tree.start(info.body) > MAX_LENGTH || info.parameters.length > MAX_PARAMETERS
  if (isLarge || !syntax.functionKinds.includes(tree.kind(info.node))) return null
  const all = () => info.parameters.map(() => ALL_KINDS)
  const checks: Checks = { onTrue: all(), onFalse: all(), onReturn: all() }
  const outer = run.frame
  run.frame = { ...newFrame(info), checks }
  const scope = entered(run, info, around)
  run.execute(run, scope, info.body)
  if (roleOf(run, info.body) !== "block") noteReturn(run, scope, info.body)
  else if (!scope.dead) noteReturn(run, scope, NONE)
  run.frame = outer
  return checks
}

/** Kinds of sinks that an element is harmless to which a closure lets pass a filter. */
export const passedByFilter = (run: Run, callable: Callable): number => {
  const info = run.index.byNode.get(callable.node)
  if (info === undefined || info.parameters.length !== 1 || callable.scope === null) return 0
  return findChecks(run, info, callable.scope)?.onTrue[0] ?? 0
}

const entered = (run: Run, info: FunctionInfo, around: EnclosingScope): Scope => {
  const scope = new Scope(around)
  info.parameters.forEach((parameter, index) => {
    const origin = originAt(run, parameter.node, {
      kind: "parameter",
      name: parameter.name,
      path: "",
      index,
      property: ""
    })
    scope.declare(parameter.name, tainted({ origin, trail: null, safe: 0 }))
  })
  return scope
}

/** A path of a validator ends, answering the value of `node`; NONE stands for nothing. */
export const noteReturn = (run: Run, scope: Scope, node: number): void => {
  const { checks, info } = run.frame
  if (checks === null || info === null) return
  narrow(run, scope, info, checks.onReturn)
  const truth = node === NONE ? false : answerAt(run, scope, node)
  for (const [holds, kinds] of [
    [true, checks.onTrue],
    [false, checks.onFalse]
  ] as const) {
    if (truth === !holds) continue
    const path = scope.copy()
    if (node !== NONE) run.refine(run, path, node, holds)
    narrow(run, path, info, kinds)
  }
}

/** Go answers nil where nothing is wrong, or an error. */
const answerAt = (run: Run, scope: Scope, node: number): boolean | null => {
  const { constant } = run.expression(run, scope, node)
  if (constant === null) return false
  const isError =
    run.file.language === "go" &&
    /^(?:errors\.|fmt\.Errorf\b|&?\w*Err(?:or)?[A-Z{(]|Err|err$)/.test(run.tree.textOf(node))
  return isError ? true : truthOf(run.file.language, constant)
}

/** Only what holds on every such path counts. */
const narrow = (run: Run, scope: Scope, info: FunctionInfo, kinds: Array<number>): void => {
  const written = writtenIn(run, info.body)
  info.parameters.forEach(({ name }, index) => {
    const value = scope.get(name)
    const taints = value === undefined ? [] : taintsOf(value)
    const isClean = value?.type === "clean" || value?.type === "number"
    const own =
      taints.length === 0 ? (isClean ? ALL_KINDS : 0) : taints.reduce((all, { safe }) => all & safe, ALL_KINDS)
    kinds[index] = written.has(name) ? 0 : kinds[index]! & own
  })
}

const cleared = (call: Call, before: number, kinds: ReadonlyArray<number>): ReadonlyArray<Cleared> =>
  call.args.flatMap((node, i): ReadonlyArray<Cleared> => {
    const safe = kinds[i + before] ?? 0
    return safe === 0 ? [] : [{ node, kinds: safe }]
  })

/** `if not is_valid(x): return`: what the answer of a function of the file says about its arguments. */
export const checkedByOwn = (run: Run, call: Call, holds: boolean): ReadonlyArray<Cleared> => {
  const own = call.args.length === 0 ? null : ownFunction(run, call)
  const checks = own === null ? null : checksOf(run, own.info)
  return checks === null ? [] : cleared(call, own!.before, holds ? checks.onTrue : checks.onFalse)
}

/** `require_valid(x)` as a statement: it came back, so its arguments are what it lets pass. */
export const checkedByReturn = (run: Run, call: Call): ReadonlyArray<Cleared> => {
  const own = call.args.length === 0 ? null : ownFunction(run, call)
  const checks = own === null ? null : checksOf(run, own.info)
  return checks === null ? [] : cleared(call, own!.before, checks.onReturn)
}
