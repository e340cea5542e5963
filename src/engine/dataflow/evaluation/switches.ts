import { NONE } from "../../languages/tree/FlatTree.ts"
import { merge } from "../values/places.ts"
import type { Scope } from "../values/Scope.ts"
import type { Constant } from "../values/Value.ts"
import { refine } from "./conditions.ts"
import { evaluate } from "./evaluate.ts"
import { nodeField, type Run } from "./Run.ts"

const caseKinds = [
  "switch_case",
  "switch_default",
  "case_clause",
  "expression_case",
  "default_case",
  "type_case",
  "communication_case",
  "switch_block_statement_group",
  "switch_rule",
  "case_statement",
  "default_statement",
  "switch_section",
  "when",
  "else"
]

/** What a case is for: patterns, of which the languages name one or several. */
const labelsOf = (run: Run, option: number): ReadonlyArray<number> => {
  const { tree } = run
  const own = nodeField(run, option, "value")
  if (own !== NONE) return [own]
  return tree
    .namedChildren(option)
    .filter((child) => tree.fieldOf(child) === "pattern" || /_(?:label|pattern)$/.test(tree.kind(child)))
}

const isDefault = (run: Run, option: number, labels: ReadonlyArray<number>): boolean =>
  run.tree.is(option, "switch_default", "default_case", "default_statement", "else") ||
  (run.tree.is(option, "switch_section") && labels.length === 0) ||
  (labels.length > 0 && /^(?:default|_)\b/.test(run.tree.textOf(labels[0]!)))

const fallsThrough = (run: Run, option: number, labels: ReadonlyArray<number>): boolean =>
  run.tree.is(option, "switch_section")
    ? run.tree.namedChildren(option).length === labels.length
    : run.tree.is(option, "switch_case", "switch_block_statement_group")

/** Constants that a case is for; null when it has others, or a condition of its own. */
const labelConstants = (run: Run, scope: Scope, labels: ReadonlyArray<number>): ReadonlyArray<Constant> | null => {
  const { tree } = run
  const found: Array<Constant> = []
  for (const label of labels) {
    const isList = tree.is(
      label,
      "expression_list",
      "switch_label",
      "case_pattern",
      "union_pattern",
      "constant_pattern",
      "pattern"
    )
    const inner = isList ? labelConstants(run, scope, tree.namedChildren(label)) : null
    const own = isList ? undefined : evaluate(run, scope, label).constant
    if (inner === null && own === undefined) return null
    if (inner !== null) found.push(...inner)
    else found.push(own!)
  }
  return found
}

/** The case that a constant chooses, "none" when it chooses none, undefined when that is not known. */
const chosenCase = (
  run: Run,
  scope: Scope,
  options: ReadonlyArray<number>,
  constant: Constant
): number | "none" | undefined => {
  const { tree } = run
  let rest: number | "none" = "none"
  for (const option of options) {
    const labels = labelsOf(run, option)
    if (tree.childOfKind(option, "if_clause", "when_clause", "guard") !== NONE) return undefined
    if (tree.within(option, "fallthrough_statement", "guard").length > 0) return undefined
    if (isDefault(run, option, labels)) {
      rest = option
      continue
    }
    const constants = labels.length === 0 ? null : labelConstants(run, scope, labels)
    if (constants === null) return undefined
    if (constants.includes(constant)) return option
  }
  return rest
}

/** `case "a" -> f(x);` is what the switch is worth. */
const executePart = (run: Run, inside: Scope, option: number, part: number): void => {
  const { tree } = run
  if (tree.is(option, "switch_rule") && tree.is(part, "expression_statement")) {
    inside.value = evaluate(run, inside, tree.namedChildren(part)[0] ?? NONE)
  } else run.execute(run, inside, part)
}

/** One case: where the subject matches its labels, or where the case above it falls through. */
const executeCase = (
  run: Run,
  scope: Scope,
  option: number,
  labels: ReadonlyArray<number>,
  subject: number,
  through: Scope | null
): Scope => {
  const inside = scope.copy()
  if (subject !== NONE && labels.length > 0) refine(run, inside, subject, true, labels)
  if (through !== null) merge(run, inside, [inside.copy(), through])
  for (const child of run.tree.namedChildren(option)) {
    if (!labels.includes(child)) executePart(run, inside, option, child)
  }
  return inside
}

/** The cases of a switch, run one after the other. */
interface Cases {
  /** The only one that a constant chooses; undefined when any may be chosen. */
  readonly chosen: number | "none" | undefined
  readonly subject: number
  readonly ends: Array<Scope>
  exhaustive: boolean
  /** Where the case above goes on into the next. */
  through: Scope | null
}

const executeOption = (run: Run, scope: Scope, option: number, cases: Cases): void => {
  const { chosen, through } = cases
  const labels = labelsOf(run, option)
  const isRest = isDefault(run, option, labels)
  cases.exhaustive ||= isRest && chosen === undefined
  const isReached = chosen === undefined || chosen === option
  if (!isReached && through === null) return
  const before = isReached ? scope : (through ?? scope)
  const inside = executeCase(run, before, option, labels, isRest ? NONE : cases.subject, through)
  // Only some languages fall through, but to join the next case never hides anything.
  cases.through = inside.dead || !fallsThrough(run, option, labels) ? null : inside.copy()
  cases.ends.push(inside)
}

export const choose = (run: Run, scope: Scope, node: number): void => {
  const { tree } = run
  run.execute(run, scope, tree.child(node, "initializer"))
  const subject = nodeField(run, node, "value", "condition", "subject")
  const constant = subject === NONE ? undefined : evaluate(run, scope, subject).constant
  scope.value = null
  const body = tree.child(node, "body")
  const options = tree.children(body === NONE ? node : body).filter((option) => tree.is(option, ...caseKinds))
  const chosen = constant === undefined ? undefined : chosenCase(run, scope, options, constant)
  const outerJumps = run.frame.jumps
  const jumps: Array<Scope> = []
  run.frame.jumps = jumps
  const cases: Cases = { chosen, subject, ends: [], exhaustive: typeof chosen === "number", through: null }
  for (const option of options) executeOption(run, scope, option, cases)
  run.frame.jumps = outerJumps
  merge(run, scope, cases.exhaustive ? [...cases.ends, ...jumps] : [scope.copy(), ...cases.ends, ...jumps])
}
