import { assert, layer } from "@effect/vitest"
import { Effect, Either, Schema, type SchemaAST } from "effect"
import { charactersOf } from "../../src/schema/characters.ts"
import { decoderOf } from "../../src/services/support/decoding.ts"
import { inputs, labelOf, limitsOf } from "../support/inputs.ts"
import { TestApp } from "../support/TestApp.ts"

interface Documented {
  readonly label: string
  readonly ast: SchemaAST.AST
  readonly pattern: RegExp
  readonly min: number
  readonly max: number
}

/** All texts of a schema with a documented pattern. */
const patternedTexts = (ast: SchemaAST.AST, label: string): ReadonlyArray<Documented> => {
  const { pattern, minLength: min = 0, maxLength: max = Number.POSITIVE_INFINITY } = limitsOf(ast)
  if (pattern !== undefined) return [{ label, ast, pattern: new RegExp(pattern, "u"), min, max }]
  switch (ast._tag) {
    case "Refinement":
    case "Transformation":
      return patternedTexts(ast.from, label)
    case "Union":
      return ast.types.flatMap((type) => patternedTexts(type, label))
    case "TupleType":
      return ast.rest.flatMap(({ type }) => patternedTexts(type, label))
    case "TypeLiteral":
      return ast.propertySignatures.flatMap(({ name, type }) => patternedTexts(type, `${label} ${String(name)}`))
    default:
      return []
  }
}

const alphabet = ["a", "Z", "0", "9", "_", ".", "-", "/", "é", "💥", " ", "\n"]

/** Every text of up to four of these, and some that no one types. */
const candidates = [
  ...[1, 2, 3, 4].reduce<ReadonlyArray<ReadonlyArray<string>>>(
    (sets) => [...sets, sets.at(-1)!.flatMap((start) => alphabet.map((next) => start + next))],
    [[""]]
  ),
  ["a..b", "a.b.c", "a".repeat(64), "a".repeat(65), "a".repeat(100), "a".repeat(101), "a\u0000b", "a\n"],
  ["OBS-1", "OBS-0", "OBS-01", "OBS-9999999999", "OBS-99999999999", "obs-1", "OBS-1\n", " OBS-1", "OBS-1.5", "OBS-"],
  [
    "a@b",
    "grace@example.org",
    "@b",
    "a@",
    "a@b@c",
    "a b@c",
    "a@b\n",
    "a@b,c",
    "<a@b>",
    "é@💥",
    "a@\u202eb",
    `a@${"b".repeat(319)}`
  ],
  [Array(50).fill("P0").join(), Array(50).fill("a").join()],
  [
    "finding",
    "finding,advisory",
    "finding,,advisory",
    "finding,",
    ",P0",
    "P0,P3",
    "P0,p3",
    "P0, P1",
    "security",
    "security,ux"
  ]
].flat()

layer(TestApp)("a documented pattern", (it) => {
  it.effect("accepts what the decoder accepts, and nothing else", () =>
    Effect.gen(function* () {
      const seen = new Map<SchemaAST.AST, Documented>()
      for (const input of yield* inputs) {
        for (const one of patternedTexts(input.ast, labelOf(input))) if (!seen.has(one.ast)) seen.set(one.ast, one)
      }
      assert.isAtLeast(seen.size, 3)
      for (const { label, ast, pattern, min, max } of seen.values()) {
        const decode = decoderOf(Schema.make<unknown, unknown>(ast))
        const accepted = candidates.filter((text) => Either.isRight(decode(text)))
        const documented = candidates.filter((text) => {
          const length = charactersOf(text)
          return length >= min && length <= max && pattern.test(text)
        })
        assert.deepStrictEqual(accepted, documented, label)
        assert.isNotEmpty(accepted, label)
      }
    })
  )
})
