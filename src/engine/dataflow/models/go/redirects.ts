import { REDIRECT } from "../../values/Value.ts"
import { REDIRECTION } from "../labels.ts"
import type { Model } from "../Model.ts"

export const redirects: Model = {
  name: "redirects",
  mentions: /\.Redirect\(/,
  sinks: [
    { kind: REDIRECT, label: REDIRECTION, path: /^net\/http\.Redirect$/, args: [2] },
    { kind: REDIRECT, label: REDIRECTION, path: /^net\/http\.RedirectHandler$/, args: [0] },
    { kind: REDIRECT, label: REDIRECTION, path: /^http:(?:gin|echo)\.Redirect$/, args: [1] },
    { kind: REDIRECT, label: REDIRECTION, path: /^http:fiber\.Redirect$/, args: [0] }
  ]
}
