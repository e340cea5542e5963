import type { Model } from "./Model.ts"
import { aiohttp } from "./python/aiohttp.ts"
import { archives } from "./python/archives.ts"
import { code } from "./python/code.ts"
import { databases } from "./python/databases.ts"
import { django } from "./python/django.ts"
import { fastapi } from "./python/fastapi.ts"
import { files } from "./python/files.ts"
import { flask } from "./python/flask.ts"
import { html } from "./python/html.ts"
import { objects } from "./python/objects.ts"
import { processes } from "./python/processes.ts"
import { queries } from "./python/queries.ts"
import { records } from "./python/records.ts"
import { redirects } from "./python/redirects.ts"
import { requests } from "./python/requests.ts"
import { standard } from "./python/standard.ts"
import { storedRecords } from "./python/storedRecords.ts"
import { system } from "./python/system.ts"
import { tornado } from "./python/tornado.ts"

export const python: ReadonlyArray<Model> = [
  django,
  flask,
  fastapi,
  aiohttp,
  tornado,
  system,
  archives,
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
