import { CODE, TEMPLATE } from "../../values/Value.ts"
import { RUN, TEMPLATES } from "../labels.ts"
import type { Model } from "../Model.ts"

export const code: Model = {
  name: "code",
  mentions:
    /\b(?:eval|evaluate|parseExpression|parseRaw|createExpression|createScript|compileInline|putTemplate|createValueExpression)\(|\bnew Template\(/,
  sinks: [
    {
      kind: CODE,
      label: RUN,
      path: /(?:ScriptEngine(?:Manager)?|Nashorn\w*|Invocable)\b[\w.()]*\.(?:eval|compile)$/,
      args: [0]
    },
    {
      kind: CODE,
      label: RUN,
      path: /(?:(?:Spel)?ExpressionParser|SpelExpressionParser)(?:\(\))?\.(?:parseExpression|parseRaw)$/,
      args: [0]
    },
    { kind: CODE, label: RUN, path: /(?:^|\.)Ognl\.(?:getValue|setValue|parseExpression)$/, args: [0] },
    {
      kind: CODE,
      label: RUN,
      path: /(?:^|\.)GroovyShell(?:\(\))?\.(?:evaluate|parse|run)$|(?:^|\.)MVEL\.(?:eval|executeExpression|compileExpression)$|(?:^|\.)Eval\.me$/,
      args: [0]
    },
    {
      kind: CODE,
      label: RUN,
      path: /(?:^|\.)(?:JexlEngine|JexlBuilder\(\)\.create\(\))\.(?:createExpression|createScript)$|(?:^|\.)ExpressionFactory\.createValueExpression$/,
      args: [0, 1]
    },
    { kind: TEMPLATE, label: TEMPLATES, path: /(?:^|\.)(?:Velocity|VelocityEngine(?:\(\))?)\.evaluate$/, args: [3] },
    { kind: TEMPLATE, label: TEMPLATES, path: /(?:^|\.)Handlebars(?:\(\))?\.compileInline$/, args: [0] },
    {
      kind: TEMPLATE,
      label: TEMPLATES,
      path: /^freemarker\.template\.Template$|(?:^|\.)StringTemplateLoader(?:\(\))?\.putTemplate$/,
      args: [1]
    }
  ]
}
