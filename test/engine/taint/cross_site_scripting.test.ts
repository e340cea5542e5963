import { assert, describe, it } from "vitest"
import cross_site_scripting from "../../../src/engine/rules/cross_site_scripting/tool.ts"
import security_misconfiguration from "../../../src/engine/rules/security_misconfiguration/tool.ts"
import { inspectProject } from "../../support/audit.ts"

const flows = new Set(["untrusted_html", "untrusted_markup", "dom_injection", "open_redirect"])

/** A line in which untrusted input ends up carries the word REACHED. */
const holds = (title: string, texts: Readonly<Record<string, string>>): void => {
  it(title, async () => {
    const hits = [
      ...(await inspectProject(cross_site_scripting, texts)),
      ...(await inspectProject(security_misconfiguration, texts))
    ]
    const found = hits.filter((hit) => flows.has(hit.rule)).map((hit) => `${hit.path}:${hit.line}`)
    const expected = Object.entries(texts).flatMap(([path, text]) =>
      text.split("\n").flatMap((line, i) => (line.includes("REACHED") ? [`${path}:${i + 1}`] : []))
    )
    assert.deepStrictEqual([...new Set(found)].sort(), expected.sort())
  })
}

const express = (body: string): Readonly<Record<string, string>> => ({
  "server/routes.js": `const escapeHtml = require("escape-html")
const app = require("express")()
app.get("/x", (req, res) => {
${body}
})
`
})

const page = (body: string): Readonly<Record<string, string>> => ({ "client/page.ts": body })

const flask = (body: string): Readonly<Record<string, string>> => ({
  "web/app.py": `from flask import Flask, redirect, request
from markupsafe import Markup, escape
app = Flask(__name__)
@app.route("/x")
def view():
${body}
`
})

const php = (body: string): Readonly<Record<string, string>> => ({ "web/page.php": `<?php\n${body}\n` })

const servlet = (body: string): Readonly<Record<string, string>> => ({
  "src/X.java": `import javax.servlet.http.*;
import java.util.*;
class X extends HttpServlet {
  void doGet(HttpServletRequest req, HttpServletResponse res) throws Exception {
${body}
  }
}
`
})

const go = (body: string): Readonly<Record<string, string>> => ({
  "web/x.go": `package web
import ("fmt"; "html"; "html/template"; "net/http"; "strconv"; "strings")
func Handle(w http.ResponseWriter, r *http.Request) {
${body}
}
`
})

describe("variables and branches", () => {
  holds(
    "aliases, templates and additions carry what they are given",
    express(`  const a = req.query.a
  let html = "<p>"
  html += a
  html += "</p>"
  res.send(html) // REACHED
  const b = a
  const { c } = req.query
  res.send(\`<b>\${b}\${c}</b>\`) // REACHED`)
  )
  holds(
    "a loop carries from one round to the next",
    express(`  let html = ""
  for (const item of [1, 2]) {
    res.send("<p>" + html) // REACHED
    html = req.query.a
  }`)
  )
  holds(
    "one clean branch does not clean the other",
    express(`  let name = escapeHtml(req.query.name)
  if (req.query.raw) name = req.query.name
  res.send("<p>" + name) // REACHED`)
  )
  holds(
    "overwritten before it is sent",
    express(`  let name = req.query.name
  name = "anonymous"
  res.send("<p>" + name)`)
  )
  holds(
    "a list and what is joined from it",
    express(`  const rows = []
  rows.push("<li>" + req.query.item + "</li>")
  res.send(rows.join("")) // REACHED`)
  )
  holds(
    "lists that are mapped",
    express(`  const names = req.query.names
  res.send("<ul>" + names.map((name) => "<li>" + name + "</li>").join("") + "</ul>") // REACHED
  res.send("<ul>" + names.map((name) => "<li>" + escapeHtml(name) + "</li>").join("") + "</ul>")`)
  )
})

describe("wrappers", () => {
  holds("a function of the same file that makes the page", {
    "server/routes.js": `const app = require("express")()
const layout = (body) => "<html>" + body + "</html>"
const show = (res, body) => {
  res.send("<html>" + body + "</html>") // REACHED
}
app.get("/a", (req, res) => {
  res.send(layout(req.query.a)) // REACHED
  res.send(layout("a"))
})
app.get("/b", (req, res) => show(res, req.query.b))
`
  })
  holds(
    "in PHP",
    php(`function heading($text) {
    return "<h1>" . $text . "</h1>";
}
function cleanHeading($text) {
    return "<h1>" . htmlspecialchars($text) . "</h1>";
}
echo heading($_GET['a']); // REACHED
echo cleanHeading($_GET['a']);
echo heading("a");`)
  )
})

describe("what escapes and what only looks like it", () => {
  holds(
    "in JavaScript",
    express(`  res.send("<p>" + escapeHtml(req.query.a))
  res.send("<p>" + encodeURIComponent(req.query.a))
  res.send("<p>" + req.query.a.trim()) // REACHED
  res.send("<p>" + req.query.a.toLowerCase()) // REACHED
  res.send("<p>" + decodeURIComponent(req.query.a)) // REACHED
  res.send("<p>" + String(req.query.a)) // REACHED
  res.send("<p>" + parseInt(req.query.a, 10))
  res.send("<p>" + req.query.a.replace(/[^a-z]/g, ""))
  res.send("<p>" + req.query.a.replace(/<script>/g, "")) // REACHED
  if (/^[a-z]+$/.test(req.query.b)) res.send("<p>" + req.query.b)
  if (/[a-z]+/.test(req.query.d)) res.send("<p>" + req.query.d) // REACHED
  if (typeof req.query.c === "string") res.send("<p>" + req.query.c) // REACHED`)
  )
  holds(
    "in the page",
    page(`import DOMPurify from "dompurify"
const el = document.body
const q = new URLSearchParams(location.search).get("q")
el.innerHTML = q // REACHED
el.innerHTML = DOMPurify.sanitize(q)
el.innerHTML = DOMPurify.sanitize("<b>") + q // REACHED
el.innerHTML = String(Number(q))
el.textContent = q
if (q === "a") el.innerHTML = q
fetch("/search?q=" + q)
`)
  )
  holds(
    "in Python",
    flask(`    a = request.args["a"]
    if request.args.get("x"):
        return "<p>" + escape(a)
    if request.args.get("y"):
        return Markup(escape(a))
    if request.args.get("z"):
        return Markup("<p>{}</p>").format(a)
    if a.isdigit():
        return "<p>" + a
    return "<p>%s</p>" % a # REACHED`)
  )
  holds(
    "in PHP",
    php(`$a = $_GET['a'];
echo htmlspecialchars($a);
echo strtoupper($a); // REACHED
echo addslashes($a); // REACHED
echo trim($a) . "x"; // REACHED
echo (int) $a;
echo json_encode($a);
echo stripslashes(htmlspecialchars($a));
echo implode(",", array_map('intval', $_GET['ids']));
echo implode(",", array_map('trim', $_GET['ids'])); // REACHED
echo preg_replace('/[^a-z0-9]/', '', $a);
echo preg_replace('/<script>/', '', $a); // REACHED
echo sprintf('%d rows', $a);
echo sprintf('%s rows', $a); // REACHED`)
  )
  holds(
    "in Java",
    servlet(`    String a = req.getParameter("a");
    res.getWriter().print("<p>" + a); // REACHED
    res.getWriter().print("<p>" + Encode.forHtml(a));
    res.getWriter().print("<p>" + a.trim()); // REACHED
    res.getWriter().print("<p>" + a.length());
    StringBuilder b = new StringBuilder();
    b.append("<p>").append(a);
    res.getWriter().print(b.toString()); // REACHED
    if (Set.of("x", "y").contains(a)) res.getWriter().print(a);`)
  )
  holds(
    "in Go",
    go(`	a := r.FormValue("a")
	fmt.Fprint(w, "<p>"+a) // REACHED
	fmt.Fprint(w, "<p>"+html.EscapeString(a))
	fmt.Fprint(w, "<p>"+strings.ToUpper(a)) // REACHED
	n, _ := strconv.Atoi(a)
	fmt.Fprintf(w, "<p>%d</p>", n)
	page := fmt.Sprintf("<p>%s</p>", a)
	fmt.Fprint(w, page) // REACHED
	t.Execute(w, template.HTML("<b>"))
	t.Execute(w, template.HTML(a)) // REACHED`)
  )
})

describe("redirects", () => {
  holds(
    "in JavaScript",
    express(`  const next = req.query.next
  res.redirect(next) // REACHED
  res.redirect("/" + next)
  res.redirect("//" + next) // REACHED
  res.redirect("https://example.com" + next) // REACHED
  res.redirect("https://example.com/" + next)
  if (next.startsWith("/")) res.redirect(next) // REACHED
  const url = new URL(next)
  if (url.hostname === "example.com") res.redirect(next)
  if (ALLOWED.includes(next)) res.redirect(next)
  const urls = { home: "/home" }
  res.redirect(urls[next])`)
  )
  holds(
    "in Python",
    flask(`    target = request.args.get("next")
    if request.args.get("a"):
        return redirect(target) # REACHED
    if is_safe_url(target):
        return redirect(target)
    return redirect("/home?next=" + target)`)
  )
})
