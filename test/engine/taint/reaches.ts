import { assert, it } from "vitest"
import type { AuditTool } from "../../../src/engine/core/tool/AuditTool.ts"
import { inspectProject } from "../../support/audit.ts"

type Texts = Readonly<Record<string, string>>

/** `holds` for one tool: a line in which untrusted input ends up carries the word REACHED, and no other is reported. */
export const holdsFor =
  (tool: AuditTool, rules: ReadonlyArray<string>) =>
  (title: string, texts: Texts): void => {
    it(title, async () => {
      const hits = (await inspectProject(tool, texts)).filter((hit) => rules.includes(hit.rule))
      const found = hits.map((hit) => `${hit.path}:${hit.line}`)
      const expected = Object.entries(texts).flatMap(([path, text]) =>
        text.split("\n").flatMap((line, i) => (line.includes("REACHED") ? [`${path}:${i + 1}`] : []))
      )
      assert.deepStrictEqual([...new Set(found)].sort(), expected.sort())
      for (const hit of hits) {
        if (hit.path === hit.steps?.at(-1)?.path) continue
        assert.isAtLeast(hit.steps?.length ?? 0, 2, "a hit shows its way from source to sink")
      }
    })
  }

const indented = (body: string, by: string): string =>
  body
    .trim()
    .split("\n")
    .map((line) => by + line)
    .join("\n")

/** The body of an Express handler; `head` is the top of its file. */
export const express = (head: string, body: string): Texts => ({
  "server/routes.js": `const app = require("express")()
${head.trim()}
app.get("/x", async (req, res) => {
${indented(body, "  ")}
})
`
})

/** The body of a Flask view. */
export const flask = (head: string, body: string): Texts => ({
  "web/app.py": `from flask import Flask, abort, request
${head.trim()}
app = Flask(__name__)
@app.route("/x")
def view():
${indented(body, "    ")}
`
})

/** The body of a net/http handler. */
export const http = (imports: string, body: string): Texts => ({
  "api/x.go": `package api
import ("net/http"; ${imports})
func Handle(w http.ResponseWriter, r *http.Request) {
${indented(body, "\t")}
}
`
})

/** The body of a servlet's method. */
export const servlet = (head: string, body: string): Texts => ({
  "src/X.java": `import javax.servlet.http.*;
${head.trim()}
class X extends HttpServlet {
  void doGet(HttpServletRequest req, HttpServletResponse res) throws Exception {
${indented(body, "    ")}
  }
}
`
})

export const php = (body: string): Texts => ({ "web/page.php": `<?php\n${body.trim()}\n` })
