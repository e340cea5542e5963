import { Schema, type SchemaAST } from "effect"
import fastJsonStringify from "fast-json-stringify"

/** A JSON Schema; the library's own type knows no schema that allows anything. */
export interface Shape {
  readonly type?: "string" | "number" | "boolean" | "array" | "object"
  readonly nullable?: true
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: ReadonlyArray<string>
}

const printers = new WeakMap<object, (value: never) => string>()

/** A value as the JSON that its schema encodes it to. A schema's printer is compiled at its first use. */
export const printJson = <A, I>(schema: Schema.Schema<A, I>, value: A): string => {
  const known = printers.get(schema.ast) as ((value: A) => string) | undefined
  if (known !== undefined) return known(value)
  const encode = Schema.encodeSync(schema)
  const print = printerOf(schema) ?? ((value) => JSON.stringify(encode(value)))
  printers.set(schema.ast, print)
  return print(value)
}

/**
 * A printer of values that need no transformation on their way to the wire, made once from the schema; `null` where the
 * schema transforms something or says too little. It copies declared fields only and does not check their values: what
 * it prints was checked when it was written.
 */
export const printerOf = <A, I>(schema: Schema.Schema<A, I>): ((value: A) => string) | null => {
  const { ast } = schema
  return ast._tag === "Union" ? (printerOfShape(shapeOf(ast)) ?? printerOfRecords(ast)) : printerOfShape(shapeOf(ast))
}

const printerOfShape = (shape: Shape | null) =>
  shape === null ? null : fastJsonStringify(shape as Parameters<typeof fastJsonStringify>[0])

/** A printer of records of several kinds, each of which has a field that no other one knows. */
const printerOfRecords = ({ types }: SchemaAST.Union): ((value: unknown) => string) | null => {
  const shapes = types.map(shapeOf)
  const kinds = shapes.flatMap((shape, at) => {
    const others = shapes.filter((_, index) => index !== at)
    const mark = shape?.required?.find((name) => others.every((other) => other?.properties?.[name] === undefined))
    const print = mark === undefined ? null : printerOfShape(shape)
    return mark === undefined || print === null ? [] : [{ mark, print }]
  })
  if (kinds.length < types.length) return null
  return (value) => {
    const kind = kinds.find(({ mark }) => Object.hasOwn(value as object, mark))
    if (kind === undefined) throw new Error("The value is none of the records that the schema knows.")
    return kind.print(value)
  }
}

// JSON.stringify prints it as it is.
const anything: Shape = {}

/** What the printer is made from. */
export const shapeOf = (ast: SchemaAST.AST): Shape | null => {
  switch (ast._tag) {
    case "StringKeyword":
      return { type: "string" }
    case "NumberKeyword":
      return { type: "number" }
    case "BooleanKeyword":
      return { type: "boolean" }
    case "UnknownKeyword":
      return anything
    case "Literal":
      return typeof ast.literal === "string" ? { type: "string" } : null
    case "Refinement":
      return shapeOf(ast.from)
    case "Union":
      return shapeOfUnion(ast)
    case "TupleType":
      return shapeOfList(ast)
    case "TypeLiteral":
      return shapeOfRecord(ast)
    default:
      return null
  }
}

const isNull = (ast: SchemaAST.AST) => ast._tag === "Literal" && ast.literal === null

/** One thing, or null; or one of some words. */
const shapeOfUnion = ({ types }: SchemaAST.Union): Shape | null => {
  const kinds = types.filter((type) => !isNull(type)).map(shapeOf)
  const [first] = kinds
  if (first === undefined || first === null) return null
  const isOne = kinds.length === 1 || kinds.every((kind) => kind?.type === "string")
  if (!isOne) return null
  return types.some(isNull) && first !== anything ? { ...first, nullable: true } : first
}

const shapeOfList = ({ elements, rest }: SchemaAST.TupleType): Shape | null => {
  const [item, ...more] = rest
  if (elements.length > 0 || item === undefined || more.length > 0) return null
  const items = shapeOf(item.type)
  return items === null ? null : { type: "array", items }
}

const shapeOfRecord = ({ propertySignatures, indexSignatures }: SchemaAST.TypeLiteral): Shape | null => {
  if (propertySignatures.length === 0) {
    return indexSignatures.every(({ type }) => type._tag === "UnknownKeyword") ? anything : null
  }
  if (indexSignatures.length > 0) return null
  const properties: Record<string, Shape> = {}
  for (const { name, type } of propertySignatures) {
    const shape = typeof name === "string" ? shapeOf(type) : null
    if (shape === null) return null
    properties[String(name)] = shape
  }
  const required = propertySignatures.filter(({ isOptional }) => !isOptional).map(({ name }) => String(name))
  return { type: "object", properties, required }
}
