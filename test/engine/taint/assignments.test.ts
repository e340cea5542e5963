import { describe } from "vitest"
import { express, flask, holds, http, servlet } from "./flows.ts"

describe("what a variable holds", () => {
  holds(
    "a constant assigned last ends the taint",
    express(`
let name = req.query.name
name = "all"
db.query("SELECT * FROM t WHERE a = '" + name + "'")
`)
  )
  holds(
    "a constant assigned on one path only does not",
    express(`
let name = req.query.name
if (res.locals.all) name = "all"
db.query("SELECT * FROM t WHERE a = '" + name + "'") // REACHED
`)
  )
  holds(
    "a taint assigned on one path only counts",
    flask(`
name = "all"
if len(request.args) > 0:
    name = request.args["name"]
cur.execute("SELECT * FROM t WHERE a = '" + name + "'") # REACHED
`)
  )
  holds(
    "constants on every path end the taint",
    flask(`
name = request.args["name"]
if name == "x":
    name = "a"
else:
    name = "b"
cur.execute("SELECT * FROM t WHERE a = '" + name + "'")
`)
  )
  holds(
    "a flag does not make a branch dead",
    servlet(`
String a = req.getParameter("a");
boolean debug = false;
String q = "SELECT 1 FROM t";
if (debug) { q = "SELECT * FROM t WHERE a = '" + a + "'"; }
st.executeQuery(q); // REACHED
`)
  )
  holds(
    "a loop counter is no constant",
    servlet(`
String a = req.getParameter("a");
String q = "SELECT * FROM t WHERE a IN (";
for (int i = 0; i < 2; i++) {
  if (i > 0) q += "'" + a + "'";
}
st.executeQuery(q + ")"); // REACHED
`)
  )
  holds(
    "what a loop leaves reaches its own beginning",
    express(`
let next = "SELECT 1 FROM t"
for (const part of ["a", "b"]) {
  db.query(next) // REACHED
  next = "SELECT * FROM t WHERE a = '" + req.query[part] + "'"
}
`)
  )
  holds(
    "two steps through a loop are still seen",
    flask(`
a = b = c = "x"
for i in range(3):
    c = b
    b = a
    a = request.args["a"]
cur.execute("SELECT * FROM t WHERE a = '" + c + "'") # REACHED
`)
  )
  holds(
    "an exception may leave between two assignments",
    flask(`
name = "x"
try:
    name = request.args["name"]
    risky()
    name = "y"
except ValueError:
    pass
cur.execute("SELECT * FROM t WHERE a = '" + name + "'") # REACHED
`)
  )
  holds(
    "code after a return is another path",
    http(`
name := r.FormValue("name")
if len(name) > 3 {
	name = "fixed"
	return
}
db.Query("SELECT * FROM t WHERE a = '" + name + "'") // REACHED
`)
  )
  holds(
    "destructuring with a default keeps the taint",
    express(`
const { filter: { name = "x" } = {}, ...others } = req.body
db.query("SELECT * FROM t WHERE a = '" + name + "'") // REACHED
db.query("SELECT * FROM t WHERE a = '" + others.b + "'") // REACHED
`)
  )
  holds(
    "of two results of one call the error carries nothing",
    http(`
id, err := strconv.Atoi(r.FormValue("id"))
db.Query(fmt.Sprintf("SELECT * FROM t WHERE id = %v AND e = '%v'", id, err))
`)
  )
})

describe("objects and collections", () => {
  holds(
    "a second name for an object sees what is written through the first",
    express(`
const a = {}
const b = a
a.name = "fixed"
b.name = req.query.name
db.query("SELECT * FROM t WHERE a = '" + a.name + "'") // REACHED
`)
  )
  holds(
    "another property stays clean",
    express(`
const o = { name: req.query.name, table: "users" }
db.query("SELECT * FROM " + o.table)
db.query("SELECT * FROM users WHERE a = '" + o.name + "'") // REACHED
`)
  )
  holds(
    "an aliased map is no constant",
    servlet(`
Map<String, String> a = new HashMap<>();
Map<String, String> b = a;
a.put("k", "fixed");
b.put("k", req.getParameter("k"));
st.executeQuery("SELECT * FROM t WHERE a = '" + a.get("k") + "'"); // REACHED
`)
  )
  holds(
    "a list gives back what was added",
    flask(`
parts = ["a = 1"]
parts.append("b = '%s'" % request.args["b"])
cur.execute("SELECT * FROM t WHERE " + " AND ".join(parts)) # REACHED
`)
  )
  holds(
    "the code's own map looked up with untrusted keys gives the code's own values",
    express(`
const columns = { name: "name", date: "created_at" }
db.query("SELECT * FROM t ORDER BY " + columns[req.query.sort])
`)
  )
  holds(
    "a map of untrusted values does not",
    express(`
const columns = { name: req.query.column }
db.query("SELECT * FROM t ORDER BY " + columns[req.query.sort]) // REACHED
`)
  )
  holds(
    "a builder carries what was appended in another statement",
    http(`
var sb strings.Builder
sb.WriteString("SELECT * FROM t WHERE a = '")
sb.WriteString(r.FormValue("a"))
db.Query(sb.String()) // REACHED
`)
  )
  holds(
    "placeholders made from a list carry nothing of it",
    flask(`
ids = request.args.getlist("id")
cur.execute("SELECT * FROM t WHERE id IN (%s)" % ",".join("?" for _ in ids), ids)
cur.execute("SELECT * FROM t WHERE id IN (" + ",".join(["?"] * len(ids)) + ")", ids)
`)
  )
})
