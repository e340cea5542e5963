import { Option, type SchemaAST } from "effect"

/** Whether a value is one of the schema's. */
export type Check = (value: unknown) => boolean

/** Functions that the code of a check calls by their index. */
type Captured = Array<(value: never) => unknown>

/**
 * The check of a schema whose decoding changes nothing; `null` where something is transformed. It is compiled to
 * JavaScript, as the printers of the API are: the library's decoder copies every field and list of every row and takes
 * longer than printing the page. The code holds names and words of schemas only.
 */
export const checkOf = (ast: SchemaAST.AST): Check | null => {
  const captured: Captured = []
  const code = codeOf(ast, "v", captured)
  return code === null ? null : (new Function("f", `return (v) => ${code}`)(captured) as Check)
}

/** The expression that says whether the value of the expression `v` is one of the schema's. */
const codeOf = (ast: SchemaAST.AST, v: string, captured: Captured): string | null => {
  switch (ast._tag) {
    case "StringKeyword":
      return `typeof ${v} === "string"`
    case "NumberKeyword":
      return `typeof ${v} === "number"`
    case "BooleanKeyword":
      return `typeof ${v} === "boolean"`
    case "UnknownKeyword":
      return `${v} !== undefined`
    case "Literal":
      return typeof ast.literal === "bigint" ? null : `${v} === ${JSON.stringify(ast.literal)}`
    case "Refinement":
      return codeOfRefinement(ast, v, captured)
    case "Union":
      return joined(ast.types, (type) => codeOf(type, v, captured), " || ")
    case "TupleType":
      return codeOfList(ast, v, captured)
    case "TypeLiteral":
      return codeOfRecord(ast, v, captured)
    default:
      return null
  }
}

const codeOfRefinement = (ast: SchemaAST.Refinement, v: string, captured: Captured): string | null => {
  const from = codeOf(ast.from, v, captured)
  if (from === null) return null
  captured.push((value) => Option.isNone(ast.filter(value, {}, ast)))
  return `(${from}) && f[${captured.length - 1}](${v})`
}

/** A list of one kind of item; tuples are left to the library. */
const codeOfList = ({ elements, rest }: SchemaAST.TupleType, v: string, captured: Captured): string | null => {
  const [item, ...more] = rest
  if (elements.length > 0 || item === undefined || more.length > 0) return null
  const code = codeOf(item.type, "i", captured)
  return code === null ? null : `Array.isArray(${v}) && ${v}.every((i) => ${code})`
}

/** A struct or a dictionary. */
const codeOfRecord = (
  { propertySignatures, indexSignatures }: SchemaAST.TypeLiteral,
  v: string,
  captured: Captured
): string | null => {
  const isObject = `typeof ${v} === "object" && ${v} !== null && !Array.isArray(${v})`
  const [index, ...more] = indexSignatures
  if (more.length > 0 || (index !== undefined && propertySignatures.length > 0)) return null
  if (index?.type._tag === "UnknownKeyword") return isObject
  const code =
    index === undefined
      ? joined(propertySignatures, (property) => codeOfProperty(property, captured), " && ")
      : prefixed("Object.values(o).every((i) => ", codeOf(index.type, "i", captured), ")")
  return code === null ? null : `${isObject} && ((o) => ${code === "" ? "true" : code})(${v})`
}

const codeOfProperty = ({ name, type, isOptional }: SchemaAST.PropertySignature, captured: Captured): string | null => {
  if (typeof name !== "string") return null
  const key = JSON.stringify(name)
  const code = codeOf(type, `o[${key}]`, captured)
  return isOptional ? prefixed(`(!(${key} in o) || `, code, ")") : code
}

const prefixed = (before: string, code: string | null, after: string) => (code === null ? null : before + code + after)

const joined = <A>(parts: ReadonlyArray<A>, code: (part: A) => string | null, operator: string): string | null => {
  const codes = parts.map(code)
  return codes.includes(null) ? null : codes.map((one) => `(${one})`).join(operator)
}
