import { describe } from "vitest"
import path_traversal from "../../../src/engine/rules/path_traversal/tool.ts"
import { express, flask, holdsFor, http, php, servlet } from "./reaches.ts"

const holds = holdsFor(path_traversal, ["untrusted_path", "zip_slip", "untrusted_include", "untrusted_upload_name"])
const node = 'const fs = require("fs")\nconst path = require("path")\nconst ROOT = "/srv/files"'
const python = "import os\nfrom pathlib import Path\nROOT = '/srv/files'"

describe("untrusted names of files", () => {
  holds(
    "through aliases, branches and loops",
    express(
      node,
      `
const a = req.query.name
let b = "index.html"
if (a) b = a
fs.readFile(ROOT + "/" + b, done) // REACHED
let c = ""
for (const part of req.query.parts) c = path.join(c, part)
fs.readFile(c, done) // REACHED
const { readFile: read } = fs
read(a, done) // REACHED
`
    )
  )
  holds("through a wrapper of the same file", {
    "server/routes.js": `const fs = require("fs")
const app = require("express")()
const load = (name) => fs.readFileSync("/srv/" + name) // REACHED
const check = (name) => fs.readFileSync("/srv/" + Number(name))
app.get("/x", (req, res) => {
  res.end(load(req.query.name))
  res.end(check(req.query.name))
  res.end(load("fixed"))
})
`
  })
  holds("through a wrapper of another file", {
    "server/store.js": `const fs = require("fs")
const path = require("path")
exports.load = (name) => fs.readFileSync(path.join("/srv", name))
exports.base = (name) => fs.readFileSync(path.join("/srv", path.basename(name)))
`,
    "server/routes.js": `const app = require("express")()
const store = require("./store")
app.get("/x", (req, res) => {
  res.end(store.load(req.query.name)) // REACHED
  res.end(store.base(req.query.name))
})
`
  })
})

describe("what keeps a path where it belongs", () => {
  holds(
    "a check of the resolved path, whichever way it is written",
    express(
      node,
      `
const full = path.resolve(ROOT, req.query.a)
if (full.startsWith(ROOT + path.sep)) fs.readFile(full, done)
else fs.readFile(full, done) // REACHED
const other = path.join(ROOT, req.query.b)
if (other.indexOf(ROOT) !== 0) return
fs.readFile(other, done)
const third = path.join(ROOT, req.query.c)
if (path.relative(ROOT, third).startsWith("..")) return
fs.readFile(third, done)
const fourth = path.join(ROOT, req.query.d)
const inside = fourth.startsWith(ROOT)
if (!inside) return
fs.readFile(fourth, done)
`
    )
  )
  holds(
    "a check of what is not resolved is none",
    express(
      node,
      `
const full = ROOT + "/" + req.query.name
if (!full.startsWith(ROOT)) return
fs.readFile(full, done) // REACHED
`
    )
  )
  holds(
    "a check that does not stop, or comes too late, is none",
    express(
      node,
      `
const full = path.join(ROOT, req.query.name)
if (!full.startsWith(ROOT)) console.log("odd")
fs.readFile(full, done) // REACHED
let late = path.join(ROOT, req.query.late)
if (!late.startsWith(ROOT)) return
late = path.join(ROOT, req.query.more)
fs.readFile(late, done) // REACHED
`
    )
  )
  holds(
    "a check against an untrusted folder is none",
    express(
      node,
      `
const full = path.resolve(req.query.root, req.query.name)
if (!full.startsWith(req.query.root)) return
fs.readFile(full, done) // REACHED
`
    )
  )
  holds(
    "dots that are refused, and dots that are looked for elsewhere",
    express(
      node,
      `
const a = req.query.a
if (a.includes("..")) return
fs.readFile(path.join(ROOT, a), done)
const b = req.query.b
if (req.query.c.includes("..")) return
fs.readFile(path.join(ROOT, b), done) // REACHED
const d = req.query.d
if (d.includes("@")) return
fs.readFile(path.join(ROOT, d), done) // REACHED
`
    )
  )
  holds(
    "sanitisers for other sinks are none",
    express(
      `${node}\nconst { escape } = require("mysql2")`,
      `
fs.readFile(path.join(ROOT, escape(req.query.name)), done) // REACHED
fs.readFile(path.join(ROOT, req.query.name.trim().toLowerCase()), done) // REACHED
fs.readFile(path.join(ROOT, path.normalize(req.query.name)), done) // REACHED
fs.readFile(path.join(ROOT, req.query.name.replace(/[^a-z0-9]/g, "")), done)
fs.readFile(path.join(ROOT, req.query.name.replace(/ /g, "")), done) // REACHED
fs.readFile(path.join(ROOT, path.basename(req.query.name)), done)
`
    )
  )
  holds(
    "a validator by name ends the trace, one whose answer is dropped does not",
    express(
      `${node}\nconst { isSafePath, describe } = require("./paths")`,
      `
const a = path.join(ROOT, req.query.a)
if (!isSafePath(a)) return
fs.readFile(a, done)
const b = path.join(ROOT, req.query.b)
isSafePath(b)
fs.readFile(b, done) // REACHED
const c = path.join(ROOT, req.query.c)
if (!describe(c)) return
fs.readFile(c, done) // REACHED
`
    )
  )
  holds(
    "Python: resolved and checked, or only one of the two",
    flask(
      python,
      `
full = os.path.realpath(os.path.join(ROOT, request.args["a"]))
if os.path.commonpath([ROOT, full]) != ROOT:
    abort(400)
open(full)
other = os.path.realpath(os.path.join(ROOT, request.args["b"]))
open(other) # REACHED
third = (Path(ROOT) / request.args["c"]).resolve()
third.relative_to(ROOT)
third.read_text()
name = request.args["d"]
if "/" in name:
    abort(400)
open(os.path.join(ROOT, name))
fourth = os.path.join(ROOT, request.args["e"])
if os.path.exists(fourth):
    open(fourth) # REACHED
`
    )
  )
  holds(
    "Go: cleaned and checked, or only cleaned",
    http(
      '"os"; "path/filepath"; "strings"',
      `
full := filepath.Join("/srv", r.FormValue("a"))
if !strings.HasPrefix(full, "/srv/") {
	return
}
os.Open(full)
other := filepath.Clean(r.FormValue("b"))
os.Open("/srv/" + other) // REACHED
if name := r.FormValue("c"); !strings.Contains(name, "..") {
	os.Open("/srv/" + name)
}
os.Open("/srv/" + strings.TrimPrefix(r.FormValue("d"), "/")) // REACHED
`
    )
  )
  holds(
    "Java: canonical and checked, or only canonical",
    servlet(
      "import java.io.*;\nimport java.nio.file.*;",
      `
File a = new File("/srv", req.getParameter("a"));
if (!a.getCanonicalPath().startsWith("/srv/")) { return; }
new FileInputStream(a);
File b = new File("/srv", req.getParameter("b"));
new FileInputStream(b.getCanonicalFile()); // REACHED
Path c = Paths.get("/srv").resolve(req.getParameter("c"));
if (!c.startsWith("/srv")) { return; }
Files.readAllBytes(c); // REACHED
Files.readAllBytes(Paths.get("/srv").resolve(Paths.get(req.getParameter("d")).getFileName()));
`
    )
  )
  holds(
    "PHP: resolved and checked, or made harmless to something else",
    php(`
$a = realpath("/srv/" . $_GET["a"]);
if (!str_starts_with($a, "/srv/")) { exit; }
readfile($a);
readfile("/srv/" . addslashes($_GET["b"])); // REACHED
readfile("/srv/" . str_replace("../", "", $_GET["c"]));
$d = $_GET["d"];
if (strpos($d, "..") !== false) { die(); }
readfile("/srv/" . $d);
$e = $_GET["e"];
if (file_exists($e)) { include $e; } // REACHED
if (!preg_match('/^[a-z]+$/', $_GET["f"])) { exit; }
include "pages/" . $_GET["f"] . ".php";
`)
  )
  holds(
    "what removes slashes among others leaves no way up, and what removes other characters does",
    express(
      `${node}
const MARKS = /[\u001e<>:"\\/|?*]+/g
const QUOTES = /[<>"]+/g`,
      `
fs.unlink(path.join(ROOT, req.query.a.replace(MARKS, "")), done)
fs.unlink(path.join(ROOT, req.query.b.replace(QUOTES, "")), done) // REACHED
fs.unlink(path.join(ROOT, req.query.c.replace(MARKS, "/")), done) // REACHED
`
    )
  )
})
