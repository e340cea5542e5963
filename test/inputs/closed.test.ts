import { assert, layer } from "@effect/vitest"
import { Effect, Either, SchemaAST } from "effect"
import { isClosed } from "../../src/schema/closed.ts"
import { aKey, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { decoded, inputs, labelOf } from "../support/inputs.ts"
import { TestApp } from "../support/TestApp.ts"
import { errorOf, send } from "../support/wire.ts"

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

  it.effect("of a workflow without params rejects any: 422 with the detail in the message and no errors", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aRegisteredRepository(owner)
      const { api_key: as } = yield* aKey(owner)
      for (const workflow of ["audit", "standard_audit", "discover"]) {
        const json = { workflow, params: { depth: 3 } }
        const response = yield* send({ path: "/api/repos/acme/api/main/jobs", as, json })
        const { code, message, param, errors } = errorOf(response)
        assert.deepStrictEqual(
          [response.status, code, message, param, errors],
          [422, "invalid_payload", "params.depth: is not a known field", "params", undefined],
          workflow
        )
      }
    })
  )
})
