import { URL } from "../../values/Value.ts"
import { CONNECTION, REQUEST } from "../labels.ts"
import type { Model } from "../Model.ts"

export const requests: Model = {
  name: "requests",
  sinks: [
    {
      kind: URL,
      label: REQUEST,
      path: /(?:HttpClient|CreateClient)(?:\(\))?\.(?:Get|Post|Put|Patch|Delete)\w*Async$/,
      args: [0]
    },
    {
      kind: URL,
      label: REQUEST,
      path: /WebClient(?:\(\))?\.(?:Download\w+|OpenRead\w*|Upload\w+)$|^(?:Http)?WebRequest\.Create(?:Http)?$|^RestClient$|^FlurlClient$/,
      args: [0]
    },
    { kind: URL, label: REQUEST, path: /^HttpRequestMessage$/, args: [1] },
    { kind: URL, label: CONNECTION, path: /^TcpClient$|TcpClient(?:\(\))?\.Connect(?:Async)?$/, args: [0] }
  ]
}
