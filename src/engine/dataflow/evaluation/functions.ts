import type { FunctionInfo, Parameter } from "../../languages/syntax/Syntax.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { Scope } from "../values/Scope.ts"
import { substitute } from "../values/substitute.ts"
import {
  type Callable,
  collection,
  deepTaintsOf,
  extended,
  follow,
  HTML,
  isWhole,
  type Origin,
  SOURCE,
  SPREAD,
  sanitised,
  tainted,
  taintsOf,
  unknown,
  type Value,
  withType
} from "../values/Value.ts"
import { addField, bind } from "./binding.ts"
import { isMarkupEscaper } from "./escapes.ts"
import { extendPath, sourceAt } from "./members.ts"
import {
  type ExternalCall,
  type FieldWrite,
  type Flow,
  type Frame,
  isInteresting,
  MAX_EXTERNALS,
  MAX_WRITES,
  newFrame,
  originAt,
  type Run,
  type Summary
} from "./Run.ts"
import { execute, executeBody } from "./statements.ts"

const isScript = /^(?:javascript|typescript|tsx)$/
const MAX_INLINE = 10
const MAX_FLOWS = 80
const MAX_FRAME_FLOWS = 2_000
/** To put arguments into a flow costs as much as some nodes. */
const FLOW_COST = 8

/** What a parameter holds when its function begins. */
const parameterValue = (
  run: Run,
  info: FunctionInfo,
  parameter: Parameter,
  index: number,
  labelled: boolean
): Value => {
  const role = run.language.parameter(run.file, info, parameter, index)
  if (role.clean === true) return unknown(role.type ?? "number")
  const node = parameter.node
  if (role.source !== undefined) {
    const name = /^[\w$]+$/.test(parameter.name) ? parameter.name : role.source
    const origin = originAt(run, node, { kind: "source", name, path: role.source, index: SOURCE, property: "" })
    return tainted({ origin, trail: null, safe: run.language.safeAtSource(role.source) }, role.type ?? null)
  }
  const type = role.type ?? null
  if (!labelled || /^(?:self|cls|this)$/.test(parameter.name)) return unknown(type)
  const origin = originAt(run, node, {
    kind: "parameter",
    name: /^[\w$]+$/.test(parameter.name) ? parameter.name : "",
    path: parameter.type ?? "",
    index,
    property: ""
  })
  return { ...tainted({ origin, trail: null, safe: 0 }), type }
}

const enter = (run: Run, info: FunctionInfo, scope: Scope, given: ReadonlyArray<Value> | null, labelled: boolean) => {
  const values = info.parameters.map((parameter, i) => {
    const own = parameterValue(run, info, parameter, i, labelled)
    const passed = given?.[i]
    const value =
      passed === undefined || own.type?.startsWith("http:") === true ? own : withType(passed, passed.type ?? own.type)
    bind(run, scope, targetOf(run, parameter), value)
    return value
  })
  if (namesArguments(run, info)) scope.declare("arguments", allArguments(run, info, values, given, labelled))
  // Go names its receiver, and may name its results.
  const receiver = run.tree.childOfKind(run.tree.child(info.node, "receiver"), "parameter_declaration")
  if (receiver !== NONE) {
    const type = run.language.declaredType(run.file, run.tree.textOf(run.tree.child(receiver, "type")))
    scope.declare(run.tree.textOf(run.tree.child(receiver, "name")), unknown(type))
  }
}

const argumentsName = /\barguments\b/

/** Functions of JavaScript may take what they are called with from `arguments`; arrows take that of the function around. */
const namesArguments = (run: Run, info: FunctionInfo): boolean =>
  isScript.test(run.file.language) &&
  run.file.memo(namesArguments, () => argumentsName.test(run.file.text)) &&
  !run.tree.is(info.node, "arrow_function") &&
  argumentsName.test(run.tree.textOf(info.body))

/** What `arguments` holds: the parameters, and what is passed beyond them. */
const allArguments = (
  run: Run,
  info: FunctionInfo,
  values: ReadonlyArray<Value>,
  given: ReadonlyArray<Value> | null,
  labelled: boolean
): Value => {
  const all = collection()
  const passed = given === null ? values : [...values, ...given.slice(values.length)]
  passed.forEach((value, i) => {
    addField(all, String(i), value)
  })
  if (!labelled) return all
  const index = info.parameters.length
  const origin = originAt(run, info.node, { kind: "parameter", name: "arguments", path: "", index, property: "" })
  addField(all, "*", tainted({ origin, trail: null, safe: 0 }))
  return all
}

const targetOf = (run: Run, parameter: Parameter): number => {
  const { tree } = run
  const at = parameter.node
  for (const field of ["pattern", "left", "name"]) {
    const inner = tree.child(at, field)
    if (inner !== NONE) return inner
  }
  if (
    tree.is(at, "rest_pattern", "typed_parameter", "list_splat_pattern", "dictionary_splat_pattern", "spread_parameter")
  ) {
    const inner = tree.namedChildren(at)[0] ?? NONE
    return tree.is(inner, "variable_declarator") ? tree.child(inner, "name") : inner
  }
  return at
}

/** Run what was only defined, with what the variables around it hold in the end. */
const runPending = (run: Run): void => {
  for (let round = 0; round < 3 && run.frame.pending.size > 0; round++) {
    const waiting = [...run.frame.pending]
    run.frame.pending.clear()
    for (const [node, scope] of waiting) if (isInteresting(run, node)) runClosure(run, { node, scope }, null)
  }
}

const active: Array<number> = []

/** A closure runs in the scope it was made in; its sinks are those of the function around it. */
export const runClosure = (run: Run, callable: Callable, given: ReadonlyArray<Value> | null): Value => {
  const info = run.index.byNode.get(callable.node)
  if (info === undefined || info.body === NONE) return unknown()
  run.frame.pending.delete(callable.node)
  if (active.length >= MAX_INLINE || active.includes(callable.node)) return unknown()
  const outer = run.frame
  const frame: Frame = { ...outer, returns: null, checks: null, jumps: null }
  const captured = callable.scope ?? run.module
  const wasDead = captured.dead
  captured.dead = false
  const scope = new Scope(captured)
  active.push(callable.node)
  run.frame = frame
  const isMember = run.tree.is(run.tree.parent(info.node), "pair", "return_statement", "object", "class_body")
  enter(run, info, scope, given, given === null && isMember)
  executeBody(run, scope, info.body)
  run.frame = outer
  active.pop()
  captured.dead = wasDead
  return isMarkupEscaper(run, info) ? sanitised(frame.returns ?? unknown(), HTML) : (frame.returns ?? unknown())
}

export const summaryOf = (run: Run, info: FunctionInfo): Summary | null => {
  const known = run.summaries.get(info.node)
  if (known === null) {
    // A recursive call sees nothing of the function it is in, so those in between are not known in full, either.
    for (const node of run.running.slice(run.running.indexOf(info.node) + 1)) run.partial.add(node)
    return null
  }
  if (known !== undefined) return known
  run.summaries.set(info.node, null)
  run.running.push(info.node)
  const outer = run.frame
  const waiting = active.splice(0)
  const frame = newFrame(info)
  run.frame = frame
  const scope = new Scope(run.module)
  enter(run, info, scope, null, true)
  if (info.body !== NONE) executeBody(run, scope, info.body)
  runPending(run)
  run.frame = outer
  active.push(...waiting)
  const writes = frame.writes.map((write) => ({ ...write, value: scope.own(write.path) ?? write.value }))
  const isEscaper = isMarkupEscaper(run, info)
  const returns = frame.returns !== null && isEscaper ? sanitised(frame.returns, HTML) : frame.returns
  const summary = { info, flows: unlike(frame.flows), externals: frame.externals, writes, returns }
  run.summaries.set(info.node, summary)
  run.running.pop()
  if (run.running.length === 0) {
    for (const node of run.partial) run.summaries.delete(node)
    run.partial.clear()
  }
  return summary
}

/** Loops and closures run more than once: of equal flows the one that knows most text stays. */
const unlike = (flows: ReadonlyArray<Flow>): ReadonlyArray<Flow> => {
  const best = new Map<string, Flow>()
  for (const flow of flows) {
    const { start, property, index } = flow.taint.origin
    const key = `${flow.start} ${flow.kind} ${start} ${property} ${index}`
    const known = best.get(key)
    if (known === undefined || known.value.text.length < flow.value.text.length) best.set(key, flow)
  }
  return [...best.values()].slice(0, MAX_FLOWS)
}

/** Run the top of the file: what it assigns is what functions find in free variables. */
export const runModule = (run: Run): void => {
  execute(run, run.module, 0)
  run.module.dead = false
}

const givenFor =
  (run: Run, node: number, info: FunctionInfo, args: ReadonlyArray<Value>) =>
  (origin: Origin): Value | null => {
    let value = args[origin.index] ?? unknown()
    if (origin.property === "") return value
    for (const name of origin.property.split(".")) {
      value =
        value.fields === null
          ? partOf(run, node, `${info.parameters[origin.index]?.name ?? ""}.${origin.property}`, value, name)
          : (value.fields.get(name) ?? value.fields.get("*") ?? value.fields.get(SPREAD) ?? unknown())
    }
    return value
  }

/** A part of what was given, of which only the access path is known: a part of the request may be a source. */
const partOf = (run: Run, node: number, shown: string, value: Value, name: string): Value => {
  const path = extendPath(value.type, name)
  if (path === null) return withType(value, path)
  if (run.language.cleanParts?.test(path) === true) return unknown(path)
  const isSource = taintsOf(value).some(({ origin }) => origin.kind === "source")
  return !isSource && run.language.sources.test(path) ? sourceAt(run, node, path, shown) : withType(value, path)
}

/** Calls the function makes of other files' functions, with what it was given this time. */
const passOn = (run: Run, externals: ReadonlyArray<ExternalCall>, given: (origin: Origin) => Value | null): void => {
  for (const external of externals) {
    if (run.frame.externals.length >= MAX_EXTERNALS || run.fuel-- < 0) return
    // Its own source is reported where the function is analysed by itself.
    if (!external.args.some((arg) => deepTaintsOf(arg).some((taint) => taint.origin.kind === "parameter"))) continue
    const args = external.args.map((arg) => substitute(arg, given))
    if (args.some((arg) => deepTaintsOf(arg).length > 0)) run.frame.externals.push({ ...external, args })
  }
}

/** What a method writes to fields of its object, with what it was given this time. */
const passWrites = (run: Run, writes: ReadonlyArray<FieldWrite>, given: (origin: Origin) => Value | null): void => {
  for (const write of writes) {
    if (run.frame.writes.length >= MAX_WRITES || run.fuel-- < 0) return
    if (!deepTaintsOf(write.value).some(({ origin }) => origin.kind === "parameter")) continue
    const value = substitute(write.value, given)
    if (deepTaintsOf(value).length > 0) run.frame.writes.push({ ...write, path: "", value })
  }
}

/** Flows that a summary's flow becomes where its function is called. */
const applyFlow = (run: Run, node: number, name: string, flow: Flow, given: (origin: Origin) => Value | null): void => {
  const start = run.tree.start(node)
  const end = run.tree.end(node)
  const arg = given(flow.taint.origin) ?? unknown()
  const isWrapper = isWhole(flow.value)
  for (const taint of deepTaintsOf(arg)) {
    if ((taint.safe & flow.kind) !== 0) continue
    const passed = follow(extended(taint, start, end, `is passed to \`${name}\``), flow.taint)
    run.frame.flows.push({
      ...flow,
      ...(isWrapper ? { start, end, within: run.frame.info?.name ?? null } : {}),
      value: substitute(flow.value, given),
      taint: { ...passed, safe: passed.safe | flow.taint.safe }
    })
  }
}

/** What a call of a function of this file does, by its summary. */
export const applySummary = (run: Run, node: number, summary: Summary, args: ReadonlyArray<Value>): Value => {
  const given = givenFor(run, node, summary.info, args)
  run.called.add(summary.info.node)
  const name = summary.info.name ?? "a function"
  for (const flow of summary.flows) {
    if (run.frame.flows.length >= MAX_FRAME_FLOWS || run.fuel < 0) break
    if (flow.taint.origin.kind !== "parameter" || (flow.taint.safe & flow.kind) !== 0) continue
    run.fuel -= FLOW_COST
    applyFlow(run, node, name, flow, given)
  }
  passOn(run, summary.externals, given)
  passWrites(run, summary.writes, given)
  return summary.returns === null ? unknown() : substitute(summary.returns, given)
}
