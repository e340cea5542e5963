import { URL } from "../../values/Value.ts"
import { CONNECTION, REQUEST } from "../labels.ts"
import type { Model } from "../Model.ts"

const jsVerbs = "(?:get|post|put|patch|delete|head|request|options|stream|json|text)"
const addressFields = ["url", "uri", "host", "hostname", "baseURL", "baseUrl", "prefixUrl", "href"]

export const requests: Model = {
  name: "requests",
  mentions:
    /\b(?:fetch|axios|got|needle|request|superagent|ky)(?:\.(?:get|post|put|patch|delete|head|request))?\(|\bhttps?\.(?:get|request)\(|\.goto\(|\b(?:net|tls)\.(?:connect|createConnection)\(/,
  sinks: [
    {
      kind: URL,
      label: REQUEST,
      path: /^(?:fetch|globalThis\.fetch|(?:node-fetch|cross-fetch|isomorphic-fetch|undici|axios|got|ky|needle|request|request-promise(?:-native)?|superagent|make-fetch-happen|phin|ofetch|bent)(?:\.default|\.fetch|\.\$fetch)?)$/,
      args: [0],
      fields: addressFields
    },
    {
      kind: URL,
      label: REQUEST,
      path: new RegExp(
        `^(?:axios|got|ky|request|request-promise(?:-native)?|superagent|undici|https?|follow-redirects\\.https?)(?:\\.default)?\\.${jsVerbs}$`
      ),
      args: [0],
      fields: addressFields
    },
    { kind: URL, label: REQUEST, path: /^needle\.(?:get|post|head|put|delete)$/, args: [0] },
    { kind: URL, label: REQUEST, path: /^needle(?:\.request)?$/, args: [1] },
    {
      kind: URL,
      label: REQUEST,
      path: /^(?:puppeteer(?:-core)?|playwright(?:-core)?)\b.*\.goto$|(?:^|\.)goto$/,
      args: [0],
      when: ({ receiver }) => /page$/i.test(receiver)
    },
    { kind: URL, label: CONNECTION, path: /^(?:net|tls)\.(?:connect|createConnection)$/, args: [1], fields: ["host"] }
  ]
}
