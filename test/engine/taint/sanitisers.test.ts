import { describe } from "vitest"
import { express, flask, holds, http, servlet } from "./flows.ts"

describe("what makes a value harmless", () => {
  holds(
    "numbers are harmless",
    express(`
db.query("SELECT * FROM t LIMIT " + parseInt(req.query.n, 10))
db.query(\`SELECT * FROM t LIMIT \${Number(req.query.n) || 10}\`)
db.query("SELECT * FROM t LIMIT " + (req.query.page - 1) * 10)
`)
  )
  holds(
    "a list the code keeps, checked before use, is harmless",
    flask(`
sort = request.args["sort"]
if sort not in ("a", "b"):
    raise ValueError()
cur.execute("SELECT * FROM t ORDER BY " + sort)
`)
  )
  holds(
    "a check that does not stop is none",
    flask(`
sort = request.args["sort"]
if sort not in ("a", "b"):
    print("odd")
cur.execute("SELECT * FROM t ORDER BY " + sort) # REACHED
`)
  )
  holds(
    "a check of another variable is none",
    flask(`
sort = request.args["sort"]
other = request.args["other"]
if other not in ("a", "b"):
    raise ValueError()
cur.execute("SELECT * FROM t ORDER BY " + sort) # REACHED
`)
  )
  holds(
    "a check against an untrusted list is none",
    express(`
const sort = req.query.sort
if (!req.query.allowed.includes(sort)) return
db.query("SELECT * FROM t ORDER BY " + sort) // REACHED
`)
  )
  holds(
    "a check is over when the variable is given another value",
    express(`
let sort = req.query.sort
if (!["a", "b"].includes(sort)) return
sort = req.query.other
db.query("SELECT * FROM t ORDER BY " + sort) // REACHED
`)
  )
  holds(
    "a remembered check counts, unless the variable changed since",
    express(`
let sort = req.query.sort
const ok = ["a", "b"].includes(sort)
if (ok) db.query("SELECT * FROM t ORDER BY " + sort)
let other = req.query.other
const fine = ["a", "b"].includes(other)
other = req.query.more
if (fine) db.query("SELECT * FROM t ORDER BY " + other) // REACHED
`)
  )
  holds(
    "one of two checks joined by or is none",
    express(`
const sort = req.query.sort
if (sort === "a" || req.query.force) db.query("SELECT * FROM t ORDER BY " + sort) // REACHED
`)
  )
  holds(
    "both of two checks joined by and are two",
    express(`
const sort = req.query.sort
if (req.query.force && sort === "a") db.query("SELECT * FROM t ORDER BY " + sort)
`)
  )
  holds(
    "an anchored pattern is a check, an open one is none",
    express(`
const a = req.query.a
if (!/^[a-z_]+$/.test(a)) return
db.query("SELECT * FROM t ORDER BY " + a)
const b = req.query.b
if (!/[a-z_]+/.test(b)) return
db.query("SELECT * FROM t ORDER BY " + b) // REACHED
`)
  )
  holds(
    "cases of a switch know the value, the default does not",
    http(`
sort := r.FormValue("sort")
switch sort {
case "a":
	db.Query("SELECT * FROM t ORDER BY " + sort)
default:
	db.Query("SELECT * FROM t ORDER BY " + sort) // REACHED
}
`)
  )
  holds(
    "trimming and changing case do not sanitise",
    servlet(`
String a = req.getParameter("a").trim().toLowerCase();
st.executeQuery("SELECT * FROM t WHERE a = '" + a + "'"); // REACHED
`)
  )
  holds("a function called sanitize that only trims does not sanitise", {
    ...express(`
const name = sanitize(req.query.name)
db.query("SELECT * FROM t WHERE a = '" + name + "'") // REACHED
`),
    "server/routes.js": `${express('const name = sanitize(req.query.name)\ndb.query("SELECT * FROM t WHERE a = \'" + name + "\'") // REACHED')["server/routes.js"]}
function sanitize(text) { return text.trim() }
`
  })
  holds(
    "quoting for a shell does not make SQL safe",
    flask(`
import shlex, os
a = shlex.quote(request.args["a"])
os.system("ls " + a)
cur.execute("SELECT * FROM t WHERE a = " + a) # REACHED
`)
  )
  holds(
    "values passed beside the text are bound",
    servlet(`
PreparedStatement p = st.getConnection().prepareStatement("SELECT * FROM t WHERE a = ?");
p.setString(1, req.getParameter("a"));
p.executeQuery();
`)
  )
  holds(
    "tagged templates bind their holes",
    express(`
await sql\`SELECT * FROM t WHERE a = \${req.query.a}\`
await prisma.$queryRaw\`SELECT * FROM t WHERE a = \${req.query.a}\`
await prisma.$queryRawUnsafe(\`SELECT * FROM t WHERE a = '\${req.query.a}'\`) // REACHED
`)
  )
})

describe("what is no sink", () => {
  holds(
    "methods that only share a name with one",
    express(`
/(a+)/.exec(req.query.a)
ref.update(req.body)
headers.remove(req.query.a)
search.query(req.query.a)
cache.get(req.query.a)
`)
  )
  holds(
    "what holds none of the characters that are not allowed is harmless",
    express(`
const a = req.query.a
if (/[^\\w-]/.test(a)) return
db.query("SELECT * FROM t ORDER BY " + a)
const b = req.query.b
if (/[^'"]/.test(b)) return
db.query("SELECT * FROM t ORDER BY " + b) // REACHED
const c = req.query.c
if (!/[^\\w]/.test(c)) return
db.query("SELECT * FROM t ORDER BY " + c) // REACHED
`)
  )
  holds("what comes back from a function that throws for other characters is harmless", {
    "server/routes.js": `const { exec } = require("child_process")
const app = require("express")()
function ensureWord(word) {
  if (word.match(/[^\\w]/)) throw new Error("no word")
}
function noteWord(word) {
  if (word.match(/[^\\w]/)) console.log("no word")
}
app.get("/a", (req, res) => {
  ensureWord(req.query.a)
  exec("show " + req.query.a, done)
})
app.get("/b", (req, res) => {
  noteWord(req.query.b)
  exec("show " + req.query.b, done) // REACHED
})
`
  })
  holds("what execa is given for a shell is a command line", {
    "server/routes.js": `const execa = require("execa")
const app = require("express")()
app.get("/a", (req, res) => {
  execa.shell("show " + req.query.a) // REACHED
  execa("show", [String(Number(req.query.a))])
})
`
  })
  holds(
    "a match is of the beginning only, a search of all",
    flask(`
a = request.args["a"]
if re.match("[^a-z]", a):
    raise ValueError()
cur.execute("SELECT * FROM t ORDER BY " + a) # REACHED
b = request.args["b"]
if re.search("[^a-z]", b):
    raise ValueError()
cur.execute("SELECT * FROM t ORDER BY " + b)
`)
  )
})
