import { code } from "./java/code.ts"
import { databases } from "./java/databases.ts"
import { files } from "./java/files.ts"
import { html } from "./java/html.ts"
import { jaxrs } from "./java/jaxrs.ts"
import { micronaut } from "./java/micronaut.ts"
import { objects } from "./java/objects.ts"
import { processes } from "./java/processes.ts"
import { queries } from "./java/queries.ts"
import { records } from "./java/records.ts"
import { redirects } from "./java/redirects.ts"
import { requests } from "./java/requests.ts"
import { servlet } from "./java/servlet.ts"
import { spring } from "./java/spring.ts"
import { standard } from "./java/standard.ts"
import { storedRecords } from "./java/storedRecords.ts"
import { struts } from "./java/struts.ts"
import { system } from "./java/system.ts"
import type { Model } from "./Model.ts"

export const java: ReadonlyArray<Model> = [
  servlet,
  spring,
  jaxrs,
  micronaut,
  struts,
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
