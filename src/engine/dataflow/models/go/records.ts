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
      path: /^log\.(?:Print|Printf|Println|Fatal|Fatalf|Fatalln)$/,
      args: [0, 1, 2, 3],
      when: ({ literal }) => !(literal(0) ?? "").includes("%q")
    }
  ],
  sanitizers: [
    { path: /^strings\.(?:Replace|ReplaceAll)$/, kinds: LOG, text: /[\r\n]|\\[rnsW]|\[\^/ },
    { path: /^strconv\.Quote$|^net\/url\.(?:QueryEscape|PathEscape)$/, kinds: LOG }
  ]
}
