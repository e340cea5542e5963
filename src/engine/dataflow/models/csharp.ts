import { aspnet } from "./csharp/aspnet.ts"
import { code } from "./csharp/code.ts"
import { databases } from "./csharp/databases.ts"
import { files } from "./csharp/files.ts"
import { html } from "./csharp/html.ts"
import { objects } from "./csharp/objects.ts"
import { processes } from "./csharp/processes.ts"
import { queries } from "./csharp/queries.ts"
import { records } from "./csharp/records.ts"
import { redirects } from "./csharp/redirects.ts"
import { requests } from "./csharp/requests.ts"
import { standard } from "./csharp/standard.ts"
import { storedRecords } from "./csharp/storedRecords.ts"
import { system } from "./csharp/system.ts"
import type { Model } from "./Model.ts"

export const csharp: ReadonlyArray<Model> = [
  aspnet,
  system,
  standard,
  databases,
  queries,
  records,
  processes,
  files,
  objects,
  requests,
  code,
  html,
  redirects,
  storedRecords
]
