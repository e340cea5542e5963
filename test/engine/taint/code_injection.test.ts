import { describe } from "vitest"
import code_injection from "../../../src/engine/rules/code_injection/tool.ts"
import { express, flask, holdsFor, http, php, servlet } from "./reaches.ts"

const holds = holdsFor(code_injection, ["untrusted_code", "untrusted_template", "untrusted_module"])
const node = 'const vm = require("vm")\nconst ejs = require("ejs")\nconst TABLE = { a: "./a" }'

describe("untrusted code", () => {
  holds(
    "through aliases, branches and loops",
    express(
      node,
      `
const run = eval
run(req.body.code) // REACHED
let text = "1"
if (req.query.x) text = "return " + req.query.x
new Function(text)() // REACHED
let all = ""
for (const part of req.body.parts) all += part
vm.runInNewContext(all) // REACHED
const { compile } = ejs
compile(req.body.template) // REACHED
`
    )
  )
  holds("through wrappers of the same and of another file", {
    "server/lib.js": `exports.evaluate = (text) => eval("(" + text + ")") // REACHED
exports.number = (text) => eval("(" + Number(text) + ")")
`,
    "server/routes.js": `const app = require("express")()
const { evaluate, number } = require("./lib")
const local = (text) => new Function(text) // the caller is at fault
app.get("/x", (req, res) => {
  evaluate(req.query.a)
  number(req.query.b)
  local(req.query.c) // REACHED
})
`
  })
  holds(
    "look-alikes of eval",
    express(
      `${node}\nconst math = require("./math")\nconst redis = require("redis").createClient()`,
      `
math.eval(req.query.a)
redis.eval("return 1", 0, req.query.a)
/x/.exec(req.query.a)
setTimeout(() => log(req.query.a), 10)
setTimeout(req.app.tick, Number(req.query.ms))
page.render("x", { a: req.query.a })
ejs.render("<%= a %>", { a: req.query.a })
`
    )
  )
  holds(
    "a table and a literal that is written are checks, quotes and escapes are none",
    express(
      `${node}\nconst escape = require("escape-html")`,
      `
require(TABLE[req.query.a])
eval("'" + escape(req.query.b) + "'") // REACHED
eval(JSON.stringify(req.query.c))
const d = req.query.d
if (!Object.hasOwn(TABLE, d)) return
require("./" + d)
const e = req.query.e
if (!/^[a-z]+$/.test(e)) return
require("./" + e)
const f = req.query.f
if (!/[a-z]+/.test(f)) return
require("./" + f) // REACHED
`
    )
  )
  holds(
    "Python",
    flask(
      "import ast\nimport importlib\nfrom jinja2 import Template\nfrom flask import render_template_string\nPLUGINS = ['a']",
      `
source = "x = {}".format(request.args["a"])
exec(source) # REACHED
eval(repr(request.args["b"]))
eval(str(request.args["b"])) # REACHED
ast.literal_eval(request.args["c"])
name = request.args["d"]
if name in PLUGINS:
    importlib.import_module(name)
else:
    importlib.import_module(name) # REACHED
render_template_string("{{ x }}", x=request.args["e"])
Template("Hello " + request.args["f"]) # REACHED
model.eval(request.args["g"])
`
    )
  )
  holds("Go, Java and PHP", {
    ...http(
      '"html/template"; "fmt"',
      `
t := template.New("x")
t.Parse(fmt.Sprintf("<p>%s</p>", r.FormValue("a"))) // REACHED
t.Parse("<p>{{.}}</p>")
t.Execute(w, r.FormValue("a"))
`
    ),
    ...servlet(
      "import javax.script.*;",
      `
ScriptEngine engine = new ScriptEngineManager().getEngineByName("js");
String code = "x = " + req.getParameter("a");
engine.eval(code); // REACHED
engine.put("a", req.getParameter("a"));
engine.eval("x = " + Integer.parseInt(req.getParameter("b")));
`
    ),
    ...php(`
$a = $_POST["a"] ?? "";
eval("return $a;"); // REACHED
eval("return " . (int) $_POST["b"] . ";");
eval("return '" . htmlspecialchars($_POST["c"]) . "';"); // REACHED
`)
  })
})
