export type Json = Record<string, unknown>

export const isObject = (u: unknown): u is Json => typeof u === "object" && u !== null && !Array.isArray(u)

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/**
 * The same schema in fewer words: no generated titles, no empty lists, `["string", "null"]` for a string or null.
 * Examples move to the operations that use the schema.
 */
export const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isObject(value)) return value
  const { title, description, required, properties, additionalProperties, examples: _, ...rest } = value
  const isGenerated = typeof title === "string" && /^(min|max)Items\(/.test(title)
  const isGeneratedText = isGenerated && /^an array of at (least|most) /.test(String(description))
  const tidied = tidyMembers(rest)
  // Schemas that are not closed may grow, which is the default of JSON Schema.
  if (additionalProperties !== undefined && additionalProperties !== true) {
    tidied.additionalProperties = tidy(additionalProperties)
  }
  if (title !== undefined && !isGenerated) tidied.title = title
  if (description !== undefined && !isGeneratedText) tidied.description = description
  if (Array.isArray(required) && required.length > 0) tidied.required = required
  if (isObject(properties) && Object.keys(properties).length > 0) tidied.properties = tidyMembers(properties)
  return orNull(besideReference(tidied))
}

export const tidyMembers = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).map(([key, part]) => [key, tidy(part)]))

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
