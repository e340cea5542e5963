import { describe } from "vitest"
import { express, flask, holds, http } from "./flows.ts"

describe("through functions of the same file", () => {
  holds("a wrapper's caller is where the text is built", {
    "a.js": `const { exec } = require("child_process")
const run = (line) => exec(line)
exports.handler = (req, res) => {
  run("ls " + req.query.dir) // REACHED
  run("ls /tmp")
}
`
  })
  holds("a function that builds the text is at fault itself", {
    "a.js": `const { exec } = require("child_process")
function list(dir) {
  return exec("ls " + dir) // REACHED
}
exports.handler = (req, res) => list(req.query.dir)
`
  })
  holds("the parameter that reaches the sink counts, not its neighbour", {
    "a.js": `const { exec } = require("child_process")
function log(message, dir) {
  exec("ls " + dir)
}
exports.handler = (req, res) => log(req.query.message, "/tmp")
`
  })
  holds(
    "what a function returns carries what it was given",
    flask(`
def build(name):
    text = "SELECT * FROM t WHERE a = '%s'" % name
    return text
cur.execute(build(request.args["a"])) # REACHED
cur.execute(build("x"))
`)
  )
  holds("what was made harmless stays so in the function it is given to", {
    "a.py": `import os
import shlex
from flask import request
def run(name):
    os.system("ls " + name)
def handle():
    run(shlex.quote(request.args["n"]))
`
  })
  holds("overloads are distinguished by the number of their parameters", {
    "A.java": `import javax.servlet.http.*;
class A extends HttpServlet {
  protected void doGet(HttpServletRequest req, HttpServletResponse res) throws Exception {
    deploy("a", req.getParameter("war"));
    deploy("a", "b", req.getParameter("tag")); // REACHED
  }
  void deploy(String name, String tag, String path) throws Exception {
    Runtime.getRuntime().exec(name + tag);
    Runtime.getRuntime().exec(path);
  }
  void deploy(String name, String war) {
    System.out.println(war);
  }
}
`
  })
  holds("a list that is asked through Object.prototype lets through what is on it", {
    "a.js": `const { exec } = require("child_process")
const known = { a: 1 }
exports.handler = (req, res) => {
  if (Object.prototype.hasOwnProperty.call(known, req.query.name)) exec("ls " + req.query.name)
  if (!Object.prototype.hasOwnProperty.call(known, req.query.dir)) exec("ls " + req.query.dir) // REACHED
}
`
  })
  holds("a field written in one method and read in another", {
    "server/store.js": `const { Pool } = require("pg")
const db = new Pool()
class Search {
  fill(req) { this.name = req.query.name }
  run() { return db.query("SELECT * FROM t WHERE a = '" + this.name + "'") } // REACHED
}
exports.handler = (req, res) => { const search = new Search(); search.fill(req); search.run() }
`
  })
  holds("mutual recursion ends", {
    "a.js": `const { exec } = require("child_process")
function a(x, n) { if (n) b(x, n - 1); exec("ls " + x) } // REACHED
function b(x, n) { a(x, n) }
exports.handler = (req, res) => b(req.query.x, 3)
`
  })
  holds("methods of one class call each other", {
    "a.py": `import os
from flask import request
class Jobs:
    def start(self, name):
        self.shell("job " + name)
    def shell(self, line):
        os.system(line) # REACHED
    def handle(self):
        self.shell("job " + request.args["n"]) # REACHED
`.replace("os.system(line) # REACHED", "os.system(line)")
  })
  holds(
    "a named argument finds its parameter",
    flask(`
def run(limit, text):
    cur.execute(text) # REACHED
run(text="SELECT * FROM t WHERE a = '" + request.args["a"] + "'", limit=1)
run(limit=request.args["a"], text="SELECT * FROM t")
`)
  )
})

describe("closures", () => {
  holds(
    "a closure sees what its variable holds when it is called",
    express(`
let text = "SELECT 1 FROM t"
const run = () => db.query(text) // REACHED
text = "SELECT * FROM t WHERE a = '" + req.query.a + "'"
run()
`)
  )
  holds(
    "a callback writes to variables outside of it",
    express(`
let where = ""
Object.keys(req.query).forEach((key) => {
  where += " AND " + key + " = 1"
})
db.query("SELECT * FROM t WHERE 1 = 1" + where) // REACHED
`)
  )
  holds(
    "a mapped list holds what the callback returns",
    express(`
const marks = req.body.ids.map(() => "?").join(",")
db.query("SELECT * FROM t WHERE id IN (" + marks + ")", req.body.ids)
const texts = req.body.ids.map((id) => "'" + id + "'").join(",")
db.query("SELECT * FROM t WHERE id IN (" + texts + ")") // REACHED
`)
  )
  holds("handlers made inside of a function are handlers", {
    "a.js": `const { exec } = require("child_process")
module.exports = (app) => {
  app.post("/x", (req, res) => {
    setTimeout(() => exec("ls " + req.body.dir), 10) // REACHED
  })
}
`
  })
  holds(
    "a goroutine runs with the variables around it",
    http(`
name := r.FormValue("name")
go func() {
	db.Exec("DELETE FROM t WHERE a = '" + name + "'") // REACHED
}()
`)
  )
})

describe("across files", () => {
  holds("a handler, a service and a repository in three files", {
    "src/users.controller.ts": `import { UsersService } from "./users.service"
export class UsersController {
  constructor(private readonly users: UsersService) {}
  @Get() list(@Query("name") name: string) { return this.users.find(name) }
}
`,
    "src/users.service.ts": `import { UsersRepository } from "./users.repository"
const marker = "SELECT "
export class UsersService {
  constructor(private readonly repository: UsersRepository) {}
  find(name: string) { return this.repository.query(name) }
}
`,
    "src/users.repository.ts": `import { Pool } from "pg"
export class UsersRepository {
  constructor(private readonly pool: Pool) {}
  query(name: string) {
    return this.pool.query("SELECT * FROM users WHERE name = '" + name + "'") // REACHED
  }
}
`
  })
  holds("a default export and an index file", {
    "src/db/index.ts": `import { Pool } from "pg"
const pool = new Pool()
export default async function run(text: string) { return pool.query(text) }
`,
    "src/app.ts": `import run from "./db"
import type { Request, Response } from "express"
export const handler = (req: Request, res: Response) => run(\`SELECT * FROM t WHERE a = '\${req.query.a}'\`) // REACHED
`
  })
  holds("a Python package and a relative import", {
    "shop/__init__.py": "",
    "shop/data/db.py": `import sqlite3
def fetch(text, args=()):
    return sqlite3.connect("a").execute(text, args)
`,
    "shop/web.py": `from flask import request
from shop.data import db
def view():
    db.fetch("SELECT * FROM t WHERE a = ?", (request.args["a"],))
    return db.fetch("SELECT * FROM t WHERE a = '" + request.args["a"] + "'") # REACHED
`
  })
  holds("two files of one Go package", {
    "api/db.go": `package api
import "database/sql"
func find(db *sql.DB, where string) { db.Query("SELECT * FROM t WHERE " + where) } // REACHED
`,
    "api/x.go": `package api
import ("database/sql"; "net/http")
func Handle(w http.ResponseWriter, r *http.Request, db *sql.DB) { find(db, r.FormValue("where")) }
`
  })
  holds("a function of the same name elsewhere is another function", {
    "src/a.js": `const { exec } = require("child_process")
exports.run = (dir) => exec("ls " + dir)
`,
    "src/b.js": "exports.run = (x) => console.log(x)\n",
    "src/c.js": `const b = require("./b")
exports.handler = (req, res) => b.run(req.query.dir)
`
  })
})
