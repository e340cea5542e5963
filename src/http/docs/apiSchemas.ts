import { isObject, type Json } from "../openapiSchemas.ts"
import { escaped, renderInlineMarkdown } from "./html.ts"

/** One line of a table of fields: `items[].path` stands for a field of the elements of a list. */
interface Field {
  readonly path: string
  readonly schema: Json
  readonly isRequired: boolean
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const alternatives = (schema: Json): ReadonlyArray<Json> => list(schema.anyOf ?? schema.oneOf).filter(isObject)

/** A field with its own fields after it, so that one table shows the whole of an object. */
const expanded = (field: Field): ReadonlyArray<Field> => [field, ...fieldsOf(field.schema, field.path)]

const fieldsOf = (schema: Json, path: string): ReadonlyArray<Field> => {
  if (isObject(schema.items)) return fieldsOf(schema.items, `${path}[]`)
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = new Set(list(schema.required))
  const own = properties.flatMap(([name, value]) =>
    isObject(value)
      ? expanded({ path: path === "" ? name : `${path}.${name}`, schema: value, isRequired: required.has(name) })
      : []
  )
  return [...own, ...alternatives(schema).flatMap((alternative) => fieldsOf(alternative, path))]
}

export const schemaAnchor = (name: string) => `schema-${name}`

const componentName = (schema: Json): string | null =>
  /^#\/components\/schemas\/(.+)$/.exec(text(schema.$ref))?.[1] ?? null

const limits: ReadonlyArray<readonly [keyword: string, words: string]> = [
  ["minLength", "at least this many characters:"],
  ["maxLength", "at most this many characters:"],
  ["minItems", "at least this many items:"],
  ["maxItems", "at most this many items:"],
  ["minimum", "minimum"],
  ["maximum", "maximum"],
  ["exclusiveMinimum", "more than"],
  ["pattern", "pattern"]
]

const limitsOf = (schema: Json): string =>
  limits
    .filter(([keyword]) => schema[keyword] !== undefined)
    .map(([keyword, words]) => `; ${words} <code>${escaped(String(schema[keyword]))}</code>`)
    .join("")

/** The type of a schema in a few words, as HTML. */
export const typeOf = (schema: Json): string => {
  const name = componentName(schema)
  if (name !== null) return `<a href="/api/schemas/#${escaped(schemaAnchor(name))}">${escaped(name)}</a>`
  const several = alternatives(schema)
  if (several.length > 0) return [...new Set(several.map(typeOf))].join(" or ")
  const constants = list(schema.enum)
  if (constants.length > 0) return constants.map((one) => `<code>${escaped(String(one))}</code>`).join(" or ")
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? "any"]
  const format = schema.format === undefined ? "" : ` (${escaped(text(schema.format))})`
  const element = isObject(schema.items) ? ` of ${typeOf(schema.items)}` : ""
  return `${escaped(types.join(" or "))}${element}${format}${limitsOf(schema)}`
}

const row = ({ path, schema, isRequired }: Field): string => {
  const mark = isRequired ? "" : " <small>optional</small>"
  const description = renderInlineMarkdown(text(schema.description))
  return `<tr><td><code>${escaped(path)}</code>${mark}</td><td>${typeOf(schema)}</td><td>${description}</td></tr>`
}

export const fieldTable = (fields: ReadonlyArray<Field>): string => `<div class="table"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>
${fields.map(row).join("\n")}
</tbody>
</table></div>`

/** A schema as HTML: its fields, or its type when it has none. */
export const schemaHtml = (schema: Json): string => {
  const fields = fieldsOf(schema, "")
  const type = `<p>${typeOf(schema)}</p>`
  return fields.length === 0 ? type : fieldTable(fields)
}
