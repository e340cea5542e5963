import { assert, layer } from "@effect/vitest"
import { Effect, Either, SchemaAST } from "effect"
import { isClosed } from "../../src/schema/closed.ts"
import { decoded, inputs, labelOf } from "../support/inputs.ts"
import { TestApp } from "../support/TestApp.ts"

interface ClosedStruct {
  /** Where it is in the input. */
  readonly path: ReadonlyArray<string | number>
}

/** All closed structs of a schema. */
const closedStructs = (ast: SchemaAST.AST, path: ClosedStruct["path"] = []): ReadonlyArray<ClosedStruct> => {
  switch (ast._tag) {
    case "Refinement":
    case "Transformation":
      return closedStructs(ast.from, path)
    case "Union":
      return ast.types.flatMap((type) => closedStructs(type, path))
    case "TupleType":
      return ast.rest.flatMap(({ type }) => closedStructs(type, [...path, 0]))
    case "TypeLiteral":
      return [
        ...(isClosed(ast) ? [{ path }] : []),
        ...ast.propertySignatures.flatMap(({ name, type }) => closedStructs(type, [...path, String(name)]))
      ]
    default:
      return []
  }
}

const unknownAt = (path: ClosedStruct["path"]): unknown =>
  path.reduceRight<unknown>((value, key) => (key === 0 ? [value] : { [key]: value }), { undeclared_member: 1 })

layer(TestApp)("a closed struct", (it) => {
  it.effect("rejects an unknown member, wherever it is", () =>
    Effect.gen(function* () {
      const all = yield* inputs
      let structs = 0
      for (const input of all) {
        for (const { path } of closedStructs(input.ast)) {
          structs++
          const result = decoded(input, unknownAt(path))
          const loc = [...path, "undeclared_member"]
          const found = Either.isLeft(result) ? (result.left.errors ?? []) : []
          const problem = found.find((one) => JSON.stringify(one.loc) === JSON.stringify(loc))
          assert.strictEqual(problem?.type, "extra_forbidden", `${labelOf(input)} ${loc.join(".")}`)
        }
      }
      assert.isAbove(structs, 100)
    })
  )

  it.effect("is every body, query, tool's arguments and workflow's params", () =>
    Effect.gen(function* () {
      for (const input of yield* inputs) {
        if (input.part === "path" || input.part === "headers") continue
        // An optional body is one or nothing.
        const struct = closedStructs(input.ast).find(({ path }) => path.length === 0)
        assert.isDefined(struct, labelOf(input))
      }
    })
  )
})
