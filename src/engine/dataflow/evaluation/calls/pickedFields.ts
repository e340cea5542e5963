import { NONE } from "../../../languages/tree/FlatTree.ts"
import { collection, isTainted, type Value } from "../../values/Value.ts"
import { addField } from "../binding.ts"
import type { EvaluatedCall } from "../EvaluatedCall.ts"
import { memberOf } from "../members.ts"
import type { Run } from "../Run.ts"

const MAX_PICKED = 40

/** Symbols and texts in the arguments that name the fields which are picked; null when something else is there, too. */
const pickedNames = (run: Run, args: ReadonlyArray<number>): ReadonlyArray<number> | null => {
  const nodes = args.flatMap((arg) => (run.tree.is(arg, "array") ? run.tree.namedChildren(arg) : [arg]))
  const isKnown = nodes.every((node) => /^(?::\w+|["']\w+["']|\w+)$/.test(run.tree.textOf(node).slice(0, 100)))
  return nodes.length === 0 || nodes.length > MAX_PICKED || !isKnown ? null : nodes
}

/** `params.permit(:title, :body)`, `_.pick(body, ["title"])`: an object of these fields only; null for other calls. */
export const pickedFields = (run: Run, { call, receiver, args }: EvaluatedCall): Value | null => {
  const isMethod = run.file.language === "ruby" && /^(?:permit|slice)$/.test(call.method)
  const isFunction = call.method === "pick" && call.args.length === 2
  const whole = isMethod ? receiver : isFunction ? args[0] : null
  if (whole == null || whole.fields !== null || !isTainted(whole)) return null
  const names = pickedNames(run, isMethod ? call.args : [call.args[1] ?? NONE])
  if (names === null) return null
  const value = collection()
  for (const part of names) {
    const name = run.tree.textOf(part).replace(/\W/g, "")
    addField(value, name, memberOf(run, part, whole, name))
  }
  return value
}
