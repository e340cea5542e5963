import { URL } from "../../values/Value.ts"
import { CONNECTION, REQUEST } from "../labels.ts"
import type { Model } from "../Model.ts"

export const requests: Model = {
  name: "requests",
  mentions:
    /\bhttp\.(?:Get|Head|Post|PostForm|NewRequest|NewRequestWithContext)\(|\bNewSingleHostReverseProxy\(|\.Dial\w*\(/,
  sinks: [
    {
      kind: URL,
      label: REQUEST,
      path: /^net\/http\.(?:(?:Client|DefaultClient)(?:\(\))?\.)?(?:Get|Head|Post|PostForm)$/,
      args: [0]
    },
    { kind: URL, label: REQUEST, path: /^net\/http\.NewRequest$/, args: [1] },
    { kind: URL, label: REQUEST, path: /^net\/http\.NewRequestWithContext$/, args: [2] },
    { kind: URL, label: REQUEST, path: /^net\/http\/httputil\.NewSingleHostReverseProxy$/, args: [0] },
    { kind: URL, label: CONNECTION, path: /^(?:net|crypto\/tls)\.(?:Dial|DialTimeout|DialTCP)$/, args: [1] }
  ]
}
