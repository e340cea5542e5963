import { HttpServerResponse } from "@effect/platform"

/** CSV as the other form of a response, which schemas of endpoints have no place for. */
export const withCsv = (description: string) => (operation: Record<string, unknown>) => {
  const { 200: ok, ...errors } = operation.responses as Record<number, { readonly content: object }>
  const csv = { schema: { type: "string", description } }
  return { ...operation, responses: { 200: { ...ok, content: { ...ok?.content, "text/csv": csv } }, ...errors } }
}

/** How a browser takes the response: as a file of this name. */
export const csvOptions = (filename: string) => ({
  contentType: "text/csv; charset=utf-8",
  headers: { "cache-control": "no-store", "content-disposition": `attachment; filename="${filename}"` }
})

export const csvFile = (filename: string, text: string) => HttpServerResponse.text(text, csvOptions(filename))
