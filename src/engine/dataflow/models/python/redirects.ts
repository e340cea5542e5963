import { REDIRECT } from "../../values/Value.ts"
import { REDIRECTION } from "../labels.ts"
import type { Model } from "../Model.ts"

export const redirects: Model = {
  name: "redirects",
  mentions:
    /\b(?:redirect|HttpResponseRedirect|HttpResponsePermanentRedirect|RedirectResponse|HTTPFound|HTTPSeeOther)\(/,
  sinks: [
    {
      kind: REDIRECT,
      label: REDIRECTION,
      path: /^(?:flask(?:\.helpers)?\.redirect|werkzeug\.utils\.redirect|django\.shortcuts\.redirect|django\.http\.HttpResponse(?:Permanent)?Redirect|(?:fastapi|starlette)\.responses\.RedirectResponse|bottle\.redirect|sanic\.response\.redirect|quart\.redirect)$/,
      args: [0],
      named: ["url", "location", "to", "redirect_to"]
    },
    {
      kind: REDIRECT,
      label: REDIRECTION,
      path: /^aiohttp\.web\.HTTP(?:Found|SeeOther|MovedPermanently|TemporaryRedirect)$/,
      args: [0],
      named: ["location"]
    }
  ]
}
