import { NONE } from "../../languages/tree/FlatTree.ts"
import { reachProperty } from "../sinks/sinks.ts"
import type { Scope } from "../values/Scope.ts"
import { join, unknown, type Value } from "../values/Value.ts"
import { addField } from "./binding.ts"
import { refine } from "./conditions.ts"
import { evaluate } from "./evaluate.ts"
import type { Run } from "./Run.ts"

/** `name switch { "a" => "x", _ => "y" }`: one of the arms. */
export const choiceAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const [subject = NONE, ...arms] = tree.namedChildren(node)
  evaluate(run, scope, subject)
  let value: Value | null = null
  for (const arm of arms) {
    const parts = tree.namedChildren(arm)
    const result = parts.at(-1)
    if (!tree.is(arm, "switch_expression_arm") || result === undefined) continue
    const inside = scope.copy()
    if (tree.is(parts[0] ?? NONE, "constant_pattern")) refine(run, inside, subject, true, [parts[0]!])
    const own = evaluate(run, inside, result)
    value = value === null ? own : join(value, own)
  }
  return value ?? unknown()
}

/** `new ProcessStartInfo { FileName = "sh", Arguments = line }`: the braces write properties. */
export const initialised = (run: Run, scope: Scope, node: number, made: Value): Value => {
  const { tree } = run
  const initializer = run.file.language === "csharp" ? tree.child(node, "initializer") : NONE
  if (initializer === NONE) return made
  const value: Value = { ...made, fields: new Map(made.fields) }
  tree.namedChildren(initializer).forEach((child, i) => {
    if (!tree.is(child, "assignment_expression")) {
      const inner = tree.is(child, "initializer_expression") ? tree.namedChildren(child).at(-1) : child
      addField(value, inner === child ? String(i) : "*", evaluate(run, scope, inner ?? NONE))
      return
    }
    const left = tree.child(child, "left")
    const name = tree.is(left, "identifier") ? tree.textOf(left) : "*"
    const held = evaluate(run, scope, tree.child(child, "right"))
    addField(value, name, held)
    reachProperty(run, child, value, name, held)
  })
  return value
}
