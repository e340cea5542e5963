import type { Model } from "../Model.ts"

/** What Fastify's request has beyond that of Express. */
export const fastify: Model = {
  name: "fastify",
  sources: [
    { kind: "request", path: /^http:request\.(?:raw\.(?:url|headers)|parts\(\)|file\(\)|saveRequestFiles\(\))$/ }
  ]
}
