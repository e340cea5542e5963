import { LOG, SESSION } from "../../values/Value.ts"
import { LOGGED, SESSION_ATTRIBUTE } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Logs, whose lines are entries, and sessions, which other code trusts. */
export const records: Model = {
  name: "records",
  sinks: [
    {
      kind: LOG,
      label: LOGGED,
      path: /(?:^|\.)(?:trace|debug|info|warn|error|fatal|warning|severe|fine|log)$/,
      args: [0, 1, 2, 3],
      when: ({ receiver }) =>
        /^(?:(?:this|self|app|current_app|flask\.current_app)\.)?_*(?:log|logger|LOG|LOGGER|logging)$/.test(receiver)
    },
    {
      kind: SESSION,
      label: SESSION_ATTRIBUTE,
      path: /(?:HttpSession|getSession\(\))\.(?:setAttribute|putValue)$/,
      args: [1]
    }
  ],
  sanitizers: [
    { path: /\.(?:replace|replaceAll)$/, kinds: LOG, text: /[\r\n]|\\[rnsW]|\[\^/ },
    { path: /(?:^|\.)(?:forJava|escapeJava|escapeJson|URLEncoder\.encode|StringEscapeUtils\.\w+|strip)$/, kinds: LOG }
  ]
}
