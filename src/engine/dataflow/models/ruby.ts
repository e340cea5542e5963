import type { Model } from "./Model.ts"
import { code } from "./ruby/code.ts"
import { databases } from "./ruby/databases.ts"
import { files } from "./ruby/files.ts"
import { html } from "./ruby/html.ts"
import { objects } from "./ruby/objects.ts"
import { processes } from "./ruby/processes.ts"
import { queries } from "./ruby/queries.ts"
import { rails } from "./ruby/rails.ts"
import { redirects } from "./ruby/redirects.ts"
import { requests } from "./ruby/requests.ts"
import { sinatra } from "./ruby/sinatra.ts"
import { standard } from "./ruby/standard.ts"
import { storedRecords } from "./ruby/storedRecords.ts"
import { system } from "./ruby/system.ts"

export const ruby: ReadonlyArray<Model> = [
  rails,
  sinatra,
  system,
  standard,
  databases,
  queries,
  processes,
  files,
  requests,
  code,
  objects,
  html,
  redirects,
  storedRecords
]
