import { LOG } from "../../values/Value.ts"
import { LOGGED } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Logs, whose lines are entries. */
export const records: Model = {
  name: "records",
  sinks: [
    {
      kind: LOG,
      label: LOGGED,
      path: /^console\.(?:log|info|warn|error)$/,
      args: [0, 1, 2, 3]
    }
  ],
  sanitizers: [
    { path: /\.(?:replace|replaceAll)$/, kinds: LOG, text: /[\r\n]|\\[rnsW]|\[\^/ },
    { path: /^(?:JSON\.stringify|encodeURIComponent|encodeURI|util\.inspect)$/, kinds: LOG }
  ]
}
