import { URL } from "../../values/Value.ts"
import { CONNECTION, REQUEST } from "../labels.ts"
import type { Model } from "../Model.ts"

export const requests: Model = {
  name: "requests",
  mentions:
    /\bcurl_(?:init|setopt)\s*\(|\bwp_remote_\w+\(|\b(?:get_headers|getimagesize|fsockopen)\s*\(|\bHttp::|->request\(/,
  sinks: [
    { kind: URL, label: REQUEST, path: /^\\?curl_init$/, args: [0] },
    {
      kind: URL,
      label: REQUEST,
      path: /^\\?curl_setopt$/,
      args: [2],
      when: ({ argument }) => argument(1) === "CURLOPT_URL"
    },
    {
      kind: URL,
      label: REQUEST,
      path: /^\\?(?:file_get_contents|fopen|readfile|copy|get_headers|getimagesize|simplexml_load_file)$/,
      args: [0]
    },
    { kind: URL, label: REQUEST, path: /^\\?wp_remote_(?:get|post|head|request)$/, args: [0] },
    {
      kind: URL,
      label: REQUEST,
      path: /GuzzleHttp\\Client(?:\(\))?\.(?:get|post|put|patch|delete|head)$|^Client\.(?:get|post)$/,
      args: [0]
    },
    { kind: URL, label: REQUEST, path: /GuzzleHttp\\Client(?:\(\))?\.request(?:Async)?$/, args: [1] },
    {
      kind: URL,
      label: REQUEST,
      path: /Facades\\Http\.(?:get|post|put|patch|delete|head)$|^Http\.(?:get|post)$/,
      args: [0]
    },
    { kind: URL, label: CONNECTION, path: /^\\?(?:p?fsockopen|stream_socket_client)$/, args: [0] }
  ]
}
