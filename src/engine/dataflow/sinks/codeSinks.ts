import type { RuleLanguage } from "../../core/tool/AuditTool.ts"
import { csharpCode } from "../languages/csharpMoreSinks.ts"
import { rubyCode } from "../languages/rubyMoreSinks.ts"
import type { SinkRule } from "../TaintLanguage.ts"
import { CODE, TEMPLATE } from "../values/Value.ts"

export const MODULE = "the name of a module to load"
const label = "code that is run"
const template = "the source of a template"

const javascript: ReadonlyArray<SinkRule> = [
  { kind: CODE, label, path: /^(?:(?:window|globalThis|global|self)\.)?(?:eval|execScript)$/, args: [0] },
  {
    kind: CODE,
    label,
    path: /^(?:(?:window|globalThis|global)\.)?(?:Function|AsyncFunction|GeneratorFunction)$/,
    args: [0, 1, 2, 3]
  },
  {
    kind: CODE,
    label,
    path: /^vm\.(?:runInThisContext|runInNewContext|runInContext|compileFunction|Script|SourceTextModule)$/,
    args: [0]
  },
  {
    kind: CODE,
    label,
    path: /^(?:vm2\.(?:VM|NodeVM)(?:\(\))?\.run|vm2\.VMScript|safe-eval|static-eval|notevil|require-from-string)$/,
    args: [0]
  },
  {
    kind: CODE,
    label,
    path: /^(?:(?:window|globalThis|global)\.)?(?:setTimeout|setInterval|setImmediate)$/,
    args: [0],
    // A function in a variable is called; only what is known to be text is run as code.
    when: ({ argument }) => /^[`"']|[`"']\s*\+|\.(?:body|query|params)\b/.test(argument(0))
  },
  { kind: CODE, label: MODULE, path: /^(?:require|import|require\.resolve)$/, args: [0] },
  {
    kind: TEMPLATE,
    label: template,
    path: /^(?:handlebars|ejs|pug|jade|nunjucks|mustache|lodash|underscore|_|swig|dot|doT|eta|hogan\.js|squirrelly|liquidjs)(?:\.default)?\.(?:compile|render|renderString|template|precompile|compileClient)$/,
    args: [0]
  },
  { kind: TEMPLATE, label: template, path: /^lodash\.template$|^lodash\/template$/, args: [0] }
]

const python: ReadonlyArray<SinkRule> = [
  { kind: CODE, label, path: /^(?:builtins\.|__builtins__\.)?(?:eval|exec|compile|execfile)$/, args: [0] },
  {
    kind: CODE,
    label,
    path: /^(?:code\.InteractiveInterpreter\(\)\.runsource|timeit\.timeit|pandas\.eval|numexpr\.evaluate|sympy\.sympify)$/,
    args: [0]
  },
  { kind: CODE, label: MODULE, path: /^(?:__import__|importlib\.import_module|importlib\.__import__)$/, args: [0] },
  {
    kind: TEMPLATE,
    label: template,
    path: /^(?:flask|quart)(?:\.templating)?\.render_template_string$|^(?:jinja2(?:\.sandbox)?|jinja2\.environment|mako\.template|tornado\.template|django\.template|bottle)\.(?:Template|SimpleTemplate|template)$|^jinja2\.(?:Environment(?:\(\))?|environment\.Environment(?:\(\))?)\.from_string$|^django\.template\.(?:engines\.\w+|Engine(?:\(\))?)\.from_string$/,
    args: [0],
    named: ["source"]
  }
]

const java: ReadonlyArray<SinkRule> = [
  {
    kind: CODE,
    label,
    path: /(?:ScriptEngine(?:Manager)?|Nashorn\w*|Invocable)\b[\w.()]*\.(?:eval|compile)$/,
    args: [0]
  },
  {
    kind: CODE,
    label,
    path: /(?:(?:Spel)?ExpressionParser|SpelExpressionParser)(?:\(\))?\.(?:parseExpression|parseRaw)$/,
    args: [0]
  },
  { kind: CODE, label, path: /(?:^|\.)Ognl\.(?:getValue|setValue|parseExpression)$/, args: [0] },
  {
    kind: CODE,
    label,
    path: /(?:^|\.)GroovyShell(?:\(\))?\.(?:evaluate|parse|run)$|(?:^|\.)MVEL\.(?:eval|executeExpression|compileExpression)$|(?:^|\.)Eval\.me$/,
    args: [0]
  },
  {
    kind: CODE,
    label,
    path: /(?:^|\.)(?:JexlEngine|JexlBuilder\(\)\.create\(\))\.(?:createExpression|createScript)$|(?:^|\.)ExpressionFactory\.createValueExpression$/,
    args: [0, 1]
  },
  { kind: TEMPLATE, label: template, path: /(?:^|\.)(?:Velocity|VelocityEngine(?:\(\))?)\.evaluate$/, args: [3] },
  { kind: TEMPLATE, label: template, path: /(?:^|\.)Handlebars(?:\(\))?\.compileInline$/, args: [0] },
  {
    kind: TEMPLATE,
    label: template,
    path: /^freemarker\.template\.Template$|(?:^|\.)StringTemplateLoader(?:\(\))?\.putTemplate$/,
    args: [1]
  }
]

const php: ReadonlyArray<SinkRule> = [
  { kind: CODE, label, path: /^\\?(?:eval|assert)$/, args: [0] },
  { kind: CODE, label, path: /^\\?create_function$/, args: [0, 1] },
  {
    kind: CODE,
    label,
    path: /^\\?preg_replace$/,
    args: [1],
    when: ({ literal }) => /^([/#~|!@%]).*\1[a-zA-Z]*e[a-zA-Z]*$/s.test(literal(0) ?? "")
  },
  {
    kind: CODE,
    label: "a function that is called by name",
    path: /^\\?(?:call_user_func|call_user_func_array)$/,
    args: [0]
  },
  {
    kind: TEMPLATE,
    label: template,
    path: /(?:Twig\\Environment|Twig_Environment)(?:\(\))?\.createTemplate$|(?:^|\.)createTemplate$/,
    args: [0]
  },
  { kind: TEMPLATE, label: template, path: /(?:^|\\)Blade\.(?:render|compileString)$/, args: [0] }
]

const go: ReadonlyArray<SinkRule> = [
  {
    kind: TEMPLATE,
    label: template,
    path: /^(?:text|html)\/template\.(?:New\(\)|Template|Must\(\)|New\(\)\.\w+\(\))\.Parse$/,
    args: [0]
  },
  {
    kind: CODE,
    label,
    path: /otto\.New\(\)\.(?:Run|Eval)$|goja\.New\(\)\.RunString$|govaluate\.NewEvaluableExpression$/,
    args: [0]
  },
  { kind: CODE, label, path: /\bgopher-lua\.NewState\(\)\.DoString$/, args: [0] },
  { kind: CODE, label: MODULE, path: /^plugin\.Open$/, args: [0] }
]

export const codeSinks: Partial<Record<RuleLanguage, ReadonlyArray<SinkRule>>> = {
  javascript,
  python,
  go,
  java,
  php,
  ruby: rubyCode,
  csharp: csharpCode
}

export const codeCalls: Partial<Record<RuleLanguage, string>> = {
  javascript:
    "\\b(?:eval|Function|safeEval|runIn\\w*Context|compileFunction)\\(|\\bset(?:Timeout|Interval)\\(\\s*[`\"']|\\.(?:compile|renderString)\\(|\\brequire\\([^'\"`)]|\\bimport\\([^'\"`)]",
  python: "\\b(?:eval|exec|compile|__import__|import_module|render_template_string|from_string|Template)\\(",
  go: "\\b(?:t|tmpl|tpl|template)\\w*\\.Parse\\(|\\bNew\\([^()\\n]{0,60}\\)\\.Parse\\(|\\b(?:Run|Eval|RunString|DoString|NewEvaluableExpression)\\(|\\bplugin\\.Open\\(",
  java: "\\b(?:eval|evaluate|parseExpression|parseRaw|createExpression|createScript|compileInline|putTemplate|createValueExpression)\\(|\\bnew Template\\(",
  php: "\\b(?:eval|assert|create_function|call_user_func|call_user_func_array)\\s*\\(|->createTemplate\\(|\\bBlade::|\\bpreg_replace\\s*\\(\\s*['\"][^'\"\\n]{1,80}e[a-z]?['\"]"
}
