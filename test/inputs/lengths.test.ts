import { assert, layer } from "@effect/vitest"
import { Effect, Either, JSONSchema, Schema, SchemaAST } from "effect"
import type { ApiError } from "../../src/schema/ApiError.ts"
import { checkFields, checkKey } from "../../src/services/context/entryRules.ts"
import { decoded, type Input, inputs, labelOf, limitsOf } from "../support/inputs.ts"
import { TestApp } from "../support/TestApp.ts"

interface LimitedText {
  readonly path: ReadonlyArray<string | number>
  readonly min: number
  readonly max: number
  readonly pattern: string | undefined
}

/** All texts of a schema whose length is limited. */
const limitedTexts = (ast: SchemaAST.AST, path: LimitedText["path"] = []): ReadonlyArray<LimitedText> => {
  const { minLength = 0, maxLength: max, pattern } = limitsOf(ast)
  if (max !== undefined) return [{ path, min: minLength, max, pattern }]
  switch (ast._tag) {
    case "Refinement":
    case "Transformation":
      return limitedTexts(ast.from, path)
    case "Union":
      return ast.types.flatMap((type) => limitedTexts(type, path))
    case "TupleType":
      return ast.rest.flatMap(({ type }) => limitedTexts(type, [...path, 0]))
    case "TypeLiteral":
      return ast.propertySignatures.flatMap(({ name, type }) => limitedTexts(type, [...path, String(name)]))
    default:
      return []
  }
}

const inputWith = (path: LimitedText["path"], text: string): unknown =>
  path.reduceRight<unknown>((value, key) => (key === 0 ? [value] : { [key]: value }), text)

/** The sizes of a context entry are rejected with codes of their own, after decoding. */
const sizeChecked = new Set(["key", "title", "summary", "body_md", "agent_label", "reason", "tags", "labels"])

const contextProblem = (path: LimitedText["path"], text: string) => {
  const check: Effect.Effect<unknown, ApiError> =
    path[0] === "key" ? checkKey(text) : checkFields({ [String(path[0])]: path.length === 1 ? text : [text] })
  return Either.match(Effect.runSync(Effect.either(check)), {
    onLeft: ({ spec, details }) =>
      spec.code === "field_too_large" || spec.code === "key_too_long" ? (details ?? {}) : null,
    onRight: () => null
  })
}

const isContext = ({ name }: Input) => /\/context\/|context_entry$/.test(name)

/** Texts that are parsed: a text of emoji is not too long, and still names no filter, no address and no ticket. */
const parsed: ReadonlyArray<readonly [label: RegExp, problem: RegExp]> = [
  [/\/api\/views.* query$/, /^may have the filters/],
  [/\/api\/trackers.* base_url$/, /^must be an address/],
  [/\/api\/webhooks.* url$/, /^must be an address/],
  [/change[-_]review.* name$/, /^must be a ticket key/]
]

/** What a rejection says of the field, whatever else the input lacks. */
const problemAt = (input: Input, { path }: LimitedText, text: string): string | undefined => {
  const result = decoded(input, inputWith(path, text))
  const loc = JSON.stringify(path)
  return Either.isRight(result) ? undefined : result.left.errors?.find((one) => JSON.stringify(one.loc) === loc)?.msg
}

layer(TestApp)("a length", (it) => {
  it.effect("counts characters, or bytes where it says so, in every text of REST and MCP", () =>
    Effect.gen(function* () {
      let texts = 0
      for (const input of yield* inputs) {
        for (const limited of limitedTexts(input.ast)) {
          const label = `${labelOf(input)} ${limited.path.join(".")}`
          const at = (length: number) => problemAt(input, limited, "💥".repeat(length))
          texts++
          if (isContext(input) && sizeChecked.has(String(limited.path[0]))) {
            const actual = limited.max + 1
            const details = contextProblem(limited.path, "💥".repeat(actual))
            // Bytes are four times as many.
            const isBytes = limited.path[0] === "body_md"
            assert.strictEqual(details?.unit, isBytes ? "bytes" : "characters", label)
            assert.strictEqual(details?.actual, isBytes ? 4 * actual : actual, label)
            assert.isNull(contextProblem(limited.path, "💥".repeat(isBytes ? limited.max / 4 : limited.max)), label)
            continue
          }
          const tooManyBytes = `must have at most ${limited.max} bytes`
          if (at(limited.max) === tooManyBytes) {
            const fitting = Math.floor(limited.max / 4)
            assert.isUndefined(at(fitting), label)
            assert.strictEqual(at(fitting + 1), tooManyBytes, label)
            continue
          }
          const tooLong = `must have at most ${limited.max} characters`
          if (limited.pattern === undefined && !label.includes("branch")) {
            const problem = parsed.find(([known]) => known.test(label))?.[1]
            if (problem === undefined) assert.isUndefined(at(limited.max), label)
            else assert.match(at(limited.max) ?? "", problem, label)
            assert.strictEqual(at(limited.max + 1), tooLong, label)
            if (limited.min > 0 && problem === undefined) assert.isUndefined(at(limited.min), label)
          }
          if (limited.min > 1) assert.match(at(limited.min - 1) ?? "", /^must have at least \d+ characters$/, label)
        }
      }
      assert.isAbove(texts, 60)
    })
  )

  it.effect("of a note of nine emoji is too short, of ten it is not", () =>
    Effect.gen(function* () {
      const dismiss = (yield* inputs).find(({ name }) => name === "dismiss_observation")!
      const note = { path: ["dismissal_note"], min: 10, max: 500, pattern: undefined }
      assert.strictEqual(problemAt(dismiss, note, "💥".repeat(9)), "must have at least 10 characters")
      assert.isUndefined(problemAt(dismiss, note, "💥".repeat(10)))
      assert.isUndefined(problemAt(dismiss, note, "💥".repeat(500)))
    })
  )

  it.effect("is what the JSON Schema says, for every text that is limited", () =>
    Effect.gen(function* () {
      for (const input of yield* inputs) {
        if (input.part === "params" || input.part === "headers") continue
        const printed = JSON.stringify(JSONSchema.make(Schema.make(SchemaAST.encodedBoundAST(input.ast))))
        for (const { max } of limitedTexts(input.ast)) {
          assert.include(printed, `"maxLength":${max}`, labelOf(input))
        }
      }
    })
  )
})
