import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  untrusted_code: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Code injection: untrusted input evaluated as code",
    description:
      "An attacker runs any code with the rights of this process. Untrusted input is part of text that is evaluated as " +
      "code. Do not evaluate input: parse data with a data parser (`JSON.parse`, `ast.literal_eval`), look functions up " +
      "in an allowlist, and give expression languages a context without access to classes (`SimpleEvaluationContext`).",
    example: {
      path: "server/chart.js",
      bad: `app.post("/chart", (req, res) => {
  const options = eval("(" + req.body.options + ")")
  res.json(draw(options))
})
`,
      good: `app.post("/chart", (req, res) => {
  const options = JSON.parse(req.body.options)
  res.json(draw(options))
})
`
    },
    cwe: [95],
    confidence: 0.9,
    effort: "medium",
    risk: "medium"
  },
  untrusted_template: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Server-side template injection (SSTI)",
    description:
      "An attacker reads configuration and usually runs code on the server. Untrusted input is compiled as the source of " +
      "a template, and template languages can reach the objects of the program. Keep the template's source constant and " +
      "pass the input as a value to render; where users write templates, use a logic-less language in a sandbox.",
    example: {
      path: "app/greeting.py",
      bad: `from flask import Flask, render_template_string, request

app = Flask(__name__)


@app.route("/greeting")
def greeting():
    return render_template_string("<p>Hello " + request.args["name"] + "</p>")
`,
      good: `from flask import Flask, render_template_string, request

app = Flask(__name__)


@app.route("/greeting")
def greeting():
    return render_template_string("<p>Hello {{ name }}</p>", name=request.args["name"])
`
    },
    cwe: [1336],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  untrusted_module: {
    languages: ["csharp", "javascript", "python", "ruby"],
    title: "Unsafe reflection: module name from untrusted input",
    description:
      "An attacker makes the process run any file or package it can read, uploads included. Loading a module runs it, " +
      "and the name of this one comes from untrusted input. Map the allowed names to modules in the code and reject all " +
      "others.",
    example: {
      path: "server/plugins.js",
      bad: `app.get("/report/:format", (req, res) => {
  const render = require("./formats/" + req.params.format)
  res.send(render(report))
})
`,
      good: `const formats = { csv: require("./formats/csv"), html: require("./formats/html") }

app.get("/report/:format", (req, res) => {
  const render = formats[req.params.format] ?? formats.html
  res.send(render(report))
})
`
    },
    cwe: [470, 829],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P1"
  },
  exported_code: {
    languages: ["javascript", "python"],
    title: "Code injection: library function evaluates its parameter",
    description:
      "Anyone whose text reaches this function through a program that uses the library runs any code there. A function " +
      "that the library exports makes its parameter part of text that is evaluated as code. Parse the text, or build " +
      "the function from values instead of source code; where evaluation is the purpose, say so in its documentation.",
    example: {
      path: "index.js",
      bad: `exports.getter = (path) => new Function("object", "return object." + path)
`,
      good: `exports.getter = (path) => (object) => path.split(".").reduce((at, key) => at?.[key], object)
`,
      besides: { "package.json": '{ "name": "sample", "version": "1.0.0", "main": "index.js" }' }
    },
    cwe: [95],
    confidence: 0.6,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  }
})

export type RuleId = keyof typeof rules
