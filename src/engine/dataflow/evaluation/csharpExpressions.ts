import { NONE } from "../../languages/tree/FlatTree.ts"
import { reachProperty } from "../sinks/sinks.ts"
import { elementName, followElements } from "../values/elements.ts"
import type { Scope } from "../values/Scope.ts"
import { Contents, join, unknown, type Value } from "../values/Value.ts"
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
  const value: Value = { ...made, fields: new Contents(made.fields) }
  const parts = tree.namedChildren(initializer)
  parts.forEach((child, i) => {
    if (!tree.is(child, "assignment_expression")) return addPart(run, scope, child, i, value)
    const name = initializedName(run, scope, tree.child(child, "left"))
    const held = evaluate(run, scope, tree.child(child, "right"))
    addField(value, name, held)
    reachProperty(run, child, value, name, held)
  })
  const isList = parts.every((child) => !tree.is(child, "assignment_expression", "initializer_expression"))
  return followElements(scope, value, isList)
}

/** `{ "a", x }` in the braces of a dictionary, or an element of a list. */
const addPart = (run: Run, scope: Scope, part: number, position: number, value: Value): void => {
  const [key, item] = run.tree.is(part, "initializer_expression") ? run.tree.namedChildren(part) : []
  if (key === undefined || item === undefined) addField(value, String(position), evaluate(run, scope, part))
  else addField(value, elementName(evaluate(run, scope, key).constant) ?? "*", evaluate(run, scope, item))
}

/** `Name = …`, `["name"] = …`. */
const initializedName = (run: Run, scope: Scope, left: number): string => {
  if (run.tree.is(left, "identifier")) return run.tree.textOf(left)
  const key = run.tree.is(left, "element_binding_expression") ? (run.tree.namedChildren(left)[0] ?? NONE) : NONE
  return elementName(evaluate(run, scope, key).constant) ?? "*"
}
