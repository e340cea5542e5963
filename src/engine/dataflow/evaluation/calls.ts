import type { Call, FunctionInfo } from "../../languages/syntax/Syntax.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { recordExternal, resultAt } from "../joining/externals.ts"
import { reachSinks, reachWord } from "../sinks/sinks.ts"
import { elementsOf, exactView } from "../values/elements.ts"
import { foldMethod } from "../values/folding.ts"
import type { Scope } from "../values/Scope.ts"
import { type Traits, traitsOf } from "../values/traits.ts"
import {
  ALL_KINDS,
  blend,
  collection,
  constantValue,
  isLiteral,
  isTainted,
  join,
  sanitised,
  taintsOf,
  unknown,
  type Value,
  withType
} from "../values/Value.ts"
import { addField, isPath, write } from "./binding.ts"
import { collectionCall, newCollection } from "./calls/collectionCalls.ts"
import { djangoForm } from "./calls/djangoForms.ts"
import { fillRecords } from "./calls/filledRecords.ts"
import { filteredByPhp } from "./calls/phpFilters.ts"
import { pickedFields } from "./calls/pickedFields.ts"
import { recordAt } from "./calls/records.ts"
import { schemaCall } from "./calls/schemas.ts"
import { loadedAt, noteStores } from "./calls/storedRecords.ts"
import { add, build, carried, concatenated, filled, formatted, joined } from "./calls/textCalls.ts"
import { validatedCall } from "./calls/validatedFields.ts"
import { guard } from "./checks.ts"
import { passedBy } from "./conditions.ts"
import type { EvaluatedCall } from "./EvaluatedCall.ts"
import { escapedBy } from "./escapes.ts"
import { evaluate } from "./evaluate.ts"
import { applySummary, runClosure, summaryOf } from "./functions.ts"
import { iterate, iterating, runRepeatedly, symbolCall } from "./iteration.ts"
import { accessed, extendPath, sourceAt } from "./members.ts"
import { methodOf } from "./methods.ts"
import { functionOnText, iteratedByFunction, translated } from "./phpCalls.ts"
import type { Run } from "./Run.ts"

export const evaluateCall = (run: Run, scope: Scope, node: number): Value => {
  const { tree, language } = run
  const call = run.syntax.callAt(tree, node)
  if (call === null) return blend(tree.namedChildren(node).map((child) => evaluate(run, scope, child)))
  const tag = tree.child(node, "arguments")
  if (tree.is(tag, "template_string")) return taggedAt(run, scope, call, tag)
  const receiver = call.receiverNode === NONE ? null : evaluate(run, scope, call.receiverNode)
  const callee = receiver === null ? calleeValue(run, scope, node, call) : invoked(run, call, receiver)
  const path = pathOf(call, receiver, callee)
  const args = call.args.flatMap((arg) => spread(run, scope, arg))
  const block = tree.child(node, "block")
  if (block !== NONE) args.push(evaluate(run, scope, block))
  if (receiver === null && language.leaves?.test(call.callee) === true) scope.dead = true
  const named = new Map([...call.named].map(([name, value]) => [name, evaluate(run, scope, value)] as const))
  const at: EvaluatedCall = { call, receiver, path, args, named }
  const settled = settledCall(run, node, at)
  if (settled !== null) return settled
  const traits = traitsOf(language, run.sinks, path)
  if (traits.stops) scope.dead = true
  if (traits.guards) guard(run, scope, call, valuesOf(at))
  if (traits.sinks.length > 0 && !isOwn(run, at)) {
    reachSinks(run, node, viewed(scope, at), traits.sinks)
  }
  if (traits.isSource && traits.fills) fillArguments(run, scope, at)
  noteStores(run, node, at)
  fillRecords(run, scope, at)
  const value =
    characteristic(run, node, at, traits) ??
    localCall(run, node, at, callee) ??
    libraryCall(run, scope, node, at, traits)
  passedBy(run, scope, call)
  return value
}

/** Calls that are no calls of other code: folded ones, and those of validators. */
const settledCall = (run: Run, node: number, at: EvaluatedCall): Value | null =>
  foldedCall(run, at) ?? schemaCall(run, node, at) ?? validatedCall(run, node, at) ?? djangoForm(run, node, at)

/** A method of a constant text with constant arguments. */
const foldedCall = (run: Run, { receiver, call, args }: EvaluatedCall): Value | null => {
  if (typeof receiver?.constant !== "string") return null
  const constants = args.map(({ constant }) => constant)
  const folded = foldMethod(run.file.language, call.method, receiver.constant, constants)
  return folded === undefined ? null : constantValue(folded, typeof folded === "string" ? null : "number")
}

/** What compilers put around `require`. */
const interop = /^_*(?:importDefault|importStar|interopRequire(?:Default|Wildcard)\d*)$/

/** What a call is worth that its access path says all about: sources, sanitisers and modules. */
const characteristic = (run: Run, node: number, at: EvaluatedCall, traits: Traits): Value | null => {
  const { path, args } = at
  const filtered = filteredByPhp(run, node, at)
  if (filtered !== null) return filtered
  if (traits.isSource) return sourceAt(run, node, `${path}()`)
  const text = translated(run, path, args)
  if (text !== null) return text
  const kinds = isOwnResolve(at) ? 0 : sanitisedKinds(traits, args)
  if (kinds !== 0) {
    runCallbacks(run, args, null)
    return kinds === ALL_KINDS ? unknown("clean") : sanitised(blend(valuesOf(at)), kinds)
  }
  const module = args[0]
  if (traits.carries && module !== undefined && run.language.streams?.test(module.text) === true) {
    return sourceAt(run, node, "http:request.body")
  }
  if (module !== undefined && interop.test(path)) return module
  const isModule = path === "require" && module !== undefined && isLiteral(module)
  return isModule ? unknown(module.text.replace(/^node:/, "")) : null
}

/** `workspace.resolve(relative)` of a program's own class in Python: the one of a path takes no path. */
const isOwnResolve = ({ call, path, args }: EvaluatedCall): boolean =>
  call.method === "resolve" &&
  call.receiver !== null &&
  args.length > 0 &&
  !/^(?:path|node:path|pathlib|os)\b/.test(path)

const sanitisedKinds = (traits: Traits, args: ReadonlyArray<Value>): number => {
  if (traits.shaped.length === 0) return traits.sanitises
  const text = args.map((arg) => arg.text).join("")
  return traits.shaped.reduce((all, rule) => (rule.text!.test(text) ? all | rule.kinds : all), traits.sanitises)
}

/** `include $x`, `echo $x`: words of the language that do what calls do elsewhere. */
export const evaluateConstruct = (run: Run, scope: Scope, node: number): Value => {
  const args = run.tree
    .namedChildren(node)
    .flatMap((part) => (run.tree.is(part, "sequence_expression") ? run.tree.namedChildren(part) : [part]))
  const callee = run.tree.kind(node).replace(/_(?:expression|statement|intrinsic)$/, "")
  const call: Call = {
    node,
    callee,
    receiver: null,
    receiverNode: NONE,
    method: callee,
    args,
    named: new Map(),
    isNew: false
  }
  const values = args.map((arg) => evaluate(run, scope, arg))
  const { sinks } = traitsOf(run.language, run.sinks, callee)
  if (sinks.length > 0)
    reachSinks(run, node, { call, receiver: null, path: callee, args: values, named: new Map() }, sinks)
  return unknown()
}

/** A method of the file's own that is named like one of the language's. */
const isOwn = (run: Run, { call, receiver }: EvaluatedCall): boolean =>
  run.file.language === "ruby" && receiver === null && localNamed(run, call) !== undefined

const spread = (run: Run, scope: Scope, arg: number): ReadonlyArray<Value> => {
  if (run.tree.is(arg, "block_argument")) return []
  const value = evaluate(run, scope, arg)
  if (!run.tree.is(arg, "spread_element", "list_splat", "splat_argument", "variadic_argument")) return [value]
  return value.fields === null ? [value] : [...value.fields.values()]
}

const calleeValue = (run: Run, scope: Scope, node: number, call: Call): Value => {
  const name = run.tree.child(node, call.isNew ? "constructor" : "function")
  if (name !== NONE) {
    const value = evaluate(run, scope, name)
    // `$_GET["action"]()` in PHP calls the function of that name.
    const isNamed = run.file.language === "php" && taintsOf(value).some(({ origin }) => origin.kind === "source")
    if (isNamed) reachWord(run, name, "$()", value, call.callee)
    return value
  }
  if (call.isNew) return unknown(run.language.declaredType(run.file, call.callee) ?? call.callee)
  return scope.get(call.method) ?? unknown(call.callee)
}

/** `action.call`, `action.Invoke()`, `action.run()`: closures are called by a method of theirs. */
const invoked = (run: Run, call: Call, receiver: Value): Value =>
  receiver.callable?.scope != null && run.language.invokes?.test(call.method) === true ? receiver : unknown()

const pathOf = (call: Call, receiver: Value | null, callee: Value): string => {
  if (receiver === null) return (callee.type ?? call.callee).slice(0, 200)
  const type = receiver.type
  return type === null || /^(?:flag:|clean$|number$|collection$)/.test(type)
    ? `?.${call.method}`
    : `${type}.${call.method}`
}

/** Tags bind their holes as parameters or elements; only String.raw makes a plain string. */
const taggedAt = (run: Run, scope: Scope, call: Call, template: number): Value => {
  const value = evaluate(run, scope, template)
  return call.callee === "String.raw" ? value : unknown("clean")
}

const runCallbacks = (run: Run, args: ReadonlyArray<Value>, given: ReadonlyArray<Value> | null): Value | null => {
  let result: Value | null = null
  for (const arg of args) {
    if (arg.callable?.scope == null) continue
    const value = runRepeatedly(run, arg.callable, given)
    result = result === null ? value : join(result, value)
  }
  return result
}

/** A function or method of this file, or a closure held by a variable. */
const localCall = (run: Run, node: number, at: EvaluatedCall, callee: Value): Value | null => {
  const { call, receiver, named } = at
  if (callee.callable?.scope != null) {
    const closure = run.index.byNode.get(callee.callable.node)
    return runClosure(run, callee.callable, closure === undefined ? at.args : placed(run, closure, at.args, named))
  }
  const info =
    callee.callable !== null
      ? run.index.byNode.get(callee.callable.node)
      : receiver === null
        ? localNamed(run, call)
        : localMethod(run, receiver, call)
  if (info === undefined || info.body === NONE) return made(run, node, at)
  const summary = summaryOf(run, info)
  runCallbacks(run, at.args, null)
  if (summary === null) return blend(at.args)
  const takesSelf = receiver !== null && /^(?:self|cls)$/.test(info.parameters[0]?.name ?? "")
  const args = placed(run, info, takesSelf ? [receiver, ...at.args] : at.args, named)
  const value = applySummary(run, node, summary, args)
  return call.isNew ? unknown(`local:${call.callee}`) : accessed(run, node, receiver, value)
}

/** A class of this file: its constructor runs, and what is made stays as it is known otherwise. */
const made = (run: Run, node: number, { call, args, named }: EvaluatedCall): null => {
  const info = constructorOf(run, call)
  if (info === undefined || info.body === NONE) return null
  const summary = summaryOf(run, info)
  const given = info.parameters[0]?.name === "self" ? [unknown(), ...args] : args
  if (summary !== null) applySummary(run, node, summary, placed(run, info, given, named))
  return null
}

const constructorOf = (run: Run, call: Call): FunctionInfo | undefined => {
  const count = call.args.length + call.named.size
  if (run.file.language === "ruby") {
    return call.method === "new" && call.receiver !== null
      ? run.index.named(`${call.receiver}.initialize`, count)
      : undefined
  }
  const name = call.callee.slice(call.callee.lastIndexOf("\\") + 1)
  if (run.file.language === "python") return run.index.named(`${name}.__init__`, count + 1)
  if (!call.isNew) return undefined
  const own = run.file.language === "php" ? "__construct" : isScript(run) ? "constructor" : name
  return run.index.named(`${name}.${own}`, count)
}

const isScript = (run: Run): boolean => /^(?:javascript|typescript|tsx)$/.test(run.file.language)

/** Arguments in the order of the parameters. */
const placed = (
  run: Run,
  info: FunctionInfo,
  args: ReadonlyArray<Value>,
  named: ReadonlyMap<string, Value>
): ReadonlyArray<Value> =>
  info.parameters.map(
    (parameter, i) => named.get(parameter.name) ?? collected(run, info, i, args, named) ?? args[i] ?? unknown()
  )

/** `*words` and `**options` take what no other parameter does; null for other parameters. */
const collected = (
  { tree, file }: Run,
  { parameters }: FunctionInfo,
  index: number,
  args: ReadonlyArray<Value>,
  named: ReadonlyMap<string, Value>
): Value | null => {
  const own = parameters[index]!.node
  const node = tree.is(own, "identifier") && file.language === "go" ? tree.parent(own) : own
  const isList = tree.is(
    node,
    "list_splat_pattern",
    "rest_pattern",
    "spread_parameter",
    "variadic_parameter_declaration",
    "variadic_parameter"
  )
  if (!isList && !tree.is(node, "dictionary_splat_pattern")) return null
  const value = collection()
  if (isList) args.slice(index).forEach((arg, i) => addField(value, String(i), arg))
  else {
    for (const [name, arg] of named) if (!parameters.some((one) => one.name === name)) addField(value, name, arg)
  }
  return value
}

const localNamed = (run: Run, call: Call) => {
  const count = call.args.length + call.named.size
  const plain = run.index.named(call.callee, count)
  if (plain !== undefined) return plain
  const owner = run.index.className(call.node)
  return owner === null || call.isNew ? undefined : run.index.inherited(owner, call.callee, count)
}

const localMethod = (run: Run, receiver: Value, call: Call) => {
  if (receiver.callable !== null || receiver.type === null) return undefined
  const type = receiver.type.replace(/\(\)$/, "")
  const name = type.slice(Math.max(type.lastIndexOf(":"), type.lastIndexOf(".")) + 1)
  const count = call.args.length + call.named.size
  const own = run.index.named(`${name}.${call.method}`, count)
  return own === undefined && type.startsWith("self:") ? run.index.inherited(name, call.method, count) : own
}

/** `request.args.get("page", type=int)`. */
const isConverted = (run: Run, call: Call): boolean =>
  /^(?:int|float|bool|uuid\.UUID|UUID)$/.test(run.tree.textOf(call.named.get("type") ?? NONE))

/** Calls that are known for what they make of texts and lists; null for others. */
const knownCall = (run: Run, scope: Scope, at: EvaluatedCall, traits: Traits): Value | null => {
  const { call, receiver, args } = at
  const iterated = receiver === null ? iteratedByFunction(run, scope, at) : iteration(run, scope, at, receiver)
  if (iterated !== null) return iterated
  runCallbacks(run, args, call.method === "reduce" && receiver !== null ? [unknown(), elementsOf(receiver)] : null)
  for (const arg of args) handlerArgument(run, arg)
  if (traits.formats) return formatted(run, at)
  if (receiver !== null && traits.builds) return build(run, scope, call, receiver, args)
  const collected = collectionCall(run, scope, at) ?? newCollection(run, scope, at) ?? recordAt(run, at)
  if (collected !== null) return collected
  if (receiver !== null && run.language.adders.has(call.method)) return add(receiver, args)
  if (traits.fills) fillArguments(run, scope, at)
  return textCall(run, viewed(scope, at), traits)
}

/** A call as it reads its collections: with the elements that this path knows. */
const viewed = (scope: Scope, at: EvaluatedCall): EvaluatedCall => ({
  ...at,
  receiver: at.receiver === null ? null : exactView(scope, at.receiver),
  args: at.args.map((arg) => exactView(scope, arg))
})

/** Methods that call what they are given for each element. */
const iteration = (run: Run, scope: Scope, at: EvaluatedCall, receiver: Value): Value | null => {
  const { call, args } = at
  const symbol = symbolCall(run, at)
  if (symbol !== null) return symbol
  return iterating.test(call.method) && args.some((arg) => arg.callable !== null)
    ? iterate(run, scope, call.method, receiver, args)
    : null
}

/** Calls that put texts and lists together, or hand them on. */
const textCall = (run: Run, at: EvaluatedCall, traits: Traits): Value | null => {
  const { call, receiver, path, args } = at
  if (/(?:^|\.)promisify(?:\.default)?$/.test(path)) return args[0] ?? unknown()
  if (call.method === "concat" && receiver !== null) return concatenated(receiver, args)
  if (/^(?:[jJ]oin|implode)$/.test(call.method) && (receiver !== null || args.length > 0)) return joined(at)
  if (isConverted(run, call)) return unknown("number")
  const text = receiver === null ? functionOnText(run, path, args) : null
  if (text !== null) return text
  if (!traits.carries) return filled(at)
  const value = carried(path, valuesOf(at))
  return call.isNew && value.fields === null ? withType(value, path) : value
}

const libraryCall = (run: Run, scope: Scope, node: number, at: EvaluatedCall, traits: Traits): Value => {
  const { call, receiver, path, args } = at
  const escaped = receiver === null ? 0 : escapedBy(run, call, args)
  if (receiver !== null && escaped !== 0) return sanitised(receiver, escaped)
  const result = extendPath(path.startsWith("?") ? null : path, "")?.replace(/\.$/, "()") ?? null
  const loaded = loadedAt(run, node, at, result)
  // A class that reads records may be one of the program's own.
  if (loaded !== null) recordExternal(run, node, at)
  const known = loaded ?? pickedFields(run, at) ?? knownCall(run, scope, at, traits)
  if (known !== null) return known
  if (run.language.memberTests.has(call.method) || traits.tests) return unknown(`flag:${node}`)
  recordExternal(run, node, at)
  const answer = receiver === null ? null : methodOf(run, call, exactView(scope, receiver), args, result)
  if (answer !== null) return answer
  if (!call.isNew) return resultAt(run, node, at, result)
  return withType(constructed(args), run.file.language === "ruby" ? path.replace(/\.new$/, "") : path)
}

const valuesOf = ({ receiver, args, named }: EvaluatedCall): ReadonlyArray<Value> => [
  ...(receiver === null ? [] : [receiver]),
  ...args,
  ...named.values()
]

/** `new Filter({ name })` holds what it is given. */
const constructed = (args: ReadonlyArray<Value>): Value => {
  const only = args[0]
  return args.length === 1 && only !== undefined && only.fields !== null ? { ...only } : unknown()
}

/** A route's handler named elsewhere in the file is analysed by itself; here only closures run. */
const handlerArgument = (run: Run, arg: Value): void => {
  if (arg.callable !== null && arg.callable.scope !== null) run.frame.pending.delete(arg.callable.node)
}

/** `json.Unmarshal(body, &in)` of a package, whose receiver is no value. */
const filling = ({ file }: Run, receiver: Value | null, args: ReadonlyArray<Value>): Value => {
  if (receiver === null) return blend(args)
  return file.language === "go" && !isTainted(receiver) ? blend(args.slice(0, -1)) : receiver
}

/** `json.NewDecoder(r.Body).Decode(&in)`, `c.ShouldBindJSON(&in)`. */
const fillArguments = (run: Run, scope: Scope, { call, receiver, path, args }: EvaluatedCall): void => {
  const source = /^http:/.test(path) ? sourceAt(run, call.node, `${path}()`) : filling(run, receiver, args)
  if (!isTainted(source)) return
  const target = call.args.at(-1)
  if (target === undefined) return
  const inner = run.tree.child(target, "operand")
  const name = inner === NONE ? target : inner
  const before = evaluate(run, scope, name)
  if (isPath(run.tree.textOf(name))) write(run, scope, name, { ...source, type: before.type })
}
