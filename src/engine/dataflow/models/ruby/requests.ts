import { URL } from "../../values/Value.ts"
import { CONNECTION, REQUEST } from "../labels.ts"
import type { Model } from "../Model.ts"

export const requests: Model = {
  name: "requests",
  sinks: [
    {
      kind: URL,
      label: REQUEST,
      path: /^(?:Net::HTTP|HTTParty|Faraday|RestClient|Excon|HTTP|Typhoeus|HTTPClient|HTTPX|Curl|Patron)(?:\.new)?(?:\(\))?\.(?:get|get_response|post|post_form|put|patch|delete|head|options|request|get_content)$/,
      args: [0]
    },
    {
      kind: URL,
      label: REQUEST,
      path: /^(?:URI\.open|OpenURI\.open_uri|Down\.(?:download|open)|Faraday\.new|Mechanize(?:\.new)?(?:\(\))?\.get)$/,
      args: [0]
    },
    { kind: URL, label: REQUEST, path: /^RestClient::(?:Request\.execute|Resource\.new)$/, args: [0], named: ["url"] },
    { kind: URL, label: REQUEST, path: /^Net::HTTP::(?:Get|Post|Put|Delete|Patch|Head)\.new$/, args: [0] },
    { kind: URL, label: CONNECTION, path: /^(?:Net::HTTP\.(?:start|new)|TCPSocket\.(?:new|open))$/, args: [0] }
  ]
}
