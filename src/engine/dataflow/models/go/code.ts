import { CODE, TEMPLATE } from "../../values/Value.ts"
import { MODULE, RUN, TEMPLATES } from "../labels.ts"
import type { Model } from "../Model.ts"

export const code: Model = {
  name: "code",
  mentions:
    /\b(?:t|tmpl|tpl|template)\w*\.Parse\(|\bNew\([^()\n]{0,60}\)\.Parse\(|\b(?:Run|Eval|RunString|DoString|NewEvaluableExpression)\(|\bplugin\.Open\(/,
  sinks: [
    {
      kind: TEMPLATE,
      label: TEMPLATES,
      path: /^(?:text|html)\/template\.(?:New\(\)|Template|Must\(\)|New\(\)\.\w+\(\))\.Parse$/,
      args: [0]
    },
    {
      kind: CODE,
      label: RUN,
      path: /otto\.New\(\)\.(?:Run|Eval)$|goja\.New\(\)\.RunString$|govaluate\.NewEvaluableExpression$/,
      args: [0]
    },
    { kind: CODE, label: RUN, path: /\bgopher-lua\.NewState\(\)\.DoString$/, args: [0] },
    { kind: CODE, label: MODULE, path: /^plugin\.Open$/, args: [0] }
  ]
}
