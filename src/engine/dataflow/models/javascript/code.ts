import { CODE, TEMPLATE } from "../../values/Value.ts"
import { MODULE, RUN, TEMPLATES } from "../labels.ts"
import type { Model } from "../Model.ts"

export const code: Model = {
  name: "code",
  mentions:
    /\b(?:eval|Function|safeEval|runIn\w*Context|compileFunction)\(|\bset(?:Timeout|Interval)\(\s*[`"']|\.(?:compile|renderString)\(|\brequire\([^'"`)]|\bimport\([^'"`)]/,
  sinks: [
    { kind: CODE, label: RUN, path: /^(?:(?:window|globalThis|global|self)\.)?(?:eval|execScript)$/, args: [0] },
    {
      kind: CODE,
      label: RUN,
      path: /^(?:(?:window|globalThis|global)\.)?(?:Function|AsyncFunction|GeneratorFunction)$/,
      args: [0, 1, 2, 3],
      // What `Function` made is called with values.
      when: ({ callee }) => /(?:^|\.)\w*Function$/.test(callee)
    },
    {
      kind: CODE,
      label: RUN,
      path: /^vm\.(?:runInThisContext|runInNewContext|runInContext|compileFunction|Script|SourceTextModule)$/,
      args: [0]
    },
    {
      kind: CODE,
      label: RUN,
      path: /^(?:vm2\.(?:VM|NodeVM)(?:\(\))?\.run|vm2\.VMScript|safe-eval|static-eval|notevil|require-from-string)$/,
      args: [0]
    },
    {
      kind: CODE,
      label: RUN,
      path: /^(?:(?:window|globalThis|global)\.)?(?:setTimeout|setInterval|setImmediate)$/,
      args: [0],
      // A function in a variable is called; only what is known to be text is run as code.
      when: ({ argument }) => /^[`"']|[`"']\s*\+|\.(?:body|query|params)\b/.test(argument(0))
    },
    { kind: CODE, label: MODULE, path: /^(?:require|import)$/, args: [0] },
    {
      kind: TEMPLATE,
      label: TEMPLATES,
      path: /^(?:handlebars|ejs|pug|jade|nunjucks|mustache|lodash|underscore|_|swig|dot|doT|eta|hogan\.js|squirrelly|liquidjs)(?:\.default)?\.(?:compile|render|renderString|template|precompile|compileClient)$/,
      args: [0]
    },
    { kind: TEMPLATE, label: TEMPLATES, path: /^lodash\.template$|^lodash\/template$/, args: [0] }
  ]
}
