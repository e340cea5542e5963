import { RECEIVER } from "../../TaintLanguage.ts"
import { HTML } from "../../values/Value.ts"
import { ANSWER, SENT, TRUSTED } from "../labels.ts"
import type { Model } from "../Model.ts"

export const html: Model = {
  name: "html",
  sinks: [
    { kind: HTML, label: TRUSTED, path: /\.html_safe$/, args: [RECEIVER] },
    { kind: HTML, label: TRUSTED, path: /^(?:helpers\.)?raw$/, args: [0] },
    { kind: HTML, label: ANSWER, path: /^render$/, args: [], named: ["html"], text: /</ },
    { kind: HTML, label: TRUSTED, path: /^(?:ActiveSupport::SafeBuffer\.new|Markup\.new)$/, args: [0] },
    // What a route of Sinatra answers.
    { kind: HTML, label: SENT, path: /^return$/, args: [0] },
    { kind: HTML, label: SENT, path: /^response\.(?:write|body=)$/, args: [0], text: /<[a-zA-Z!/]/ }
  ]
}
