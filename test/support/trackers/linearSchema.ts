import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { buildSchema } from "graphql"

// Linear publishes its schema with its own client, as declarations that are generated from it. What our documents use is
// turned back into a schema here: names, arguments, and what may be null.

const folder = dirname(createRequire(import.meta.url).resolve("@linear/sdk"))
const declarations = readdirSync(folder)
  .filter((name) => name.endsWith(".d.mts"))
  .map((name) => readFileSync(join(folder, name), "utf8"))
  .join("\n")

const scalars = ["ID", "String", "Boolean", "Int", "Float"]

/** The types that are kept whole but for fields of other types; of the roots, the fields in use. */
const outputs: Readonly<Record<string, ReadonlyArray<string> | null>> = {
  Query: ["issues", "comments", "teams"],
  Mutation: ["issueCreate", "commentCreate"],
  IssueConnection: null,
  CommentConnection: null,
  TeamConnection: null,
  Issue: null,
  Comment: null,
  Team: null,
  IssuePayload: null,
  CommentPayload: null
}
const inputs = [
  "IssueCreateInput",
  "CommentCreateInput",
  "IssueFilter",
  "CommentFilter",
  "TeamFilter",
  "IssueIdComparator",
  "IdComparator",
  "StringComparator"
]
const known = [...scalars, ...Object.keys(outputs), ...inputs]

interface Field {
  readonly name: string
  readonly type: string
}

/** `Maybe<Array<Scalars["String"]>>` as GraphQL writes it; null where it is of a type that is left out. */
const typeOf = (declared: string): string | null => {
  const text = declared.trim()
  const [, wrapper = "", inner = ""] = /^(Maybe|InputMaybe|Array)<(.*)>$/.exec(text) ?? []
  if (wrapper !== "") {
    const of = typeOf(inner)
    if (of === null) return null
    return wrapper === "Array" ? `[${of}]!` : of.replace(/!$/, "")
  }
  const name = /^Scalars\["(\w+)"\]$/.exec(text)?.[1] ?? text
  return known.includes(name) ? `${name}!` : null
}

const fieldsOf = (name: string): ReadonlyArray<Field> => {
  const start = new RegExp(`^type ${name} = (?:\\w+ & )*\\{$`, "m").exec(declarations)
  if (start === null) return []
  const body = declarations.slice(start.index, declarations.indexOf("\n};", start.index))
  return [...body.matchAll(/^ {2}(\w+)\??: (.*);$/gm)].flatMap(([, field = "", declared = ""]) => {
    const type = field === "__typename" ? null : typeOf(declared)
    return type === null ? [] : [{ name: field, type }]
  })
}

const argumentsOf = (type: string, field: string): string => {
  const declared = fieldsOf(`${type}${field[0]?.toUpperCase()}${field.slice(1)}Args`)
  return declared.length === 0 ? "" : `(${declared.map(({ name, type }) => `${name}: ${type}`).join(", ")})`
}

const outputText = ([type, only]: readonly [string, ReadonlyArray<string> | null]) =>
  `type ${type} {\n${fieldsOf(type)
    .filter(({ name }) => only === null || only.includes(name))
    .map((field) => `  ${field.name}${argumentsOf(type, field.name)}: ${field.type}`)
    .join("\n")}\n}`

const inputText = (type: string) =>
  `input ${type} {\n${fieldsOf(type)
    .map((field) => `  ${field.name}: ${field.type}`)
    .join("\n")}\n}`

export const linearSchema = buildSchema(
  [...Object.entries(outputs).map(outputText), ...inputs.map(inputText)].join("\n")
)
