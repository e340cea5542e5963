import type { Model } from "./Model.ts"
import { code } from "./php/code.ts"
import { databases } from "./php/databases.ts"
import { files } from "./php/files.ts"
import { html } from "./php/html.ts"
import { laravel } from "./php/laravel.ts"
import { objects } from "./php/objects.ts"
import { processes } from "./php/processes.ts"
import { queries } from "./php/queries.ts"
import { records } from "./php/records.ts"
import { redirects } from "./php/redirects.ts"
import { requests } from "./php/requests.ts"
import { slim } from "./php/slim.ts"
import { standard } from "./php/standard.ts"
import { storedRecords } from "./php/storedRecords.ts"
import { superglobals } from "./php/superglobals.ts"
import { symfony } from "./php/symfony.ts"
import { system } from "./php/system.ts"
import { wordpress } from "./php/wordpress.ts"

export const php: ReadonlyArray<Model> = [
  superglobals,
  laravel,
  symfony,
  slim,
  wordpress,
  system,
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
