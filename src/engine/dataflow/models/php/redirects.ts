import { REDIRECT } from "../../values/Value.ts"
import { REDIRECTION } from "../labels.ts"
import type { Model } from "../Model.ts"

export const redirects: Model = {
  name: "redirects",
  mentions: /\bheader\s*\(\s*["'][Ll]ocation|\bwp_redirect\s*\(|\bRedirectResponse\(|\bredirect\(/,
  sinks: [
    { kind: REDIRECT, label: REDIRECTION, path: /^\\?header$/, args: [0], text: /^\s*location:\s*\S*\u0000/i },
    { kind: REDIRECT, label: REDIRECTION, path: /^\\?wp_redirect$/, args: [0] },
    { kind: REDIRECT, label: REDIRECTION, path: /(?:^|[.\\])RedirectResponse$/, args: [0] },
    {
      kind: REDIRECT,
      label: REDIRECTION,
      path: /^redirect$|^(?:Illuminate\\Support\\Facades\\)?Redirect\.(?:to|away)$|^redirect\(\)\.(?:to|away)$/,
      args: [0]
    }
  ]
}
