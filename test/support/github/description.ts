import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Ajv, type ValidateFunction } from "ajv"
import formats from "ajv-formats"

/** A part of the description, or any other JSON. */
export type Json = { readonly [key: string]: unknown }

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const jsonAt = (value: unknown, ...path: ReadonlyArray<string>): Json => {
  const found = path.reduce<unknown>((at, key) => (isJson(at) ? at[key] : undefined), value)
  return isJson(found) ? resolved(found) : {}
}

const file = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json")

/** OpenAPI 3.0 says `nullable` where JSON Schema has a type; beside anything but a type it means nothing to a validator. */
const withNull = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withNull)
  if (!isJson(value)) return value
  const { nullable, ...rest } = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withNull(part)]))
  const isSchema = nullable === true
  if (!isSchema) return nullable === undefined || nullable === false ? rest : { ...rest, nullable }
  if (Array.isArray(rest.enum)) return { ...rest, nullable, enum: [...rest.enum, null] }
  return "type" in rest ? { ...rest, nullable } : { anyOf: [rest, { enum: [null] }] }
}

const description: Json = (() => {
  const read = withNull(JSON.parse(readFileSync(file, "utf8")))
  return isJson(read) ? read : {}
})()

const resolved = (part: Json): Json => {
  const { $ref } = part
  if (typeof $ref !== "string") return part
  return jsonAt(description, ...$ref.slice(2).split("/").map(unescaped))
}

const unescaped = (name: string) => name.replaceAll("~1", "/").replaceAll("~0", "~")
const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25")

/** `coerceTypes`: for what comes as text, in an address. */
const validator = (coerceTypes: boolean) => {
  const made = new Ajv({ strict: false, allErrors: true, validateSchema: false, coerceTypes, logger: false })
  formats.default(made)
  return made.addSchema(description, "github")
}
const ajv = validator(false)
const coercing = validator(true)

const validators = new Map<string, ValidateFunction>()

/** Why the value is not what the schema at this address of the description asks for; empty when it is. */
const against = (address: string, value: unknown): ReadonlyArray<string> => {
  const validate = validators.get(address) ?? ajv.compile({ $ref: `github#${address}` })
  validators.set(address, validate)
  if (validate(value) === true) return []
  return (validate.errors ?? []).slice(0, 5).map(({ instancePath, message }) => `${instancePath || "body"} ${message}`)
}

/** One operation of GitHub's REST API as published. */
export interface Described {
  /** `POST /repos/{owner}/{repo}/pulls`. */
  readonly name: string
  readonly parameters: Readonly<Record<string, string>>
  readonly checkRequest: (query: URLSearchParams, body: unknown) => ReadonlyArray<string>
  readonly checkResponse: (status: number, body: unknown) => ReadonlyArray<string>
  /** The least that the schema of this response allows, with these values in it. */
  readonly response: (status: number, values: Json) => unknown
  /** The least that the schema of one element of this response allows. */
  readonly element: (status: number, values: Json) => unknown
  /** The least that the schema allows of one element of a list in this response. */
  readonly inner: (status: number, list: string, values: Json) => unknown
}

const templates = Object.keys(jsonAt(description, "paths")).map((template) => ({
  template,
  names: [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
  // The last segment of references and paths takes slashes.
  pattern: new RegExp(
    `^${template
      .replace(/[.]/g, "\\.")
      .replace(/\{(ref|path|basehead)\}/g, "(.+)")
      .replace(/\{\w+\}/g, "([^/]+)")}$`
  )
}))

/** The operation of this request; undefined where GitHub has none. */
export const describedAt = (method: string, path: string): Described | undefined => {
  const found = templates
    .filter(({ pattern }) => pattern.test(path))
    // Literal segments before parameters, and before the slashes that one of these takes.
    .sort((one, other) => one.names.length - other.names.length || other.template.length - one.template.length)
    .find(({ template }) => method.toLowerCase() in jsonAt(description, "paths", template))
  if (found === undefined) return undefined
  const values = found.pattern.exec(path)?.slice(1) ?? []
  const parameters = Object.fromEntries(found.names.map((name, at) => [name, decodeURIComponent(values[at] ?? "")]))
  return operation(method.toLowerCase(), found.template, parameters)
}

const operation = (method: string, template: string, parameters: Readonly<Record<string, string>>): Described => {
  const at = `/paths/${escaped(template)}/${method}`
  const described = jsonAt(description, "paths", template, method)
  const schemaOf = (status: number) => {
    const { $ref } = jsonOf(jsonAt(described, "responses")[String(status)])
    const response = jsonAt(described, "responses", String(status))
    const address = typeof $ref === "string" ? $ref.slice(1) : `${at}/responses/${status}`
    const type = Object.keys(jsonAt(response, "content")).find((name) => name.includes("json"))
    return {
      isKnown: String(status) in jsonAt(described, "responses"),
      address: type === undefined ? null : `${address}/content/${escaped(type)}/schema`,
      schema: type === undefined ? {} : jsonAt(response, "content", type, "schema")
    }
  }
  return {
    name: `${method.toUpperCase()} ${template}`,
    parameters,
    checkRequest: (query, body) => [
      ...queryProblems(described, query),
      ...pathProblems(described, parameters),
      ...bodyProblems(at, described, body)
    ],
    checkResponse: (status, body) => {
      const { isKnown, address } = schemaOf(status)
      // Every operation may answer these, whether the description lists them or not.
      if (!isKnown)
        return [401, 403, 404, 429].includes(status) || status >= 500 ? [] : [`status ${status} is not described`]
      if (address === null) return body === undefined || status >= 400 ? [] : [`status ${status} has no body`]
      return against(address, body)
    },
    response: (status, values) => filled(withoutNull(schemaOf(status).schema), values),
    element: (status, values) => filled(jsonAt(schemaOf(status).schema, "items"), values),
    inner: (status, list, values) => filled(jsonAt(schemaOf(status).schema, "properties", list, "items"), values)
  }
}

const jsonOf = (value: unknown): Json => (isJson(value) ? value : {})

const parametersIn = (described: Json, place: string) =>
  (Array.isArray(described.parameters) ? described.parameters : [])
    .map((one: unknown) => resolved(jsonOf(one)))
    .filter((one) => one.in === place)

const fits = (schema: unknown, text: string) => {
  const holder = { value: text }
  return coercing.validate({ type: "object", properties: { value: withRoot(schema) } }, holder)
}

const withRoot = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema ?? {}).replaceAll('"$ref":"#/', '"$ref":"github#/'))

const queryProblems = (described: Json, query: URLSearchParams) => {
  const known = parametersIn(described, "query")
  const unknown = [...query.keys()].filter((name) => !known.some((one) => one.name === name))
  return [
    ...unknown.map((name) => `query parameter ${name} does not exist`),
    ...known.flatMap(({ name, required, schema }) => {
      const value = query.get(String(name))
      if (value === null) return required === true ? [`query parameter ${String(name)} is missing`] : []
      return fits(schema, value) ? [] : [`query parameter ${String(name)} cannot be ${value}`]
    })
  ]
}

const pathProblems = (described: Json, values: Readonly<Record<string, string>>) =>
  parametersIn(described, "path").flatMap(({ name, schema }) =>
    fits(schema, values[String(name)] ?? "") ? [] : [`path parameter ${String(name)} cannot be ${values[String(name)]}`]
  )

const bodyProblems = (at: string, described: Json, body: unknown) => {
  const content = jsonAt(described, "requestBody", "content")
  if (!("application/json" in content)) return body === undefined ? [] : ["the operation takes no body"]
  if (body === undefined) {
    return jsonAt(described, "requestBody").required === true ? ["the body is missing"] : []
  }
  const unknown = isJson(body) ? unknownFields(jsonAt(content, "application/json", "schema"), body) : []
  return [
    ...unknown.map((name) => `body has a field ${name} that does not exist`),
    ...against(`${at}/requestBody/content/application~1json/schema`, body)
  ]
}

/** GitHub ignores fields that it does not know; here they are mistakes. Only where the schema lists all. */
const unknownFields = (schema: Json, body: Json) => {
  const { properties } = schema
  if (!isJson(properties) || "oneOf" in schema || "anyOf" in schema || "allOf" in schema) return []
  return Object.keys(body).filter((name) => !(name in properties))
}

/** The least value of a schema, with the given values over it. */
const filled = (schema: Json, values: Json): unknown => {
  const least = leastOf(schema)
  return isJson(least) ? overlaid(least, schema, values) : least
}

const overlaid = (least: Json, schema: Json, values: Json): Json =>
  Object.fromEntries([
    ...Object.entries(least),
    ...Object.entries(values).map(([name, value]) => {
      const part = jsonOf(propertiesOf(schema)[name])
      return [name, isJson(value) ? filled(withoutNull(resolved(part)), value) : value]
    })
  ])

const withoutNull = (schema: Json): Json => {
  const { nullable: _, anyOf, ...rest } = schema
  const [first, second] = Array.isArray(anyOf) ? anyOf : []
  const isNullable = isJson(second) && Array.isArray(second.enum) && second.enum[0] === null
  return isNullable ? withoutNull(resolved(jsonOf(first))) : { ...rest, ...(anyOf === undefined ? {} : { anyOf }) }
}

const variantsOf = (schema: Json): ReadonlyArray<Json> =>
  [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list.map(jsonOf) : []))

const propertiesOf = (schema: Json): Json => {
  if (isJson(schema.properties)) return schema.properties
  return Object.assign({}, ...variantsOf(schema).map((one) => propertiesOf(resolved(one))))
}

const texts: Readonly<Record<string, string>> = {
  uri: "http://127.0.0.1/nothing",
  "date-time": "2026-11-22T12:00:00Z",
  email: "person@example.org",
  date: "2026-11-22"
}

const leastOf = (part: Json): unknown => {
  const schema = resolved(part)
  if (schema.nullable === true) return null
  if (Array.isArray(schema.enum)) return schema.enum.includes(null) ? null : schema.enum[0]
  const [first] = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list.map(jsonOf) : []))
  if (first !== undefined) return nullIn(schema) ? null : leastOf(first)
  if (Array.isArray(schema.allOf)) return Object.assign({}, ...schema.allOf.map((one: unknown) => leastOf(jsonOf(one))))
  return leastOfType(schema)
}

const nullIn = ({ anyOf }: Json) =>
  Array.isArray(anyOf) && anyOf.some((one: unknown) => isJson(one) && Array.isArray(one.enum) && one.enum[0] === null)

const leastOfType = (schema: Json): unknown => {
  switch (schema.type) {
    case "string":
      return texts[String(schema.format)] ?? "text"
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1
    case "boolean":
      return false
    case "array":
      return []
    default:
      return Object.fromEntries(
        (Array.isArray(schema.required) ? schema.required : []).map((name: unknown) => [
          String(name),
          leastOf(jsonOf(jsonOf(schema.properties)[String(name)]))
        ])
      )
  }
}
