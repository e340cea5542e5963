import { HttpApi } from "@effect/platform"
import { Option, SchemaAST } from "effect"
import { Closed } from "../schema/closed.ts"
import { Api } from "./Api.ts"

export type Json = Record<string, unknown>

export const isObject = (u: unknown): u is Json => typeof u === "object" && u !== null && !Array.isArray(u)

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** Clients must tolerate new fields in answers; only what the contract calls closed stays closed. */
export const tidySchemas = (schemas: Record<string, Json>) => {
  const closed = closedIdentifiers()
  for (const [name, schema] of Object.entries(schemas)) {
    if (!closed.has(name)) open(schema)
    schemas[name] = tidy(schema) as Json
  }
}

const open = (schema: unknown): void => {
  const parts = Array.isArray(schema) ? schema : isObject(schema) ? Object.values(schema) : []
  if (isObject(schema) && schema.additionalProperties === false) delete schema.additionalProperties
  for (const part of parts) open(part)
}

/** Says the same with less: no generated titles, no empty lists, `["string", "null"]` for a string or null. */
export const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isObject(value)) return value
  const { title, description, required, properties, ...rest } = value
  const isGenerated = typeof title === "string" && /^(min|max)Items\(/.test(title)
  const tidied: Json = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, tidy(part)]))
  if (title !== undefined && !isGenerated) tidied.title = title
  const isGeneratedText = isGenerated && /^an array of at (least|most) /.test(String(description))
  if (description !== undefined && !isGeneratedText) tidied.description = description
  if (!(Array.isArray(required) && required.length === 0) && required !== undefined) tidied.required = required
  if (isObject(properties) && Object.keys(properties).length > 0) {
    tidied.properties = Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, tidy(part)]))
  }
  return orNull(besideReference(tidied))
}

// A description beside a reference is what OpenAPI 3.1 allows and every reader shows.
const besideReference = (schema: Json): Json => {
  const { allOf, ...rest } = schema
  const [only, ...more] = Array.isArray(allOf) ? (allOf as ReadonlyArray<Json>) : []
  return only?.$ref !== undefined && more.length === 0 ? { ...only, ...rest } : schema
}

const orNull = (schema: Json): Json => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [first, second] = anyOf as [Json, Json]
  return second.type === "null" && typeof first.type === "string" && first.enum === undefined
    ? { ...first, ...rest, type: [first.type, "null"] }
    : schema
}

/** The framework writes a schema out where it meets it again; a reference says the same. */
export const byReference = (schema: Json, schemas: Readonly<Record<string, Json>>): Json => {
  const text = JSON.stringify(schema)
  const name = Object.keys(schemas).find((known) => JSON.stringify(schemas[known]) === text)
  return name === undefined ? schema : ref("schemas", name)
}

const closedIdentifiers = (): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (ast: SchemaAST.AST): void => {
    const identifier = SchemaAST.getIdentifierAnnotation(ast)
    if (ast.annotations[Closed] === true && Option.isSome(identifier)) found.add(identifier.value)
    for (const part of partsOf(ast)) visit(part)
  }
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ successes, payloads }) => {
      for (const { ast } of [...successes.values(), ...payloads.values()]) Option.map(asOption(ast), visit)
    }
  })
  return found
}

const asOption = (ast: Option.Option<SchemaAST.AST> | SchemaAST.AST): Option.Option<SchemaAST.AST> =>
  Option.isOption(ast) ? ast : Option.some(ast)

const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ast.propertySignatures.map(({ type }) => type)
    case "Union":
      return ast.types
    case "TupleType":
      return ast.rest.map(({ type }) => type)
    case "Refinement":
    case "Transformation":
      return [ast.from]
    default:
      return []
  }
}
