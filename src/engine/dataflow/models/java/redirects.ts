import { REDIRECT } from "../../values/Value.ts"
import { REDIRECTION } from "../labels.ts"
import type { Model } from "../Model.ts"

export const redirects: Model = {
  name: "redirects",
  mentions: /\bsendRedirect\(|\bRedirectView\(|"redirect:/,
  sinks: [
    { kind: REDIRECT, label: REDIRECTION, path: /ServletResponse\.sendRedirect$/, args: [0] },
    { kind: REDIRECT, label: REDIRECTION, path: /(?:^|\.)RedirectView$/, args: [0] },
    {
      kind: REDIRECT,
      label: REDIRECTION,
      path: /ServletResponse\.(?:setHeader|addHeader)$|HttpHeaders(?:\(\))?\.(?:set|add)$/,
      args: [1],
      when: ({ literal }) => literal(0)?.toLowerCase() === "location"
    },
    {
      kind: REDIRECT,
      label: REDIRECTION,
      path: /^return$|(?:^|\.)ModelAndView$|\.setViewName$/,
      args: [0],
      text: /^redirect:[^/]*\u0000/
    }
  ]
}
