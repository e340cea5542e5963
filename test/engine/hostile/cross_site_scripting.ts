import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["untrusted_html"],
    path: "src/a.js",
    text: (size) =>
      filled(size, "res.send(x + req.query.a)\nx += req.query.b\n", ["app.get('/', (req, res) => {\n", "})"])
  },
  {
    rules: ["untrusted_html"],
    path: "src/a.php",
    text: (size) => filled(size, "echo $_GET['a'] . $x;\n", ["<?php\n", ""])
  },
  { rules: ["untrusted_html"], path: "src/a.php", text: (size) => filled(size, "echo ", ["<?php\n", ""]) },
  { rules: ["untrusted_html"], path: "src/a.php", text: (size) => filled(size, "<?= $_GET['a'] ?>\n") },
  {
    rules: ["untrusted_html"],
    path: "src/a.py",
    text: (size) =>
      filled(size, "    if x: return f'<b>{a}</b>'\n", [
        "from flask import request\n@app.route('/')\ndef f():\n    a = request.args['a']\n",
        ""
      ])
  },
  {
    rules: ["untrusted_markup"],
    path: "src/a.py",
    text: (size) => filled(size, "x = Markup(x + request.args['a'])\n", ["from flask import Markup, request\n", ""])
  },
  {
    rules: ["dom_injection"],
    path: "src/a.js",
    text: (size) => filled(size, "a.innerHTML += location.hash\n")
  },
  {
    rules: ["dom_injection"],
    path: "src/a.js",
    text: (size) => filled(size, 'addEventListener("message", (e) => { a.innerHTML = e.data\n')
  },
  {
    rules: ["unescaped_prop"],
    path: "src/a.jsx",
    text: (size) => filled(size, "x = x\na = <p dangerouslySetInnerHTML={{ __html: x }} />\n")
  },
  {
    rules: ["autoescape_off"],
    path: "src/a.js",
    text: (size) => filled(size, "autoescape: false, ", ['nunjucks.configure("a.html", {', "})"])
  },
  { rules: ["unescaped_template_value"], path: "views/a.ejs", text: (size) => filled(size, "<%- comment.text ") },
  { rules: ["unescaped_template_value"], path: "views/a.hbs", text: (size) => filled(size, "{{{ params[ ") },
  { rules: ["unescaped_template_value"], path: "views/a.twig", text: (size) => filled(size, "{{ params[a]|raw ") },
  { rules: ["unescaped_template_value"], path: "views/a.erb", text: (size) => filled(size, "<%= raw ") },
  { rules: ["raw_template_output"], path: "views/a.jsp", text: (size) => filled(size, "<c:out value='${param.") },
  { rules: ["raw_template_output"], path: "views/a.haml", text: (size) => filled(size, "%a.b{c != d = raw e\n") },
  { rules: ["raw_template_output"], path: "views/a.cshtml", text: (size) => filled(size, "@Html.Raw(a(") },
  { rules: ["request_in_template"], path: "views/a.ejs", text: (size) => filled(size, "<%- req.query.a %>\n") },
  {
    rules: ["request_in_template"],
    path: "src/a.js",
    text: (size) => filled(size, "res.render('a', { a: req.query.a, b })\n", ["app.get('/', (req, res) => {\n", "})"])
  },
  {
    rules: ["markup_from_caller"],
    path: "src/a.js",
    text: (size) => filled(size, "a.innerHTML = '<b>' + x\n", ["export const f = (a, x) => {\n", "}"])
  }
]
