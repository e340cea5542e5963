import { REDIRECT } from "../../values/Value.ts"
import { REDIRECTION } from "../labels.ts"
import type { Model } from "../Model.ts"

/** `redirect_to @story`: the path of a record, which what its fields hold does not change. */
const record = /^@(?!\w*(?:url|uri|path|link|target|location|return|redirect|back|refer))/

export const redirects: Model = {
  name: "redirects",
  sinks: [
    {
      kind: REDIRECT,
      label: REDIRECTION,
      path: /^(?:redirect_to|redirect|redirect_back_or_to)$/,
      args: [0],
      when: ({ argument, option, holdsFields }) =>
        !holdsFields(0) && !record.test(argument(0)) && option("allow_other_host") !== "false"
    },
    { kind: REDIRECT, label: REDIRECTION, path: /^redirect_back$/, args: [], named: ["fallback_location"] }
  ]
}
