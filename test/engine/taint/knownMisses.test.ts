import { describe } from "vitest"
import { java, javascript } from "./dialects.ts"
import { holds } from "./flows.ts"

/** Each is unsafe and not reported: docs/audit-known-misses.md lists them. A test that fails here is good news. */
describe("what is known to be missed", () => {
  holds(
    "a function that changes what it is given",
    javascript.file(
      ["const list = []", "fill(list, req.query.a)", 'db.query("SELECT * FROM t WHERE a = " + list.join())'],
      ["function fill(list, item) { list.push(item) }"]
    )
  )
  holds(
    "a closure that is an object",
    java.file([
      'String a = req.getParameter("a");',
      "Runnable go = new Runnable() { public void run() { query(a); } };",
      "go.run();"
    ])
  )
})
