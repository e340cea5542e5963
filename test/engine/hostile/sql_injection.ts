import { filled, type WorstCase } from "../../support/worstCase.ts"

const express =
  'const { Pool } = require("pg")\nconst db = new Pool()\napp.get("/", (req, res) => {\nlet a = req.query.a\n'

/** Statements between the head and the end of a handler. */
const handler =
  (unit: string, last = 'db.query("SELECT * FROM t WHERE a = " + a)\n') =>
  (size: number) =>
    filled(size, unit, [express, `${last}})\n`])

const rules = ["untrusted_sql"]

export const worstCases: ReadonlyArray<WorstCase> = [
  { rules, path: "server/grow.js", text: handler("a = a + req.query.b + 'x'\n") },
  { rules, path: "server/sinks.js", text: handler('db.query("SELECT * FROM t WHERE a = \'" + a + "\'")\n') },
  {
    rules,
    path: "server/nested.js",
    text: (size) => filled(size, "if (a === 'x') { ", [express, '\ndb.query("SELECT * FROM t" + a)'])
  },
  {
    rules,
    path: "server/closures.js",
    text: (size) => filled(size, "items.forEach((x) => { a += x; ", [express, '\ndb.query("SELECT * FROM t" + a)'])
  },
  {
    rules,
    path: "server/variables.js",
    text: (size) => {
      const half = Math.floor(size / 2)
      const names = Array.from({ length: Math.floor(half / 24) }, (_, i) => `let v${i} = req.query.a${i}\n`).join("")
      return `${express}${names}${filled(half, "if (v1) { v2 = v3 }\n")}db.query("SELECT * FROM t" + v2)\n})\n`
    }
  },
  {
    rules,
    path: "server/callers.js",
    text: (size) =>
      Array.from(
        { length: Math.floor(size / 60) },
        (_, i) => `function f${i}(x) { db.query("SELECT * FROM t" + x); f${i + 1}(x) }\n`
      ).join("")
  },
  {
    rules,
    path: "server/template.js",
    text: (size) => filled(size, "${req.query.a}", [`${express}db.query(\`SELECT * FROM t WHERE `, "`)\n})\n"])
  },
  {
    rules,
    path: "web/format.py",
    text: (size) =>
      filled(size, "%s", [
        'from flask import request\nimport sqlite3\ncur = sqlite3.connect("a").cursor()\ndef v():\n    cur.execute("SELECT * FROM t WHERE ',
        '" % (request.args["a"],))\n'
      ])
  },
  {
    rules,
    path: "api/x.go",
    text: (size) =>
      filled(size, 'a = a + r.FormValue("b")\n', [
        'package a\nimport ("net/http"; "database/sql")\nfunc H(w http.ResponseWriter, r *http.Request, db *sql.DB) {\na := ""\n',
        'db.Query("SELECT * FROM t WHERE a = " + a)\n}\n'
      ])
  },
  {
    rules,
    path: "src/X.java",
    text: (size) =>
      filled(size, 'sb.append(req.getParameter("a"));\n', [
        "import java.sql.*;\nclass X { void f(HttpServletRequest req, Statement st) {\nStringBuilder sb = new StringBuilder();\n",
        "st.executeQuery(sb.toString()); } }\n"
      ])
  },
  {
    rules: ["untrusted_sql_php"],
    path: "web/x.php",
    text: (size) =>
      filled(size, "$q .= $_GET['a'];\n", ["<?php\n$q = 'SELECT * FROM t WHERE ';\n", "mysql_query($q);\n"])
  },
  {
    rules,
    path: "app/controllers/a_controller.rb",
    text: (size) =>
      filled(size, "q << params[:a]\n", [
        "class AController < ApplicationController\ndef x\nq = 'SELECT * FROM t WHERE '\n",
        "User.find_by_sql(q)\nend\nend\n"
      ])
  },
  {
    rules,
    path: "app/controllers/block_controller.rb",
    text: (size) =>
      filled(size, "items.each do |x|\nq << x\n", [
        "class AController < ApplicationController\ndef x\nq = params[:a]\n",
        "User.where(\"a = '#{q}'\")\n"
      ])
  },
  {
    rules,
    path: "app/controllers/methods_controller.rb",
    text: (size) =>
      `class AController < ApplicationController\n${Array.from(
        { length: Math.floor(size / 40) },
        (_, i) => `def m${i}\nm${i + 1} + params[:a]\nend\n`
      ).join("")}end\n`
  },
  {
    rules,
    path: "Web/AController.cs",
    text: (size) =>
      filled(size, "q += name;\n", [
        "class AController : Controller {\npublic void X(string name) {\nvar q = name;\n",
        'new SqlCommand("SELECT * FROM t WHERE a = " + q, c);\n} }\n'
      ])
  },
  {
    rules: ["built_sql"],
    path: "src/repo.ts",
    text: (size) =>
      filled(size, 'export const f = (db: Pool, a: string) => db.query("SELECT * FROM t WHERE a = \'" + a + "\'")\n')
  },
  {
    rules: ["built_sql_text"],
    path: "src/text.ts",
    text: (size) =>
      filled(size, 'export const f = (db: Pool, a: string) => db.query("SELECT * FROM t WHERE a = " + a)\n')
  },
  {
    rules: ["built_sql_unquoted"],
    path: "src/unquoted.js",
    text: (size) => filled(size, 'export const f = (pool, a) => pool.query("SELECT * FROM t WHERE a = " + a)\n')
  },
  {
    rules: ["built_sql_php"],
    path: "src/built.php",
    text: (size) =>
      filled(size, 'function f($db, $a) { $db->query("SELECT * FROM t WHERE a = \'" . $a . "\'"); }\n', ["<?php\n", ""])
  },
  {
    rules: ["nosql_where", "nosql_operator"],
    path: "server/mongo.js",
    text: (size) =>
      filled(size, 'db.find({ $where: "this.a == " + req.query.a, b: req.body })\n', [
        'const { MongoClient } = require("mongodb")\napp.get("/", (req, res) => {\nconst db = new MongoClient().db().collection("a")\n',
        "})\n"
      ])
  },
  {
    rules: ["nosql_operator"],
    path: "server/deep.js",
    text: (size) =>
      filled(size, "{ a: ", [
        'const { MongoClient } = require("mongodb")\napp.get("/", (req, res) => {\nconst db = new MongoClient().db().collection("a")\ndb.find(',
        "req.body"
      ])
  },
  {
    rules: ["untrusted_xpath", "untrusted_ldap"],
    path: "server/lookups.js",
    text: (size) =>
      filled(size, 'client.search("ou", { filter: `(uid=${a})` })\nxpath.select("//a[\'" + a + "\']", d)\n', [
        'const xpath = require("xpath")\nconst client = require("ldapjs").createClient()\napp.get("/", (req, res) => {\nlet a = req.query.a\n',
        "})\n"
      ])
  },
  {
    rules: ["built_xpath", "built_ldap"],
    path: "src/lookups.py",
    text: (size) =>
      filled(size, "    d.search_s(1, 2, '(uid=' + a + ')')\n    d.xpath('//a[\\'' + a + '\\']')\n", [
        "def f(d, a):\n",
        ""
      ])
  }
]
