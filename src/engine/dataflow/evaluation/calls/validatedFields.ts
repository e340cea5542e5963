import { harmlessPattern } from "../../values/patterns.ts"
import { collection, unknown, type Value } from "../../values/Value.ts"
import { addField } from "../binding.ts"
import type { EvaluatedCall } from "../EvaluatedCall.ts"
import { sourceAt } from "../members.ts"
import type { Run } from "../Run.ts"

/** Rules of Laravel that let nothing harmful pass. */
const strictRule =
  /^(?:integer|int|numeric|boolean|bool|digits(?:_between)?|decimal|uuid|ulid|date|date_format|date_equals|alpha|alpha_num|alpha_dash|in|ip|ipv4|ipv6|accepted|declined|timezone|file|image|hex_color)(?::|$)/
const strictObject = /(?:^|[.\\])(?:Rule\.(?:in|enum|date|numeric)|Enum)(?:\(\))?/

const isStrictRule = (text: string): boolean => {
  if (strictRule.test(text)) return true
  return text.startsWith("regex:") && harmlessPattern(text.slice("regex:".length), false, false) !== null
}

const isStrict = (rules: Value): boolean =>
  rules.fields === null
    ? rules.text.split("|").some(isStrictRule) || strictObject.test(rules.type ?? "")
    : [...rules.fields.values()].some(isStrict)

const validates = /^http:php\.(?:validate|validateWithBag)$/

/** `$request->validate(['sort' => 'in:name,price'])`: the fields that its rules name, and the request from there on. */
const laravelFields = (run: Run, node: number, { receiver, path, args }: EvaluatedCall): Value | null => {
  const rules = args.find((arg) => arg.fields !== null)
  if (receiver === null || !validates.test(path) || rules === undefined) return null
  const answer = collection()
  for (const [name, rule] of rules.fields!) {
    const clean = isStrict(rule)
    if (clean) addField(receiver, name, unknown("clean"))
    addField(answer, name, clean ? unknown("clean") : sourceAt(run, node, "http:php.input()", `$request->${name}`))
  }
  return answer
}

const readers = /^http:php\.(?:input|get|query|post|string|str|json)$/

/** `$request->input('sort')` of a request whose rules say what `sort` is. */
const knownInput = ({ receiver, path, args }: EvaluatedCall): Value | null => {
  const name = args[0]?.constant
  if (typeof name !== "string" || receiver?.fields == null || !readers.test(path)) return null
  const held = receiver.fields.get(name)
  return held?.type === "clean" ? held : null
}

/** Calls that give the fields of a request as its rules let them pass; null for all others. */
export const validatedCall = (run: Run, node: number, at: EvaluatedCall): Value | null => {
  if (at.path === "express-validator.matchedData") return sourceAt(run, node, "http:request.body")
  return at.path.startsWith("http:php.") ? (laravelFields(run, node, at) ?? knownInput(at)) : null
}
