import { openApiDocument } from "../../src/http/openapi.ts"
import type { JsonSchema } from "./generate.ts"

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required: boolean
  readonly schema: JsonSchema
}

export interface Media {
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface DescribedResponse {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, Media>>
}

export interface DescribedOperation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: { readonly required: boolean; readonly media: Media } | null
  readonly security: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly responses: Readonly<Record<string, DescribedResponse>>
}

type Raw = { readonly [key: string]: unknown }

const followed = (document: Raw) => {
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow)
    if (typeof value !== "object" || value === null) return value
    const { $ref } = value as { readonly $ref?: unknown }
    if (typeof $ref === "string") return follow(at(document, $ref))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, follow(part)]))
  }
  return follow
}

/** What a reference of the document leads to. */
export const at = (document: Raw, reference: string): unknown =>
  reference
    .split("/")
    .slice(1)
    .reduce<unknown>((value, key) => (value as Raw | undefined)?.[key], document)

/** The operations of the OpenAPI document, with every reference followed. */
export const describedOperations = (document: Raw = openApiDocument()): ReadonlyArray<DescribedOperation> => {
  const paths = followed(document)(document.paths) as Readonly<Record<string, Readonly<Record<string, Raw>>>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const body = operation.requestBody as { required: boolean; content: Record<string, Media> } | undefined
      return {
        name: String(operation.operationId),
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []) as ReadonlyArray<Parameter>,
        body: body === undefined ? null : { required: body.required, media: body.content["application/json"]! },
        security: operation.security as ReadonlyArray<Readonly<Record<string, unknown>>>,
        responses: operation.responses as Readonly<Record<string, DescribedResponse>>
      }
    })
  )
}
