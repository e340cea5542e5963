import { createRequire } from "node:module"

// Values from JSON Schemas, for requests that no one wrote by hand; the same seed makes the same ones.

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }
export type JsonSchema = { readonly [key: string]: unknown }

/** Mulberry32: small, and good enough to choose with. */
export class Chance {
  #state: number
  constructor(seed: number) {
    this.#state = seed
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  below(n: number): number {
    return Math.floor(this.next() * n)
  }
  oneIn(n: number): boolean {
    return this.below(n) === 0
  }
  pick<A>(items: ReadonlyArray<A>): A {
    return items[this.below(items.length)]!
  }
}

const words = [
  "main",
  "acme",
  "api",
  "web",
  "feature/x",
  "OBS-1",
  "2026-01-31T12:00:00Z",
  "a b",
  "ünïcödé",
  "日本語",
  "🧨"
]

export const hostileTexts = [
  "",
  " ",
  "null",
  "-1",
  "NaN",
  "1e309",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "%00",
  "%",
  "a\u0000b",
  "\ud800",
  "\uffff",
  "\u202eabc",
  "e\u0301".repeat(50),
  "'; DROP TABLE jobs; --",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "\r\nX-Injected: 1",
  "x".repeat(300),
  "x".repeat(3000),
  "💥".repeat(400),
  "💥".repeat(501),
  "x\udc00y",
  "💥\ud83d",
  // Beside what the documented patterns and the database's numbers allow.
  "OBS-0",
  "OBS-2147483648",
  "OBS-9999999999",
  "OBS-99999999999",
  "a..b",
  "a.lock",
  "@",
  "2026-02-30T25:61:61Z",
  "0000-00-00",
  "9".repeat(400)
]

const hostileNumbers = [
  ...[0, -0, -1, 1.5, 1e21, -1e21, 1e308, -1e308, 5e-324, 1e-7],
  ...[31, 32, 53, 63, 64, 128].flatMap((bits) => [2 ** bits - 1, 2 ** bits, -(2 ** bits), -(2 ** bits) - 1])
]

/** One, a few or many values of a filter, separated by commas. */
const listOf = (chance: Chance, item: () => string) => Array.from({ length: chance.pick([1, 3, 60]) }, item).join()

const textOf = (chance: Chance, schema: JsonSchema): string => {
  if (schema.format === "uuid") {
    const hex = () => chance.below(16).toString(16)
    return "xxxxxxxx-xxxx-7xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, hex)
  }
  if (schema.format === "date-time") {
    return new Date(
      Date.UTC(2020 + chance.below(12), chance.below(12), 1 + chance.below(28), chance.below(24))
    ).toJSON()
  }
  if (String(schema.pattern).startsWith("^OBS-")) return `OBS-${1 + chance.below(12)}`
  const listed = /^\^\(([\w|]+)\)\(,/.exec(String(schema.pattern))?.[1]
  if (listed !== undefined) return listOf(chance, () => chance.pick(listed.split("|")))
  if (String(schema.pattern).includes("(,")) return listOf(chance, () => `rule_${chance.below(20)}.x-y`)
  const [least, most] = [Number(schema.minLength ?? 0), Number(schema.maxLength ?? 60)]
  // A boundary as often as anything else.
  const length = chance.pick([least, most, Math.min(most, least + 1 + chance.below(20))])
  const text = chance
    .pick(words)
    .repeat(1 + Math.ceil(length / 2))
    .replace(/[^\x20-\x7e]/gu, "x")
  if (String(schema.pattern).includes("]+@[")) return `guest-${chance.below(1000)}@example.org`
  // The only other patterns are those of names and slugs.
  const plain = typeof schema.pattern === "string" ? text.replace(/[^\w]/g, "x") : text
  const allowed = String(schema.pattern).startsWith("^[a-z0-9]") ? plain.toLowerCase().replaceAll("_", "x") : plain
  return allowed.padEnd(length, "x").slice(0, length)
}

const numberOf = (chance: Chance, schema: JsonSchema): number => {
  const least = Number(schema.minimum ?? schema.exclusiveMinimum ?? 0)
  const most = Number(schema.maximum ?? least + 1000)
  if (schema.type !== "integer") return least + (chance.next() + 1e-6) * (most - least)
  return chance.pick([least, most, least + chance.below(most - least + 1)])
}

/** A value that the schema allows. References must have been followed. */
export const valid = (chance: Chance, schema: JsonSchema): Json => {
  if (Array.isArray(schema.enum)) return chance.pick(schema.enum as ReadonlyArray<Json>)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return valid(chance, chance.pick(choices as ReadonlyArray<JsonSchema>))
  const type = Array.isArray(schema.type) ? chance.pick(schema.type as ReadonlyArray<string>) : schema.type
  switch (type) {
    case "null":
      return null
    case "boolean":
      return chance.oneIn(2)
    case "integer":
    case "number":
      return numberOf(chance, { ...schema, type })
    case "string":
      return textOf(chance, schema)
    case "array": {
      const least = Number(schema.minItems ?? 0)
      const length = chance.pick([least, Math.min(Number(schema.maxItems ?? 4), least + chance.below(4))])
      return Array.from({ length }, () => valid(chance, (schema.items ?? {}) as JsonSchema))
    }
    default: {
      const required = new Set((schema.required ?? []) as ReadonlyArray<string>)
      const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>)
      return Object.fromEntries(
        properties
          .filter(([name]) => required.has(name) || chance.oneIn(2))
          .map(([name, property]) => [name, valid(chance, property)])
      )
    }
  }
}

const anything = (chance: Chance, depth = 2): Json => {
  const kind = chance.below(depth === 0 ? 4 : 6)
  if (kind === 0) return chance.pick(hostileTexts)
  if (kind === 1) return chance.pick(hostileNumbers)
  if (kind === 2) return chance.pick([null, true, false])
  if (kind === 3) return chance.pick(words)
  const items = Array.from({ length: chance.below(4) }, () => anything(chance, depth - 1))
  return kind === 4
    ? items
    : Object.fromEntries(items.map((item, i) => [chance.pick([...hostileTexts, `k${i}`]), item]))
}

/** A value with one change: often one that the schema rejects, not always. */
export const mutated = (chance: Chance, value: Json): Json => {
  if (Array.isArray(value) && value.length > 0 && !chance.oneIn(3)) {
    const index = chance.below(value.length)
    return value.map((item, i) => (i === index ? mutated(chance, item) : item))
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !chance.oneIn(6)) {
    const entries = Object.entries(value)
    const move = chance.below(3)
    if (entries.length === 0 || move === 0) {
      return Object.fromEntries([...entries, [chance.pick(["extra", ...hostileTexts]), anything(chance)]])
    }
    const index = chance.below(entries.length)
    return Object.fromEntries(
      entries.flatMap(([name, item], i) =>
        i !== index ? [[name, item]] : move === 1 ? [] : [[name, mutated(chance, item)]]
      )
    )
  }
  if (typeof value === "string" && chance.oneIn(3)) return `${value}${chance.pick(hostileTexts)}`
  if (typeof value === "number" && chance.oneIn(2))
    return chance.pick([value + 1, value - 1, String(value), ...hostileNumbers])
  return anything(chance)
}

/** JSON that no one sends in good faith, of up to 1 MB, beside a body or in one of its fields. */
export const hostileJson = (chance: Chance, value: Json): string => {
  const text = chance.pick(['"x"', '"💥"', "1", "{}", "[]", "null", '"\\u0000"', '"\\ud800"'])
  const part = chance.pick([
    () =>
      `[${Array(chance.pick([100, 10_000, 100_000]))
        .fill(text)
        .join(",")}]`,
    () => `"${chance.pick(["x", "💥", "9", ".", "\\u0061", '\\"']).repeat(chance.pick([3000, 100_000]))}"`,
    () => "9".repeat(chance.pick([20, 400, 100_000])),
    () => `1e${"9".repeat(chance.pick([3, 100]))}`,
    () => `${"[".repeat(60)}${"]".repeat(60)}`,
    () => `{${Array.from({ length: chance.pick([10, 5000, 50_000]) }, (_, i) => `"k${i}":${text}`).join(",")}}`,
    () => `{"__proto__":${text},"constructor":${text}}`
  ])()
  if (typeof value !== "object" || value === null || Array.isArray(value) || chance.oneIn(4)) return part
  const names = Object.keys(value)
  const name = names.length === 0 || chance.oneIn(3) ? "unknown" : chance.pick(names)
  const others = Object.entries(value).filter(([key]) => key !== name)
  const unknown = chance.oneIn(4) ? Array.from({ length: 2000 }, (_, i) => `"u${i}":${i}`) : []
  const fields = [...others.map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(item)}`), ...unknown]
  return `{${[...fields, `${JSON.stringify(name)}:${part}`].join(",")}}`
}

type Validator = ((value: unknown) => boolean) & { readonly errors?: unknown }

// The library's types are those of a CommonJS module that ours cannot import as they are.
const require = createRequire(import.meta.url)
const Ajv2020 = require("ajv/dist/2020").default as new (options: object) => { compile(schema: object): Validator }
const addFormats = require("ajv-formats").default as (ajv: object) => void

/** Compiles schemas of JSON Schema 2020-12, as OpenAPI 3.1 has them. */
export const compiler = () => {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats(ajv)
  return (schema: object): Validator => ajv.compile(schema)
}
