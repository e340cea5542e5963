import { archives } from "./javascript/archives.ts"
import { browser } from "./javascript/browser.ts"
import { code } from "./javascript/code.ts"
import { databases } from "./javascript/databases.ts"
import { express } from "./javascript/express.ts"
import { fastify } from "./javascript/fastify.ts"
import { files } from "./javascript/files.ts"
import { hapi } from "./javascript/hapi.ts"
import { html } from "./javascript/html.ts"
import { koa } from "./javascript/koa.ts"
import { nest } from "./javascript/nest.ts"
import { next } from "./javascript/next.ts"
import { node } from "./javascript/node.ts"
import { objects } from "./javascript/objects.ts"
import { processes } from "./javascript/processes.ts"
import { queries } from "./javascript/queries.ts"
import { records } from "./javascript/records.ts"
import { redirects } from "./javascript/redirects.ts"
import { requests } from "./javascript/requests.ts"
import { standard } from "./javascript/standard.ts"
import { storedRecords } from "./javascript/storedRecords.ts"
import type { Model } from "./Model.ts"

export const javascript: ReadonlyArray<Model> = [
  express,
  fastify,
  koa,
  nest,
  next,
  hapi,
  browser,
  archives,
  node,
  standard,
  databases,
  queries,
  records,
  processes,
  files,
  requests,
  code,
  objects,
  html,
  redirects,
  storedRecords
]
