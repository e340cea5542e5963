import { Either, Option, ParseResult, type Schema, type SchemaAST } from "effect"
import { isClosed } from "../../schema/closed.ts"
import type { InvalidPayload } from "../../schema/Errors.ts"
import { maxItemsOf } from "../../schema/Text.ts"
import { Problems } from "./invalidPayload.ts"
import { isRecord } from "./isRecord.ts"

/** Decodes what a client sent. */
export type Decoder<A> = (input: unknown) => Either.Either<A, InvalidPayload>

/**
 * The decoder of a schema. What it costs to reject an input is linear in the input and bounded in the response: the
 * library would print all fields of the schema for each unknown one, and the whole input for the message.
 */
export const decoderOf = <A, I>(schema: Schema.Schema<A, I>): Decoder<A> => {
  const decode = ParseResult.decodeUnknownEither(schema, { errors: "all" })
  const excerpt = excerptOf(schema.ast)
  return (input) => {
    const problems = new Problems()
    const decoded = decode(excerpt === null ? input : excerpt(input, [], problems))
    if (Either.isRight(decoded) && problems.isEmpty) return Either.right(decoded.right)
    if (Either.isLeft(decoded)) problems.addIssue(decoded.left)
    return Either.left(problems.rejection())
  }
}

type Path = ReadonlyArray<string | number>
/** The part of an input that is decoded: without unknown fields and without what a list has too much, which it reports. */
type Excerpt = (input: unknown, path: Path, problems: Problems) => unknown

/** Null where the whole input is decoded. */
const excerptOf = (ast: SchemaAST.AST): Excerpt | null => {
  switch (ast._tag) {
    case "Refinement":
      return excerptOfRefinement(ast)
    case "Transformation":
      return excerptOf(ast.from)
    case "Union":
      return excerptOfUnion(ast)
    case "TupleType":
      return excerptOfList(ast)
    case "TypeLiteral":
      return excerptOfStruct(ast)
    default:
      return null
  }
}

const excerptOfRefinement = (ast: SchemaAST.Refinement): Excerpt | null => {
  const inner = excerptOf(ast.from)
  const max = Option.getOrNull(maxItemsOf(ast))
  if (max === null) return inner
  return (input, path, problems) => {
    const isLong = Array.isArray(input) && input.length > max
    if (isLong) problems.addLongList(path, max)
    const items = isLong ? input.slice(0, max) : input
    return inner === null ? items : inner(items, path, problems)
  }
}

const excerptOfUnion = ({ types }: SchemaAST.Union): Excerpt | null => {
  const [only, ...others] = types.filter((type) => !(type._tag === "Literal" && type.literal === null))
  return only === undefined || others.length > 0 ? null : excerptOf(only)
}

const excerptOfList = ({ elements, rest }: SchemaAST.TupleType): Excerpt | null => {
  const [item, ...more] = rest
  const inner = item === undefined || elements.length + more.length > 0 ? null : excerptOf(item.type)
  if (inner === null) return null
  return (input, path, problems) =>
    Array.isArray(input) ? input.map((one, index) => inner(one, [...path, index], problems)) : input
}

const excerptOfStruct = (ast: SchemaAST.TypeLiteral): Excerpt | null => {
  const names = ast.propertySignatures.map(({ name }) => String(name))
  const known = new Set(names)
  const inner = ast.propertySignatures.flatMap(({ name, type }) => {
    const excerpt = excerptOf(type)
    return excerpt === null ? [] : [{ name: String(name), excerpt }]
  })
  if (!isClosed(ast) && inner.length === 0) return null
  const knownFields = (input: Fields, path: Path, problems: Problems): Fields => {
    const unknown = Object.keys(input).filter((key) => !known.has(key))
    problems.addUnknownFields(path, unknown, names)
    return unknown.length === 0
      ? input
      : Object.fromEntries(names.filter((name) => Object.hasOwn(input, name)).map((name) => [name, input[name]]))
  }
  return (input, path, problems) => {
    if (!isRecord(input)) return input
    const fields = isClosed(ast) ? knownFields(input, path, problems) : input
    const parts = inner.filter(({ name }) => Object.hasOwn(fields, name))
    return parts.length === 0
      ? fields
      : {
          ...fields,
          ...Object.fromEntries(
            parts.map(({ name, excerpt }) => [name, excerpt(fields[name], [...path, name], problems)])
          )
        }
  }
}

type Fields = Readonly<Record<string, unknown>>
