import { chi } from "./go/chi.ts"
import { code } from "./go/code.ts"
import { databases } from "./go/databases.ts"
import { echo } from "./go/echo.ts"
import { fiber } from "./go/fiber.ts"
import { files } from "./go/files.ts"
import { gin } from "./go/gin.ts"
import { html } from "./go/html.ts"
import { netHttp } from "./go/netHttp.ts"
import { processes } from "./go/processes.ts"
import { queries } from "./go/queries.ts"
import { records } from "./go/records.ts"
import { redirects } from "./go/redirects.ts"
import { requests } from "./go/requests.ts"
import { standard } from "./go/standard.ts"
import { storedRecords } from "./go/storedRecords.ts"
import { system } from "./go/system.ts"
import type { Model } from "./Model.ts"

export const go: ReadonlyArray<Model> = [
  netHttp,
  chi,
  gin,
  echo,
  fiber,
  system,
  standard,
  databases,
  queries,
  records,
  processes,
  files,
  requests,
  code,
  html,
  redirects,
  storedRecords
]
