import { assert, layer } from "@effect/vitest"
import { Effect, Either, Schema, type SchemaAST } from "effect"
import { charactersOf } from "../../src/schema/characters.ts"
import { decoderOf } from "../../src/services/support/decoding.ts"
import { inForm } from "../support/forms.ts"
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

/** Every text of up to so many of these, and some that no one types. */
const common = [
  ...inForm({ short: [1, 2, 3], long: [1, 2, 3, 4] }).reduce<ReadonlyArray<ReadonlyArray<string>>>(
    (sets) => [...sets, sets.at(-1)!.flatMap((start) => alphabet.map((next) => start + next))],
    [[""]]
  ),
  ["a..b", "a.b.c", "a".repeat(64), "a".repeat(65), "a".repeat(100), "a".repeat(101), "a\u0000b", "a\n"],
  ["OBS", "ISS", "MSN"].flatMap((kind) => [
    ...["1", "0", "01", "9999999999", "99999999999", "1\n", "1.5", ""].map((number) => `${kind}-${number}`),
    `${kind.toLowerCase()}-1`,
    ` ${kind}-1`
  ]),
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
    `a@${"b".repeat(319)}`,
    "https://github.com/acme/shop/pull/7",
    "http://a/b",
    "https://a",
    "https://me@a/b",
    "HTTPS://A/B",
    "ftp://a/b"
  ],
  // Of a list's fifty longest values, and of more than fifty short ones, not all of them different.
  [50, 51, 5025].map((length) => Array(length).fill("a").join()),
  Array.from({ length: 60 }, (_, n) => `a${n}`).join(),
  [
    Array(50).fill("a".repeat(200)).join(),
    Array(50).fill("a".repeat(201)).join(),
    Array(51).fill("a".repeat(200)).join()
  ]
].flat()

/** Lists, right and wrong, of the words that a pattern chooses from. */
const listsOf = ({ source }: RegExp): ReadonlyArray<string> =>
  [...source.matchAll(/\((?:\?:)?([\w.-]+(?:\|[\w.-]+)+)\)/g)].flatMap(([, choice = ""]) => {
    const words = choice.split("|")
    const [first = "", last = ""] = [words[0], words.at(-1)]
    const wrong = [`${first},,${last}`, `${first},`, `,${first}`, `${first}, ${last}`, `${first},${last}x`]
    const long = [50, 51, 12_000].map((length) => Array(length).fill(first).join())
    return [...words, words.join(), first.toUpperCase(), first.toLowerCase(), ...wrong, ...long]
  })

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
        const candidates = [...common, ...listsOf(pattern)]
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
