import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import { JobsPage } from "../../../src/http/JobsApi.ts"
import { ObservationsPage } from "../../../src/http/ObservationsApi.ts"
import { FixableObservation } from "../../../src/schema/Fix.ts"
import { Job } from "../../../src/schema/Job.ts"
import { printerOf, type Shape, shapeOf } from "../../../src/services/support/jsonPrinter.ts"

const printed = {
  Job: Job.ast,
  JobsPage: JobsPage.ast,
  ObservationsPage: ObservationsPage.ast,
  FixableObservation: FixableObservation.ast
}

const json = FastCheck.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)

/** Values of a shape, in the order of its fields. */
const valueOf = (shape: Shape): FastCheck.Arbitrary<unknown> => {
  const whole = presentOf(shape)
  return shape.nullable === true ? FastCheck.option(whole) : whole
}

const presentOf = ({ type, items = {}, properties = {}, required = [] }: Shape): FastCheck.Arbitrary<unknown> => {
  switch (type) {
    case "string":
      return FastCheck.string({ unit: "binary" })
    case "number":
      return FastCheck.oneof(FastCheck.nat(), FastCheck.double({ noNaN: true, noDefaultInfinity: true, min: 1e-9 }))
    case "boolean":
      return FastCheck.boolean()
    case "array":
      return FastCheck.array(valueOf(items), { maxLength: 3 })
    case "object":
      return FastCheck.record(
        Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, valueOf(shape)])),
        { requiredKeys: [...required], noNullPrototype: true }
      )
    default:
      return json
  }
}

describe("the printer of answers", () => {
  for (const [name, ast] of Object.entries(printed)) {
    const shape = shapeOf(ast)
    const print = printerOf(Schema.make<unknown>(ast))

    it.prop(`prints any ${name} as JSON.stringify does`, [shape === null ? json : valueOf(shape)], ([value]) => {
      assert.deepStrictEqual(JSON.parse(print?.(value) ?? ""), JSON.parse(JSON.stringify(value)))
    })
  }

  it("prints no field that the schema does not declare", () => {
    const print = printerOf(Schema.Struct({ shown: Schema.String }))
    const row = { shown: "a", secret: "b" }
    assert.strictEqual(print?.(row), '{"shown":"a"}')
  })

  it("rejects a value that lacks a declared field", () => {
    const print = printerOf(Schema.Struct({ shown: Schema.String }))
    assert.throws(() => print?.({} as { shown: string }))
  })

  it("prints one of several records by the field that only it has", () => {
    const one = Schema.Struct({ ref: Schema.String, title: Schema.String })
    const many = Schema.Struct({ results: Schema.Array(Schema.Struct({ ref: Schema.String })) })
    const print = printerOf(Schema.Union(one, many))
    const single = { ref: "OBS-1", title: "a", secret: "b" }
    assert.strictEqual(print?.(single), '{"ref":"OBS-1","title":"a"}')
    const several = { results: [{ ref: "OBS-1", secret: "b" }] }
    assert.strictEqual(print?.(several), '{"results":[{"ref":"OBS-1"}]}')
    assert.throws(() => print?.({ title: "a" } as typeof single))
    const same = Schema.Struct({ ref: Schema.String })
    assert.isNull(printerOf(Schema.Union(one, same)))
  })

  it("leaves alone what a schema transforms, and unions it cannot distinguish", () => {
    assert.isNull(printerOf(Schema.Struct({ at: Schema.DateTimeUtc })))
    assert.isNull(printerOf(Schema.Struct({ id: Schema.Union(Schema.String, Schema.Number) })))
  })
})
