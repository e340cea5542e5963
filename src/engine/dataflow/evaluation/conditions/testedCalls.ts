import { compact } from "../../../languages/syntax/Syntax.ts"
import { literalValue } from "../../../languages/syntax/strings.ts"
import { mark } from "../../values/places.ts"
import type { Scope } from "../../values/Scope.ts"
import { deepTaintsOf, isTainted, sanitised, type Value } from "../../values/Value.ts"
import { evaluate } from "../evaluate.ts"
import { type Run, roleOf } from "../Run.ts"

const MAX_CALL = 120

/**
 * A condition found what a call gives harmless: `r.FormValue("name")` gives the same again. What it does with a stream
 * or with a variable may differ.
 */
export const noteTested = (run: Run, scope: Scope, node: number, kinds: number): void => {
  const call = roleOf(run, node) === "call" ? run.syntax.callAt(run.tree, node) : null
  if (call === null || !call.args.every((arg) => literalValue(run.file, arg) !== null)) return
  const text = compact(run.tree.textOf(node))
  if (text.length > MAX_CALL || !text.includes(".")) return
  const value = evaluate(run, scope, node)
  const isRequest = deepTaintsOf(value).every(({ origin }) => origin.path.startsWith("http:"))
  if (!isTainted(value) || !isRequest) return
  run.testedCalls.add(text)
  mark(run, text, { node, written: null })
  scope.declare(text, sanitised(value, kinds))
}

/** What a condition said of the same call before; undefined where none did. */
export const testedBefore = (run: Run, scope: Scope, node: number): Value | undefined => {
  if (run.testedCalls.size === 0) return undefined
  const text = compact(run.tree.textOf(node))
  return run.testedCalls.has(text) ? scope.get(text) : undefined
}
