import { NONE } from "../../../languages/tree/FlatTree.ts"
import { harmlessPattern } from "../../values/patterns.ts"
import { collection, isTainted, SPREAD, unknown, type Value } from "../../values/Value.ts"
import { addField } from "../binding.ts"
import type { EvaluatedCall } from "../EvaluatedCall.ts"
import { memberOf } from "../members.ts"
import type { Run } from "../Run.ts"

/** What a schema lets pass: nothing harmful, any text, an object or a list of what its fields say, or other fields, too. */
type Kind = "clean" | "text" | "object" | "open" | "list"

const root =
  /^(?:zod(?:\.z|\.default)?|joi(?:\.default)?|@hapi\/joi(?:\.default)?|yup(?:\.default)?)\.(?:coerce\.)?(\w+)$/
const cleanRoots =
  /^(?:number|int|int32|boolean|bool|date|bigint|literal|enum|nativeEnum|uuid|guid|null|undefined|nan|stringbool)$/
const cleanMethods =
  /^(?:uuid|guid|cuid2?|ulid|nanoid|datetime|date|time|ip|ipv4|ipv6|alphanum|hex|isoDate|valid|equal|only|oneOf|enum|integer|int|toNumber)$/
const openMethods = /^(?:passthrough|loose|unknown|catchall)$/
const wrappers = /^(?:optional|nullable|nullish|lazy|promise|readonly)$/
const parsing = /^(?:parse|parseAsync|validateAsync|validateSync|cast)$/
const answering = /^(?:validate|safeParse|safeParseAsync)$/

const schema = (kind: Kind): Value => collection(`schema:${kind}`)

const kindOf = ({ type }: Value): Kind => {
  if (type === "clean" || type === "number") return "clean"
  return type?.startsWith("schema:") === true ? (type.slice(7) as Kind) : "text"
}

const isSchema = ({ type }: Value): boolean => type?.startsWith("schema:") === true

const objectOf = (fields: ReadonlyMap<string, Value> | null): Value => {
  const made = schema("object")
  for (const [name, field] of fields ?? []) addField(made, name, field)
  return made
}

const listOf = (item: Value | undefined): Value => {
  const made = schema("list")
  if (item !== undefined) addField(made, "*", item)
  return made
}

const isCleanUnion = (members: Value | undefined): boolean =>
  members?.fields != null && [...members.fields.values()].every((one) => kindOf(one) === "clean")

/** `z.string()`, `Joi.object({ … })`: a schema made from nothing. */
const begun = (name: string, [first]: ReadonlyArray<Value>): Value => {
  if (name === "object" || name === "strictObject") return objectOf(first?.fields ?? null)
  if (name === "looseObject") return { ...objectOf(first?.fields ?? null), type: "schema:open" }
  if (name === "array") return listOf(first)
  if (wrappers.test(name) && first !== undefined && isSchema(first)) return first
  if (/^(?:union|alternatives)$/.test(name)) return schema(isCleanUnion(first) ? "clean" : "text")
  return schema(cleanRoots.test(name) ? "clean" : "text")
}

const isHarmlessPattern = (run: Run, { call, args }: EvaluatedCall): boolean => {
  const node = call.args[0] ?? NONE
  const text = run.tree.is(node, "regex") ? run.tree.textOf(node) : (args[0]?.text ?? "")
  return harmlessPattern(text, false, false) !== null
}

/** `.regex(/^\d+$/)`, `.items(x)`, `.passthrough()`: what a method makes of its schema. */
const refined = (run: Run, receiver: Value, at: EvaluatedCall): Value => {
  const { call, args } = at
  if (cleanMethods.test(call.method)) return schema("clean")
  if (/^(?:regex|pattern|matches)$/.test(call.method)) return isHarmlessPattern(run, at) ? schema("clean") : receiver
  if (/^(?:keys|extend|shape|merge|concat)$/.test(call.method)) {
    return objectOf(new Map([...(receiver.fields ?? []), ...(args[0]?.fields ?? [])]))
  }
  if (call.method === "items" || call.method === "of") return listOf(args[0])
  if (call.method === "array") return listOf(receiver)
  if (openMethods.test(call.method) && kindOf(receiver) === "object") return { ...receiver, type: "schema:open" }
  // What a transformation makes of a value is not known.
  return /^(?:transform|pipe|preprocess)$/.test(call.method) ? schema("text") : receiver
}

/** What is left of a value that a schema let pass. */
const passed = (run: Run, node: number, by: Value, value: Value, depth: number): Value => {
  const kind = kindOf(by)
  if (kind === "clean") return unknown("clean")
  if (kind === "text" || depth === 0) return value
  const made = collection()
  if (kind === "open") addField(made, SPREAD, value)
  for (const [name, field] of by.fields ?? []) {
    addField(made, name, passed(run, node, field, memberOf(run, node, value, name), depth - 1))
  }
  return made
}

const MAX_DEPTH = 4

/** Joi answers `{ value }`, zod `{ data }`, and yup what it let pass. */
const answered = (result: Value): Value => {
  const answer = collection()
  for (const name of ["value", "data"]) addField(answer, name, result)
  for (const [name, field] of result.fields ?? []) if (!/^(?:value|data)$/.test(name)) addField(answer, name, field)
  return isTainted(result) ? { ...result, fields: answer.fields } : answer
}

const called = (run: Run, node: number, receiver: Value, at: EvaluatedCall): Value => {
  const { method } = at.call
  const value = at.args[0]
  const parses = parsing.test(method) || answering.test(method)
  if (value === undefined || isSchema(value) || !parses) return refined(run, receiver, at)
  const result = passed(run, node, receiver, value, MAX_DEPTH)
  return parsing.test(method) ? result : answered(result)
}

/** A call that makes a schema of zod, Joi or yup, refines one, or parses a value by one; null for all others. */
export const schemaCall = (run: Run, node: number, at: EvaluatedCall): Value | null => {
  const { receiver, path, args } = at
  if (receiver === null) return null
  if (isSchema(receiver)) return called(run, node, receiver, at)
  const name = root.exec(path)?.[1]
  if (name === undefined) return null
  return name === "attempt" ? attempted(run, node, args) : begun(name, args)
}

const attempted = (run: Run, node: number, [value, by]: ReadonlyArray<Value>): Value =>
  value === undefined || by === undefined ? unknown() : passed(run, node, by, value, MAX_DEPTH)
