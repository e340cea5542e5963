import { type Call, noNames } from "../../languages/syntax/Syntax.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { EvaluatedCall } from "../evaluation/EvaluatedCall.ts"
import type { Run } from "../evaluation/Run.ts"
import { RECEIVER, type SinkCall, type SinkRule } from "../TaintLanguage.ts"
import { formatPercent } from "../values/formats.ts"
import { traitsOf } from "../values/traits.ts"
import { concat, isLiteral, literal, NOSQL, taintsOf, type Value } from "../values/Value.ts"

/** A statement that is written for databases only. Anchored, so that its cost is linear. */
export const looksLikeSql = (text: string): boolean =>
  /^[\s(]*(?:--[^\n]*\n\s*)?(?:select\s[\s\S]*\sfrom\s|select\s+\w+\(|insert\s+(?:ignore\s+|or\s+\w+\s+)?into\s|replace\s+into\s|update\s[\s\S]*\sset\s|delete\s+from\s|with\s+(?:recursive\s+)?\w+(?:\s*\([^)]*\))?\s+as\s*\(|(?:create|alter|drop|truncate)\s+(?:or\s+replace\s+)?(?:table|view|database|schema|user|role|index|function)\b|call\s+\w+\s*\(|exec(?:ute)?\s+\w+)/i.test(
    text
  )

/** Report what is tainted among the arguments that matter to the sinks this call may be. */
export const reachSinks = (run: Run, node: number, at: EvaluatedCall, rules: ReadonlyArray<SinkRule>): void => {
  for (const rule of rules) {
    const values = valuesFor(rule, at)
    if (values.length === 0 || (rule.when !== undefined && !rule.when(viewOf(run, at)))) continue
    for (const value of values) {
      if (rule.elements === true) reachInside(run, node, at, rule, value, 4)
      else reach(run, node, at, rule, value)
    }
  }
}

const valuesFor = (rule: SinkRule, at: EvaluatedCall): ReadonlyArray<Value> => {
  if (rule.formats === true) return at.args.length === 0 ? [] : [formatPercent(at.args[0]!, at.args.slice(1))]
  if (rule.line === true) return at.args.length < 2 ? [] : [lineOf(at.args[0]!, at.args[1]!)]
  const positional = rule.args.map((index) => (index === RECEIVER ? at.receiver : at.args[index]))
  const fields = (rule.fields ?? []).flatMap((name) => rule.args.map((index) => at.args[index]?.fields?.get(name)))
  const named = (rule.named ?? []).map((name) => at.named.get(name))
  return [...positional, ...fields, ...named].filter((value) => value !== undefined && value !== null)
}

const MAX_LINE = 30

/** What a shell reads that is given a program and its arguments. */
const lineOf = (program: Value, list: Value): Value =>
  (list.fields === null ? [list] : [...list.fields.values()].slice(0, MAX_LINE)).reduce(
    (line, argument) => concat(concat(line, literal(" ")), argument),
    program
  )

const callNamed = (node: number, name: string): Call => ({
  node,
  callee: name,
  receiver: null,
  receiverNode: NONE,
  method: name,
  args: [],
  named: noNames,
  isNew: false
})

/** A word or mark of the language does what calls do elsewhere; `spelled` is how the file writes it. */
export const reachWord = (run: Run, node: number, word: string, value: Value, spelled = word): void => {
  const at = { call: callNamed(node, spelled), receiver: null, path: word, args: [value], named: new Map() }
  reachSinks(run, node, at, traitsOf(run.language, run.sinks, word).sinks)
}

/** Text between backticks. */
export const reachCommand = (run: Run, node: number, value: Value): void => reachWord(run, node, "`", value)

/** `command.CommandText = value`: some properties are as good as a call. */
export const reachProperty = (run: Run, node: number, holder: Value, name: string, value: Value): void => {
  const path = `${holder.type ?? "?"}.${name}=`
  const { sinks } = traitsOf(run.language, run.sinks, path)
  if (sinks.length === 0) return
  const call = callNamed(node, name)
  reachSinks(run, node, { call, receiver: holder, path, args: [value], named: new Map() }, sinks)
}

/** Operators that take their operand for a value, whatever it is. */
const comparing = /^\$(?!where$|or$|and$|nor$|expr$)/

const reachInside = (run: Run, node: number, at: EvaluatedCall, rule: SinkRule, value: Value, depth: number): void => {
  reach(run, node, at, rule, value)
  if (value.fields === null || depth === 0) return
  for (const [name, field] of value.fields) {
    if (!comparing.test(name)) reachInside(run, node, at, rule, field, depth - 1)
  }
}

const reach = (run: Run, node: number, at: EvaluatedCall, rule: SinkRule, value: Value): void => {
  const taints = taintsOf(value)
  if (taints.length === 0) return
  if (rule.needsText === true && !looksLikeSql(value.text)) return
  if (rule.text !== undefined && !rule.text.test(value.text)) return
  for (const taint of taints) {
    if ((taint.safe & rule.kind) !== 0) continue
    if (rule.kind === NOSQL && taint.origin.kind !== "source") continue
    run.frame.flows.push({
      kind: rule.kind,
      label: rule.label,
      callee: at.call.callee,
      start: run.tree.start(node),
      end: run.tree.end(node),
      sink: [run.tree.start(node), run.tree.end(node)],
      value,
      taint,
      within: run.frame.info?.name ?? null
    })
  }
}

/** `var command = new SqlCommand(…)`. */
const assignedName = ({ tree }: Run, node: number): string => {
  const parent = tree.parent(node)
  if (tree.is(parent, "variable_declarator")) return tree.textOf(tree.child(parent, "name"))
  return tree.is(parent, "assignment_expression") ? tree.textOf(tree.child(parent, "left")) : ""
}

const viewOf = (run: Run, at: EvaluatedCall): SinkCall => {
  const text = (value: Value | undefined): string | null =>
    value === undefined || !isLiteral(value) ? null : value.text
  return {
    callee: at.call.callee,
    receiver: at.call.receiver ?? "",
    count: at.args.length,
    argument: (index) => {
      const node = at.call.args[index]
      return node === undefined ? "" : run.tree.textOf(node)
    },
    literal: (index) => text(at.args[index]),
    option: (name) => {
      const direct = at.call.named.get(name)
      if (direct !== undefined) return literalValue(run.file, direct) ?? run.tree.textOf(direct)
      for (const arg of at.args) {
        const field = arg.fields?.get(name)
        if (field !== undefined) return text(field) ?? field.type ?? ""
      }
      return null
    },
    element: (index, element) => text(at.args[index]?.fields?.get(String(element))),
    holdsFields: (index) => at.args[index]?.fields != null,
    isInterpolated: (index) => run.tree.is(at.call.args[index] ?? NONE, "interpolated_string_expression"),
    file: () => run.file.text,
    assignedTo: () => assignedName(run, at.call.node),
    around: () => (run.frame.info === null ? "" : run.tree.textOf(run.frame.info.node)),
    held: (name) => text(at.receiver?.fields?.get(name))
  }
}
