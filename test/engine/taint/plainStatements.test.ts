import { describe } from "vitest"
import { holds } from "./flows.ts"

/** Statements in plain quotes are passed over without a walk: what is built beside them must not be. */
describe("plain statements", () => {
  holds("in JavaScript", {
    "server/store.js": `const { Pool } = require("pg")
const db = new Pool()
exports.find = (name) => {
  db.query("SELECT 1", [name])
  return db.query("SELECT * FROM t WHERE a = '" + name + "'") // REACHED
}
exports.pick = (name) => db.query(\`SELECT * FROM t WHERE a = '\${name}'\`) // REACHED
exports.count = (name) => db.query("SELECT count(*) FROM t WHERE a = $1", [name])
`,
    "server/routes.js": `const store = require("./store")
exports.handler = (req, res) => {
  store.find(req.query.name)
  store.pick(req.query.name)
  store.count(req.query.name)
}
`
  })
  holds("in Python", {
    "web/store.py": `import sqlite3
def lookup(cur, name):
    cur.execute("SELECT 1", (name,))
    cur.execute("SELECT * FROM t WHERE a = '%s'" % name) # REACHED
def pick(cur, name):
    cur.execute(f"SELECT * FROM t WHERE a = '{name}'") # REACHED
def glue(cur, name):
    cur.execute("SELECT * FROM t WHERE a = '{}'".format(name)) # REACHED
def count(cur, name):
    cur.execute("SELECT count(*) FROM t WHERE a = ?", (name,))
`,
    "web/app.py": `from flask import Flask, request
from web import store
app = Flask(__name__)
@app.route("/x")
def view():
    name = request.args["name"]
    store.lookup(cur, name)
    store.pick(cur, name)
    store.glue(cur, name)
    store.count(cur, name)
`
  })
})
