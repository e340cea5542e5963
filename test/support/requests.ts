import type { DescribedOperation, Parameter } from "./document.ts"
import { type Chance, hostileJson, hostileTexts, type Json, mutated, valid } from "./generate.ts"
import type { Call } from "./wire.ts"

/** Values that name something that is there, so that not every call ends in 404. */
export interface Known {
  readonly parameters: Readonly<Record<string, ReadonlyArray<string>>>
  /** Parameters that no JSON Schema describes in full: any other value is rejected. */
  readonly complete: Readonly<Record<string, ReadonlyArray<string>>>
  /** Whole queries, by operation, where one parameter excludes another. */
  readonly queries: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, string>>>>>
  /** Fields of bodies, by operation, that are chosen from these. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<Json>>>>>
  /** Whole bodies, by operation, where what a field may be depends on the others. */
  readonly bodies: Readonly<Record<string, ReadonlyArray<Json>>>
}

export interface Generated {
  readonly call: Omit<Call, "as">
  /** Whether the document allows all of it, as far as the generator knows; `null` when it does not. */
  readonly isValid: boolean | null
  readonly query: ReadonlyArray<readonly [string, string]>
  readonly body: Json | undefined
}

// What encodeURIComponent rejects are the three bytes of an unpaired surrogate.
const encoded = (text: string) =>
  [...text].map((point) => (/\p{Surrogate}/u.test(point) ? "%ED%A0%80" : encodeURIComponent(point))).join("")

const wireText = (value: Json) => (typeof value === "string" ? value : JSON.stringify(value))

const parameterValue = (chance: Chance, known: Known, parameter: Parameter, isHostile: boolean): string => {
  if (isHostile) return chance.oneIn(4) ? wireText(mutated(chance, "main")) : chance.pick(hostileTexts)
  const complete = known.complete[parameter.name]
  if (complete !== undefined) return chance.pick(complete)
  const choices = known.parameters[parameter.name]
  return choices !== undefined && !chance.oneIn(8) ? chance.pick(choices) : wireText(valid(chance, parameter.schema))
}

const queryOf = (
  chance: Chance,
  known: Known,
  operation: DescribedOperation,
  isHostile: boolean
): Array<readonly [string, string]> => {
  const queries = known.queries[operation.name]
  if (queries !== undefined && !isHostile) return Object.entries(chance.pick(queries))
  return operation.parameters
    .filter((parameter) => parameter.in === "query" && (parameter.required || chance.oneIn(3)))
    .map((parameter) => [parameter.name, parameterValue(chance, known, parameter, isHostile && chance.oneIn(2))])
}

const bodyOf = (chance: Chance, known: Known, operation: DescribedOperation, isHostile: boolean): Json | undefined => {
  const { body } = operation
  if (body === null || (!body.required && chance.oneIn(3))) return undefined
  const bodies = known.bodies[operation.name]
  const value = bodies === undefined ? valid(chance, body.media.schema) : chance.pick(bodies)
  const result = isHostile ? mutated(chance, value) : value
  if (typeof result !== "object" || result === null || Array.isArray(result)) return result
  // An address of chance would be looked for outside this machine.
  const fixed = Object.entries(known.fields[operation.name] ?? {}).filter(
    ([name]) => name === "clone_url" || !isHostile
  )
  return { ...result, ...Object.fromEntries(fixed.map(([name, choices]) => [name, chance.pick(choices)])) }
}

const headerText = (text: string) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, "?")

const wrongParts = ["path", "query", "header", "body", "raw", null, null, null] as const

/** One request to an operation: three in eight valid, the others with something wrong in one part. */
export const generated = (
  chance: Chance,
  operation: DescribedOperation,
  known: Known,
  wrong: (typeof wrongParts)[number] = chance.pick(wrongParts)
): Generated => {
  const inPath = operation.parameters.filter((parameter) => parameter.in === "path")
  const victim = inPath.length > 0 && wrong === "path" ? chance.pick(inPath).name : null
  const path = inPath.reduce(
    (text, parameter) =>
      text.replace(`{${parameter.name}}`, () =>
        encoded(parameterValue(chance, known, parameter, parameter.name === victim))
      ),
    operation.path
  )
  const query = queryOf(chance, known, operation, wrong === "query")
  if (wrong === "query") {
    const move = chance.below(3)
    if (move === 0) query.push([chance.pick(["extra", ...hostileTexts]), chance.pick(hostileTexts)])
    if (move === 1 && query.length > 0) query.push(chance.pick(query))
    if (move === 2) query.pop()
  }
  const headers = Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === "header" && chance.oneIn(2))
      .map((parameter) => [
        parameter.name,
        headerText(parameterValue(chance, known, parameter, wrong === "header")) || "1"
      ])
  )
  const body = bodyOf(chance, known, operation, wrong === "body")
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&")
  const address = `${path}${search === "" ? "" : `?${search}`}`.slice(0, 12_000)
  return {
    call: { method: operation.method, path: address, headers, ...sent(chance, body, wrong === "raw") },
    isValid: wrong === null && Object.keys(headers).length === 0 ? true : null,
    query: address.length === 12_000 || wrong === "path" ? [] : query,
    body: wrong === "raw" ? undefined : body
  }
}

const sent = (chance: Chance, body: Json | undefined, isRaw: boolean): Pick<Call, "json" | "body" | "headers"> => {
  if (!isRaw || body === undefined) return body === undefined ? {} : { json: body }
  const text = JSON.stringify(body)
  switch (chance.below(9)) {
    case 0:
      return { body: text.slice(0, -1) }
    case 1:
      return { body: text, headers: { "content-type": chance.pick(["text/plain", "multipart/form-data", ""]) } }
    case 2:
      return { body: Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]) }
    case 3:
      return { body: "[".repeat(2000) + "]".repeat(2000) }
    case 4:
      return chance.oneIn(8) ? { body: `${text}${" ".repeat(1024 * 1024)}` } : { body: "" }
    case 5:
    case 6:
    case 7:
      return { body: hostileJson(chance, body) }
    default:
      return { body: chance.pick(["null", "[]", "0", '""', "{", '{"a":1,"a":2}', '{"__proto__":{"x":1}}']) }
  }
}
