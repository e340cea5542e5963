import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { clip, startOf } from "../../../src/schema/characters.ts"
import { closed } from "../../../src/schema/closed.ts"
import { JsonObject, list, oneOf, optionalOrNull, text } from "../../../src/schema/Text.ts"
import { decoderOf } from "../../../src/services/support/decoding.ts"

const Body = closed({
  name: text(1, 5),
  color: optionalOrNull(oneOf("red", "green"), "Color."),
  tags: optionalOrNull(Schema.Array(Schema.String), "Tags."),
  few: optionalOrNull(list(oneOf("a", "b"), 1, 3), "At most three."),
  data: optionalOrNull(JsonObject, "Anything."),
  inner: optionalOrNull(closed({ flag: Schema.Boolean }), "A struct."),
  parts: optionalOrNull(Schema.Array(closed({ n: Schema.Number })), "Structs.")
})
const decode = decoderOf(Body)

const problemsOf = (input: unknown) =>
  Either.match(decode(input), {
    onRight: () => [],
    onLeft: ({ errors = [] }) => errors.map(({ loc, msg, type }) => [loc.join("."), msg, type])
  })

describe("a rejection", () => {
  it("has one problem for each field, unknown ones first, however deep", () => {
    assert.deepStrictEqual(
      problemsOf({
        zz: 1,
        color: "blue",
        few: ["a", "c"],
        data: [],
        inner: { flag: 1, x: 2 },
        parts: [{ n: 1, y: 1 }]
      }),
      [
        ["zz", "is not a known field; known are name, color, tags, few, data, inner, parts", "extra_forbidden"],
        ["inner.x", "is not a known field; known are flag", "extra_forbidden"],
        ["parts.0.y", "is not a known field; known are n", "extra_forbidden"],
        ["name", "is required", "missing"],
        ["color", "must be one of red, green", "value_error"],
        ["few.1", "must be one of a, b", "value_error"],
        ["data", "must be a JSON object", "type_error"],
        ["inner.flag", "must be true or false", "type_error"]
      ]
    )
  })

  it("has the first 20 problems and counts the others", () => {
    const result = decode({ name: "a", tags: Array(1000).fill({ secret: 1 }) })
    assert.isTrue(Either.isLeft(result))
    if (Either.isRight(result)) return
    assert.strictEqual(result.left.errors?.length, 20)
    assert.strictEqual(result.left.message, "tags.0: must be a string")
    assert.deepStrictEqual(result.left.details, { errors_omitted: 980 })
    assert.notInclude(JSON.stringify(result.left), "secret")
  })

  it("repeats at most 100 characters of a key that the client made up", () => {
    const [[loc = ""] = []] = problemsOf({ name: "a", ["💥".repeat(1000)]: 1 })
    assert.strictEqual(loc, `${"💥".repeat(99)}…`)
  })

  it("decodes no item of a list that is too long", () => {
    assert.deepStrictEqual(problemsOf({ name: "a", few: ["a", "a", "a", "x"] }), [
      ["few", "must have at most 3 items", "value_error"]
    ])
    assert.deepStrictEqual(problemsOf({ name: "a", few: [] }), [["few", "must have at least 1 item", "value_error"]])
  })

  it("of an input that is no object says that one is needed", () => {
    for (const input of [null, undefined, 1, "a", [], [1]]) {
      assert.deepStrictEqual(problemsOf(input), [["", "must be a JSON object", "type_error"]])
    }
  })

  it("takes a struct without fields for an empty one", () => {
    const empty = decoderOf(closed({}))
    assert.deepStrictEqual(empty({}), Either.right({}))
    for (const input of [
      { a: 1 },
      { __proto__: null, constructor: 1 },
      JSON.parse('{"__proto__":{"a":1}}'),
      [],
      1,
      null
    ]) {
      assert.isTrue(Either.isLeft(empty(input)), JSON.stringify(input))
    }
  })
})

describe("a text that is cut", () => {
  it("ends with a whole character", () => {
    assert.strictEqual(clip("💥💥💥", 3), "💥💥💥")
    assert.strictEqual(clip("💥💥💥", 2), "💥…")
    assert.strictEqual(clip("a💥b", 2), "a…")
    assert.strictEqual(clip("", 2), "")
    assert.strictEqual(startOf("a💥b", 2), "a")
    assert.strictEqual(startOf("a💥b", 3), "a💥")
    assert.strictEqual(startOf("ab", 9), "ab")
  })
})
