import { RECEIVER } from "../../TaintLanguage.ts"
import { URL } from "../../values/Value.ts"
import { CONNECTION, REQUEST } from "../labels.ts"
import type { Model } from "../Model.ts"

export const requests: Model = {
  name: "requests",
  mentions:
    /\.(?:openStream|openConnection|getForObject|getForEntity|postForObject|postForEntity|exchange|newBuilder)\(|\bnew (?:Http(?:Get|Post|Put|Delete|Head|Patch)|Socket)\(/,
  sinks: [
    { kind: URL, label: REQUEST, path: /(?:^|\.)(?:openStream|openConnection)$/, args: [RECEIVER] },
    {
      kind: URL,
      label: REQUEST,
      path: /RestTemplate(?:\(\))?\.(?:getFor\w+|postFor\w+|exchange|execute|put|delete|patchForObject|headForHeaders|optionsForAllow)$/,
      args: [0]
    },
    { kind: URL, label: REQUEST, path: /WebClient\b.*\.uri$|RestClient\b.*\.uri$/, args: [0] },
    { kind: URL, label: REQUEST, path: /WebClient\.(?:create|builder\(\)\.baseUrl)$/, args: [0] },
    { kind: URL, label: REQUEST, path: /HttpRequest\.(?:newBuilder|newBuilder\(\)\.uri)$/, args: [0] },
    {
      kind: URL,
      label: REQUEST,
      path: /(?:^|\.)Request\.Builder(?:\(\))?\.url$|^okhttp3\.Request\.Builder\b.*\.url$/,
      args: [0]
    },
    {
      kind: URL,
      label: REQUEST,
      path: /(?:^org\.apache\.(?:http|hc)\b.*\.|^)Http(?:Get|Post|Put|Delete|Head|Patch)$/,
      args: [0]
    },
    { kind: URL, label: REQUEST, path: /(?:^|\.)Jsoup\.connect$/, args: [0] },
    { kind: URL, label: CONNECTION, path: /^(?:java\.net\.)?Socket$/, args: [0] }
  ]
}
