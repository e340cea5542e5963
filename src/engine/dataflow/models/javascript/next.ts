import type { Model } from "../Model.ts"

/** Route handlers, pages and server actions of Next.js. */
export const next: Model = {
  name: "next",
  mentions:
    /searchParams|["']use server["']|\bexport (?:async function|const) (?:GET|POST|PUT|PATCH|DELETE)\b|["']next\/headers["']/,
  sources: [
    {
      kind: "request",
      path: /^http:request\.nextUrl\.(?:searchParams|search|pathname|href)$|^next\/headers\.(?:headers|cookies)\(\)\.get\(\)$/
    }
  ]
}
