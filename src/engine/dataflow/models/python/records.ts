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
      path: /(?:^|\.)(?:debug|info|warn|warning|error|critical|exception)$/,
      args: [0, 1, 2, 3],
      when: ({ receiver, literal }) =>
        /^(?:(?:this|self|app|current_app|flask\.current_app)\.)?_*(?:log|logger|LOG|LOGGER|logging)$/.test(receiver) &&
        !(literal(0) ?? "").includes("%r")
    }
  ],
  sanitizers: [
    { path: /\.(?:replace|translate)$|^re\.sub$/, kinds: LOG, text: /[\r\n]|\\[rnsW]|\[\^/ },
    { path: /^(?:repr|ascii|json\.dumps|urllib\.parse\.quote(?:_plus)?)$|\.(?:splitlines|isalnum)$/, kinds: LOG }
  ]
}
