import createClient from "openapi-fetch"
import { ApiError, errorOf, unreachable } from "./ApiError.ts"
import type { components, paths } from "./schema.d.ts"

/** A record of the API by its name in the OpenAPI document, for example `Schema<"Observation">`. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name]

let csrfToken: string | null = null

/** Every changing request of a session carries this token. */
export const setCsrfToken = (token: string | null) => {
  csrfToken = token
}

/** The token, for requests that do not go through the client. */
export const csrfHeaders = (): Readonly<Record<string, string>> =>
  csrfToken === null ? {} : { "x-assay-csrf": csrfToken }

/** The typed client of the API; `ok` turns its responses into values and errors. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  querySerializer: { array: { style: "form", explode: false } }
})

api.use({
  onRequest: ({ request }) => {
    if (request.method !== "GET")
      for (const [name, value] of Object.entries(csrfHeaders())) request.headers.set(name, value)
    return request
  }
})

interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** The body of a successful response; throws an `ApiError` for every other end. */
export const ok = async <Data>(answer: Promise<Answer<Data>>): Promise<Data> => (await withHeaders(answer)).data

/** As `ok`, together with the headers, for example the `ETag` that a later `If-Match` needs. */
export const withHeaders = async <Data>(answer: Promise<Answer<Data>>): Promise<{ data: Data; headers: Headers }> => {
  const { data, error, response } = await answer.catch((cause: unknown) => {
    throw cause instanceof DOMException && cause.name === "AbortError" ? cause : unreachable()
  })
  if (!response.ok) throw errorOf(response, error)
  return { data: data as Data, headers: response.headers }
}

export { ApiError }
