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
      path: /^\\?(?:error_log|syslog)$/,
      args: [0, 1]
    }
  ],
  sanitizers: [
    { path: /^\\?(?:str_replace|preg_replace)$/, kinds: LOG, text: /[\r\n]|\\[rnsW]|\[\^/ },
    { path: /^\\?(?:json_encode|rawurlencode|urlencode|addcslashes|var_export)$/, kinds: LOG }
  ]
}
