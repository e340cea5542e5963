import { assert, layer } from "@effect/vitest"
import { Effect, Either, SchemaAST } from "effect"
import type { ApiError } from "../../src/schema/ApiError.ts"
import { parseJson } from "../../src/services/support/jsonBody.ts"
import { inForm } from "../support/forms.ts"
import { decoded, type Input, inputs, labelOf } from "../support/inputs.ts"
import { TestApp } from "../support/TestApp.ts"

const size = 1024 * 1024
/** In units of what `JSON.parse` alone spends on the widest body that is admitted: machines differ in milliseconds. */
const mostCost = 4
const mostTurns = 30

/** As many repetitions as fit into a body. */
const filled = (start: string, unit: string, end: string) => {
  const times = Math.floor((size - start.length - end.length) / unit.length)
  return `${start}${unit.repeat(times).replace(/,$/, "")}${end}`
}

/** An object of as many members, with names that fill the body. */
const members = (count: number, value: (i: number) => string) => {
  const width = Math.floor(size / count) - '"":,'.length - String(count).length
  const one = (i: number) => `"${String(i).padEnd(width, "k")}":${value(i)}`
  return `{${Array.from({ length: count }, (_, i) => one(i)).join(",")}}`
}

/** The widest body that is admitted. */
const widest = members(12_000, String)

const repeated = (times: number, json: string) => `[${Array(times).fill(json).join(",")}]`

/** JSON for the value of one field. */
const valueShapes: Readonly<Record<string, string>> = {
  "one long text": filled('"', "x", '"'),
  "one long text of digits": filled('"', "1", '"'),
  "one long text of dots": filled('"a', "..", '"'),
  "one long text of slashes": filled('"a', "/.", '"'),
  "one long text of spaces": filled('"', " ", 'x"'),
  "one long text of emoji": `"${"💥".repeat(size / 4 - 1)}"`,
  "a timestamp without end": filled('"2026-01-31T12:00:00.', "1", '"'),
  "a reference without end": filled('"OBS-', "1", '"'),
  "a number of a million digits": filled("", "1", ""),
  "empty objects": filled("[", "{},", "]"),
  "as many empty objects as are admitted": repeated(8000, "{}"),
  "as many texts as are admitted": repeated(24_000, '"x"'),
  "as many members as are admitted": members(11_000, () => "1"),
  "lists in lists": "[".repeat(size / 2) + "]".repeat(size / 2),
  "99 levels, many times": repeated(120, "[".repeat(95) + "]".repeat(95))
}

const bodyShapes: Readonly<Record<string, string>> = {
  ...valueShapes,
  "one long text of escapes": filled('"', "\\u0061", '"'),
  "one long text of quotes": filled('"', '\\"', '"'),
  "a fraction of a million digits": filled("0.", "3", ""),
  "numbers beyond all bounds": filled("[", "1e999999,", "]"),
  "long texts": repeated(1000, JSON.stringify("y".repeat(1000))),
  "70,000 unknown members": members(70_000, String),
  "as many unknown members as are admitted": widest,
  "members of one name": filled("{", '"__proto__":1,', "}"),
  "one member with a long name": filled('{"', "n", '":1}'),
  "objects in objects": filled("", '{"a":', ""),
  "an object that does not end": filled('{"a":', "[", ""),
  "an object with spaces after it": filled("{}", " ", "")
}

const millisOf = (run: () => unknown): number => {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const parseWidest = () => millisOf(() => JSON.parse(widest))

const leastParsing = Math.min(...Array.from({ length: mostTurns }, parseWidest))

/**
 * What a call costs in units of parsing alone. Where the first turn is too much, the least of several of both in turn, so
 * that neither a cold start nor load counts.
 */
const costOf = (run: () => unknown): number => {
  let least = millisOf(run)
  if (least <= (leastParsing * mostCost) / 2) return least / leastParsing
  let parsing = parseWidest()
  for (let turn = 0; turn < mostTurns && least > (parsing * mostCost) / 2; turn++) {
    least = Math.min(least, millisOf(run))
    parsing = Math.min(parsing, parseWidest())
  }
  return least / parsing
}

/** A shape as the reader of bodies returns it, and what reading it costs. */
const readShapes = (shapes: Readonly<Record<string, string>>) =>
  Object.entries(shapes).map(([shape, json]) => {
    const bytes = Buffer.from(json)
    const read = () => Effect.runSync(Effect.either(parseJson(bytes)))
    return { shape, cost: costOf(read), value: read() }
  })

type ReadShape = ReturnType<typeof readShapes>[number]

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value)

const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.PropertySignature> =>
  ast._tag === "Refinement" ? fieldsOf(ast.from) : ast._tag === "TypeLiteral" ? ast.propertySignatures : []

/** As the client would read it, with room for the known fields of 20 problems. */
const isSmall = (error: ApiError) =>
  JSON.stringify([error.message, error.param, error.errors, error.details]).length < 20_000

const problemsOf = (
  label: string,
  input: Input,
  { shape, cost: reading, value }: ReadShape,
  within: (value: unknown) => unknown
) => {
  if (Either.isLeft(value)) return isSmall(value.left) ? [] : [`${label} ${shape}: large`]
  // JSON-RPC takes nothing but an object for the arguments of a tool.
  if (input.part === "arguments" && !isObject(within(value.right))) return []
  const decode = () => decoded(input, within(value.right))
  const [decoding, result] = [costOf(decode), decode()]
  const found = reading + decoding > mostCost ? [`${label} ${shape}: ${reading} and ${decoding}`] : []
  return Either.isLeft(result) && !isSmall(result.left) ? [...found, `${label} ${shape}: large`] : found
}

/** Each input meets every fifth shape, and each shape every fifth input; in the long form all meet all. */
const EVERY = inForm({ short: 5, long: 1 })
const meets = (input: number) => (_: unknown, shape: number) => (input + shape) % EVERY === 0

const bodyParts = new Set<Input["part"]>(["body", "arguments", "params"])

/** Each once: both levels of the team context have the same bodies. */
const bodies = Effect.map(inputs, (all) =>
  all.filter(({ part, ast }, i) => bodyParts.has(part) && all.findIndex((one) => one.ast === ast) === i)
)

layer(TestApp)("a body of 1 MB", (it) => {
  it.effect(
    "costs at most four times as much as parsing alone to read and to decode or reject, and the rejection is small",
    () =>
      Effect.gen(function* () {
        const all = yield* bodies
        assert.isAbove(all.length, 80)
        const read = readShapes(bodyShapes)
        assert.deepStrictEqual(
          read.filter(({ cost }) => cost > mostCost).map(({ shape, cost }) => `${shape}: ${cost}`),
          []
        )
        const problems = all.flatMap((input, i) =>
          read.filter(meets(i)).flatMap((one) => problemsOf(labelOf(input), input, one, (value) => value))
        )
        assert.deepStrictEqual(problems, [])
      }),
    600_000
  )

  it.effect(
    "costs as little in any one field",
    () =>
      Effect.gen(function* () {
        const read = readShapes(valueShapes)
        const seen = new Set<SchemaAST.AST>()
        const problems: Array<string> = []
        for (const input of yield* bodies) {
          for (const { name, type } of fieldsOf(input.ast)) {
            if (seen.has(type)) continue
            seen.add(type)
            for (const one of read.filter(meets(seen.size))) {
              const label = `${labelOf(input)} ${String(name)}`
              problems.push(...problemsOf(label, input, one, (value) => ({ [name]: value })))
            }
          }
        }
        assert.isAbove(seen.size, 100)
        assert.deepStrictEqual(problems, [])
      }),
    600_000
  )
})
