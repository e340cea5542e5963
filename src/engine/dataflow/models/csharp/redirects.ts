import { REDIRECT } from "../../values/Value.ts"
import { REDIRECTION } from "../labels.ts"
import type { Model } from "../Model.ts"

export const redirects: Model = {
  name: "redirects",
  sinks: [
    {
      kind: REDIRECT,
      label: REDIRECTION,
      path: /^(?:Redirect|RedirectPermanent|RedirectPreserveMethod|RedirectResult|Results\.Redirect)$|^(?:http:aspnetcontext\.)?Response\.Redirect$/,
      args: [0]
    }
  ]
}
