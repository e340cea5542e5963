import { assert, it } from "vitest"
import command_injection from "../../../src/engine/rules/command_injection/tool.ts"
import sql_injection from "../../../src/engine/rules/sql_injection/tool.ts"
import { inspectProject } from "../../support/audit.ts"

const untrusted = new Set([
  "untrusted_sql",
  "untrusted_sql_php",
  "untrusted_command",
  "nosql_where",
  "nosql_operator",
  "untrusted_program"
])

/** Files by path; a line in which untrusted input ends up carries the word REACHED. */
export const holds = (title: string, texts: Readonly<Record<string, string>>): void => {
  it(title, async () => {
    const hits = [...(await inspectProject(sql_injection, texts)), ...(await inspectProject(command_injection, texts))]
    const found = hits.filter((hit) => untrusted.has(hit.rule)).map((hit) => `${hit.path}:${hit.line}`)
    const expected = Object.entries(texts).flatMap(([path, text]) =>
      text.split("\n").flatMap((line, i) => (line.includes("REACHED") ? [`${path}:${i + 1}`] : []))
    )
    assert.deepStrictEqual([...new Set(found)].sort(), expected.sort())
  })
}

const indented = (body: string, by: string): string =>
  body
    .trim()
    .split("\n")
    .map((line) => by + line)
    .join("\n")

/** The body of an Express handler with a `pg` pool called `db`. */
export const express = (body: string): Readonly<Record<string, string>> => ({
  "server/routes.js": `const { Pool } = require("pg")
const db = new Pool()
const app = require("express")()
app.get("/x", async (req, res) => {
${indented(body, "  ")}
})
`
})

/** The body of a Flask view with a DB-API cursor called `cur`. */
export const flask = (body: string): Readonly<Record<string, string>> => ({
  "web/app.py": `import sqlite3
from flask import Flask, request
app = Flask(__name__)
@app.route("/x")
def view():
    cur = sqlite3.connect("a").cursor()
${indented(body, "    ")}
`
})

/** The body of a net/http handler with a *sql.DB called `db`. */
export const http = (body: string): Readonly<Record<string, string>> => ({
  "api/x.go": `package api
import ("database/sql"; "fmt"; "net/http"; "strings"; "strconv")
func Handle(w http.ResponseWriter, r *http.Request, db *sql.DB) {
${indented(body, "\t")}
}
`
})

/** The body of a servlet method with a java.sql.Statement called `st`. */
export const servlet = (body: string): Readonly<Record<string, string>> => ({
  "src/X.java": `import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
class X extends HttpServlet {
  void doGet(HttpServletRequest req, HttpServletResponse res, Statement st) throws Exception {
${indented(body, "    ")}
  }
}
`
})
