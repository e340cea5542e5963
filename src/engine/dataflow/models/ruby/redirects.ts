import { REDIRECT } from "../../values/Value.ts"
import { REDIRECTION } from "../labels.ts"
import type { Model } from "../Model.ts"

export const redirects: Model = {
  name: "redirects",
  sinks: [
    {
      kind: REDIRECT,
      label: REDIRECTION,
      path: /^(?:redirect_to|redirect|redirect_back_or_to)$/,
      args: [0],
      when: ({ option, holdsFields }) => !holdsFields(0) && option("allow_other_host") !== "false"
    },
    { kind: REDIRECT, label: REDIRECTION, path: /^redirect_back$/, args: [], named: ["fallback_location"] }
  ]
}
