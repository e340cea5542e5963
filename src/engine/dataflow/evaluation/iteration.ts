import { NONE } from "../../languages/tree/FlatTree.ts"
import { anyElement, elementsOf } from "../values/elements.ts"
import type { Scope } from "../values/Scope.ts"
import { type Callable, collection, sanitised, unknown, type Value, withoutConstant } from "../values/Value.ts"
import { addField } from "./binding.ts"
import { passedByFilter } from "./conditions/validators.ts"
import type { EvaluatedCall } from "./EvaluatedCall.ts"
import { applySummary, runClosure, summaryOf } from "./functions.ts"
import type { Run } from "./Run.ts"

const MAX_ROUNDS = 3

/** A closure may run again after what it wrote to the variables around it. */
export const runRepeatedly = (run: Run, callable: Callable, given: ReadonlyArray<Value> | null): Value => {
  const around = callable.scope
  let value = unknown()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = around?.weight()
    value = runClosure(run, callable, given)
    if (around === null || around.weight() === before) break
  }
  return value
}

/** Methods that call a closure with each element. */
export const iterating =
  /^(?:map|forEach|filter|flatMap|some|every|find|findIndex|sort|each|select|collect|then|reject|finally|tap|each_with_index|times|upto|downto|step|each_pair|each_value|flat_map|filter_map|map!|collect!|detect|sort_by|uniq|partition|stream|anyMatch|ifPresent|replaceAll|Select|SelectMany|Where|ForEach|OrderBy|First|FirstOrDefault|ConvertAll)$/

const filtering = /^(?:filter|Where|select|takeWhile|TakeWhile)$/

/** The elements that a filter lets pass, as harmless as it makes sure. */
const filtered = (receiver: Value, element: Value, kinds: number): Value => {
  if (kinds === 0) return receiver
  const passed = collection()
  addField(passed, "*", sanitised(element, kinds))
  return passed
}

const mapping = /^(?:map|flatMap|collect|flat_map|filter_map|map!|collect!|Select|SelectMany|ConvertAll)$/

/** `ids.map(&:to_i)`. */
export const symbolCall = (run: Run, { call, receiver }: EvaluatedCall): Value | null => {
  const { tree } = run
  const last = call.args.at(-1) ?? NONE
  if (!tree.is(last, "block_argument") || !mapping.test(call.method)) return null
  const name = tree.textOf(tree.namedChildren(last)[0] ?? NONE).replace(/^:/, "")
  if (!run.language.cleanMethods.has(name)) return receiver
  const numbers = collection()
  addField(numbers, "*", unknown("number"))
  return numbers
}

const isRubyPair = (run: Run, method: string): boolean => run.file.language === "ruby" && !method.endsWith("_index")

export const iterate = (run: Run, scope: Scope, method: string, receiver: Value, args: ReadonlyArray<Value>): Value => {
  const element = method === "then" ? receiver : withoutConstant(anyElement(scope, receiver) ?? elementsOf(receiver))
  const callback = args.find((arg) => arg.callable !== null)!
  // The second of two is a position, except for the values of a Ruby hash.
  const given = [element, isRubyPair(run, method) ? element : unknown("number")]
  const info = run.index.byNode.get(callback.callable!.node)
  const result =
    callback.callable!.scope !== null || info === undefined
      ? runRepeatedly(run, callback.callable!, given)
      : (() => {
          const summary = summaryOf(run, info)
          return summary === null ? unknown() : applySummary(run, info.node, summary, given)
        })()
  if (mapping.test(method)) {
    const mapped = collection()
    addField(mapped, "*", result)
    return mapped
  }
  if (method === "then") return result
  if (filtering.test(method)) return filtered(receiver, element, passedByFilter(run, callback.callable!))
  return /^(?:filter|sort|select|reject|each|each_\w+|forEach|stream|tap|finally|sort_by|uniq|Where|OrderBy)$/.test(
    method
  )
    ? receiver
    : /^(?:find|detect|First|FirstOrDefault)$/.test(method)
      ? element
      : unknown()
}
