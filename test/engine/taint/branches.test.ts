import { describe } from "vitest"
import { express, flask, holds, servlet } from "./flows.ts"
import { springTraps, type Trap } from "./traps.ts"

const made = (d: Parameters<Trap["body"]>[0]) => ({ u: d.v("u"), name: d.property(d.v("u")) })

const properties: ReadonlyArray<Trap> = [
  {
    title: "a property gives back what it was given",
    body: (d) => {
      const { u, name } = made(d)
      return [d.object(u), d.assign(name, d.source), d.hit(name)]
    }
  },
  {
    title: "a constant written last ends the taint of a property",
    except: ["PHP", "Ruby"],
    body: (d) => {
      const { u, name } = made(d)
      return [d.object(u), d.assign(name, d.source), d.assign(name, d.text("x")), d.sink(name)]
    }
  },
  {
    title: "a constant written to a property on one path does not end its taint",
    body: (d) => {
      const { u, name } = made(d)
      return [d.object(u), d.assign(name, d.source), ...d.when(d.unknown, [d.assign(name, d.text("x"))]), d.hit(name)]
    }
  },
  {
    title: "a constant written to a property on the other path does not end its taint",
    body: (d) => {
      const { u, name } = made(d)
      return [
        d.object(u),
        d.assign(name, d.source),
        ...d.when(d.unknown, [d.plain(d.call("log", u))], [d.assign(name, d.text("x"))]),
        d.hit(name)
      ]
    }
  },
  {
    title: "a taint written to a property on one path counts",
    body: (d) => {
      const { u, name } = made(d)
      return [
        d.object(u),
        d.assign(name, d.text("x")),
        ...d.when(d.unknown, [d.plain(d.call("log", u))], [d.assign(name, d.source)]),
        d.hit(name)
      ]
    }
  },
  {
    title: "a loop that may not run does not clean a property",
    body: (d) => {
      const { u, name } = made(d)
      return [d.object(u), d.assign(name, d.source), ...d.loop([d.assign(name, d.text("x"))]), d.hit(name)]
    }
  },
  {
    title: "a block that may fail does not clean a property",
    body: (d) => {
      const { u, name } = made(d)
      return d.attempt === null
        ? null
        : [
            d.object(u),
            d.assign(name, d.source),
            ...d.attempt([d.plain(d.call("risky")), d.assign(name, d.text("x"))]),
            d.hit(name)
          ]
    }
  },
  {
    title: "a closure writes to the property that others read",
    body: (d) => {
      const { u, name } = made(d)
      return [
        d.object(u),
        d.assign(name, d.text("x")),
        ...d.closure(d.v("act"), [d.assign(name, d.source)]),
        d.plain(d.run(d.v("act")).replace(/;$/, "")),
        d.hit(name)
      ]
    }
  }
]

const tests: ReadonlyArray<Trap> = [
  {
    title: "what a condition says of a source is over after it",
    body: (d) => [...d.when(d.among(d.source), [d.plain(d.call("log", d.source))]), d.hit(d.source)]
  },
  {
    title: "what the other branch knows of a source is over after it",
    body: (d) => [
      ...d.when(d.equals(d.source, "x"), [d.plain(d.call("log"))], [d.plain(d.call("log", d.source))]),
      d.hit(d.source)
    ]
  },
  {
    title: "a case knows the value, what follows does not",
    body: (d) => [d.declare(d.v("a"), d.source), ...d.choose(d.v("a"), [d.sink(d.v("a"))]), d.hit(d.v("a"))]
  },
  {
    title: "a case that writes a constant does not end the taint",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.choose(d.v("kind"), [d.assign(d.v("a"), d.text("x"))]),
      d.hit(d.v("a"))
    ]
  },
  {
    title: "a test in a loop is over after it",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.loop(d.when(d.among(d.v("a")), [d.sink(d.v("a"))])),
      d.hit(d.v("a"))
    ]
  },
  {
    title: "a test in a loop that returns is one",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.loop([
        ...d.when(d.not(d.name === "Go" ? d.among(d.v("a")) : `(${d.among(d.v("a"))})`), [d.stop]),
        d.sink(d.v("a"))
      ]),
      d.hit(d.v("a"))
    ]
  }
]

const shortcuts: ReadonlyArray<Trap> = [
  {
    title: "a constant written only if does not end the taint",
    body: (d) =>
      d.onlyIf === null
        ? null
        : [d.declare(d.v("a"), d.source), d.plain(d.onlyIf(d.unknown, d.v("a"), d.text("x"))), d.hit(d.v("a"))]
  },
  {
    title: "a taint written only if counts",
    body: (d) =>
      d.onlyIf === null
        ? null
        : [d.declare(d.v("a"), d.text("x")), d.plain(d.onlyIf(d.unknown, d.v("a"), d.source)), d.hit(d.v("a"))]
  },
  {
    title: "a constant written unless so does not end the taint",
    body: (d) =>
      d.unlessSo === null
        ? null
        : [d.declare(d.v("a"), d.source), d.plain(d.unlessSo(d.unknown, d.v("a"), d.text("x"))), d.hit(d.v("a"))]
  },
  {
    title: "a constant written unless the check holds makes it one",
    body: (d) =>
      d.unlessSo === null
        ? null
        : [
            d.declare(d.v("a"), d.source),
            d.plain(d.unlessSo(d.among(d.v("a")), d.v("a"), d.text("x"))),
            d.sink(d.v("a"))
          ]
  },
  {
    title: "what runs at last sees what was written before the return",
    body: (d) =>
      d.lastly === null
        ? null
        : [d.declare(d.v("a"), d.text("x")), ...d.lastly([d.assign(d.v("a"), d.source), d.stop], [d.hit(d.v("a"))])]
  }
]

springTraps({ properties, tests, shortcuts })

describe("properties of what is untrusted as a whole", () => {
  holds(
    "a check of a property without else",
    express(`
if (["a"].includes(req.query.b)) log(req.query.b)
db.query("SELECT * FROM t WHERE a = '" + req.query.b + "'") // REACHED
`)
  )
  holds(
    "a check of a property that returns",
    express(`
if (!["a"].includes(req.query.b)) return
db.query("SELECT * FROM t WHERE a = '" + req.query.b + "'")
`)
  )
  holds(
    "a property of a body written on one path",
    express(`
const user = req.body
if (config.flag) user.name = "x"
db.query("SELECT * FROM t WHERE a = '" + user.name + "'") // REACHED
const again = user
db.query("SELECT * FROM t WHERE a = '" + again.name + "'") // REACHED
`)
  )
  holds(
    "a property of a body written on all paths",
    express(`
const user = req.body
if (config.flag) user.name = "x"
else user.name = "y"
db.query("SELECT * FROM t WHERE a = '" + user.name + "'")
db.query("SELECT * FROM t WHERE a = '" + user.other + "'") // REACHED
`)
  )
  holds(
    "an element written says nothing of the others",
    express(`
const user = req.body
user["kind"] = "x"
db.query("SELECT * FROM t WHERE a = '" + user.name + "'") // REACHED
`)
  )
  holds(
    "an object of one's own or the body",
    express(`
const options = config.flag ? { name: "x" } : req.body
db.query("SELECT * FROM t WHERE a = '" + options.name + "'") // REACHED
`)
  )
  holds(
    "a sanitiser on one path, of a property",
    express(`
if (config.flag) req.query.a = "x"
db.query("SELECT * FROM t WHERE a = '" + req.query.a + "'") // REACHED
`)
  )
  holds(
    "a new object has none of the old one's checks",
    express(`
let user = { name: "x" }
try {
  risky()
  user = req.body
  risky()
} catch (error) {
  db.query("SELECT * FROM t WHERE a = '" + user.name + "'") // REACHED
}
`)
  )
  holds(
    "a closure's variable, cleaned on one path of it",
    express(`
let a = req.query.a
const go = () => {
  if (config.flag) a = "x"
  db.query("SELECT * FROM t WHERE a = '" + a + "'") // REACHED
}
go()
`)
  )
  holds(
    "a key checked on one path",
    flask(`
if request.args["a"] in ("x", "y"):
    print("known")
cur.execute("SELECT * FROM t WHERE a = '" + request.args["a"] + "'") # REACHED
`)
  )
  holds(
    "what follows a loop that was not left",
    flask(`
a = request.args["a"]
for i in range(3):
    print(i)
else:
    cur.execute("SELECT * FROM t WHERE a = '" + a + "'") # REACHED
`)
  )
  holds(
    "a field of an object, checked on one path",
    servlet(`
Form form = new Form();
form.name = req.getParameter("a");
if (List.of("x").contains(form.name)) { log(form.name); }
st.executeQuery("SELECT * FROM t WHERE a = '" + form.name + "'"); // REACHED
`)
  )
})
