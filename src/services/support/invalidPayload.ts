import { Effect, Option, type ParseResult, SchemaAST } from "effect"
import type { FieldProblem } from "../../schema/ApiError.ts"
import { clip } from "../../schema/characters.ts"
import { InvalidPayload } from "../../schema/Errors.ts"
import { tooManyItems } from "../../schema/Text.ts"

type Issue = ParseResult.ParseIssue
type Path = ReadonlyArray<PropertyKey>

/** Clients correct a request by its first problems; a million of them would be a burden for both sides. */
const maxProblems = 20
/** A key that the client made up may be as long as the body. */
const maxKeyLength = 100

const locOf = (path: Path) => path.map((part) => (typeof part === "number" ? part : clip(String(part), maxKeyLength)))

/** The dotted path of a field. */
export const pathText = (path: Path): string => locOf(path).join(".")

/** Problems of a request, one entry per field and without the rejected values; only the first ones are kept. */
export class Problems {
  readonly #kept: Array<FieldProblem> = []
  #count = 0

  get isEmpty(): boolean {
    return this.#count === 0
  }

  #add(path: Path, type: string, message: () => string) {
    this.#count++
    if (this.#kept.length < maxProblems) this.#kept.push({ loc: locOf(path), msg: message(), type })
  }

  /** `known`: the fields that could have been meant. */
  addUnknownFields(path: Path, names: ReadonlyArray<string>, known: ReadonlyArray<string>) {
    for (const name of names.slice(0, maxProblems)) {
      this.#add([...path, name], "extra_forbidden", () =>
        known.length === 0 ? "is not a known field" : `is not a known field; known are ${known.join(", ")}`
      )
    }
    this.#count += Math.max(0, names.length - maxProblems)
  }

  /** A list with so many items that none is decoded. */
  addLongList(path: Path, max: number) {
    this.#add(path, "value_error", () => tooManyItems(max))
  }

  /** The problems that decoding found. */
  addIssue(issue: Issue, path: Path = [], isPredicate = false): void {
    const type = issue._tag === "Type" && !isPredicate ? "type_error" : "value_error"
    const message = annotatedMessage(issue)
    if (message !== undefined) return this.#add(path, type, () => message)
    switch (issue._tag) {
      case "Pointer":
        return this.addIssue(issue.issue, path.concat(issue.path))
      case "Composite":
        for (const member of membersOf(issue)) this.addIssue(member, path)
        return
      case "Refinement":
        // What refines anything at all is a type.
        return this.addIssue(issue.issue, path, issue.kind === "Predicate" && issue.ast.from._tag !== "UnknownKeyword")
      case "Transformation":
        return this.addIssue(issue.issue, path, issue.kind === "Transformation")
      case "Missing":
        return this.#add(path, "missing", () => "is required")
      case "Unexpected":
        return this.addUnknownFields(path.slice(0, -1), path.slice(-1).map(String), [])
      case "Type":
        return this.#add(path, type, () => wording(issue))
      case "Forbidden":
        return this.#add(path, type, () => "is not valid")
    }
  }

  rejection(): InvalidPayload {
    const [first] = this.#kept
    const param = first?.loc.join(".") ?? ""
    const omitted = this.#count - this.#kept.length
    return new InvalidPayload({
      message:
        first === undefined ? "The request is not valid." : param === "" ? bodyProblem : `${param}: ${first.msg}`,
      errors: this.#kept,
      ...(param === "" ? {} : { param }),
      ...(omitted === 0 ? {} : { details: { errors_omitted: omitted } })
    })
  }
}

const bodyProblem = "The request needs a body that is a JSON object."

/** What may be one thing or another fails as each of them; only the first helps, and never that it could be null. */
const membersOf = ({ ast, issues }: ParseResult.Composite): ReadonlyArray<Issue> => {
  const all = "_tag" in issues ? [issues] : issues
  return ast._tag === "Union" ? [all.find((issue) => !isAboutNull(issue)) ?? all[0]] : all
}

const isAboutNull = (issue: Issue) =>
  issue._tag === "Type" && issue.ast._tag === "Literal" && issue.ast.literal === null

/** The message that a schema defines for all of its problems. */
const annotatedMessage = (issue: Issue): string | undefined => {
  if (!("ast" in issue)) return
  const annotation = Option.getOrUndefined(SchemaAST.getMessageAnnotation(issue.ast))?.(issue)
  if (annotation === undefined || Effect.isEffect(annotation)) return
  const { message, override } = typeof annotation === "string" ? { message: annotation, override: false } : annotation
  return typeof message === "string" && (override || isInnermost(issue)) ? message : undefined
}

const isInnermost = (issue: Issue) =>
  issue._tag !== "Composite" &&
  !(issue._tag === "Refinement" && issue.kind === "From") &&
  !(issue._tag === "Transformation" && issue.kind !== "Transformation")

const wording = ({ ast, actual, message }: ParseResult.Type): string =>
  message ?? `must be ${typeName(ast, Array.isArray(actual))}`

// The library names types as TypeScript does, which means nothing to a caller, and quotes the value.
const typeName = (ast: SchemaAST.AST, isList: boolean): string => {
  switch (ast._tag) {
    case "StringKeyword":
      return isList ? "one string, not a list" : "a string"
    case "NumberKeyword":
      return "a number"
    case "BooleanKeyword":
      return "true or false"
    case "TupleType":
      return "a list"
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Refinement":
    case "Transformation":
      return typeName(ast.from, isList)
    default:
      return "a JSON object"
  }
}
