/** A taint language by the few forms that the table of traps is written in. */
export interface Dialect {
  readonly name: string
  /** A request handler with these statements, and functions or methods beside it. */
  readonly file: (body: ReadonlyArray<string>, functions?: ReadonlyArray<string>) => Readonly<Record<string, string>>
  /** Untrusted text, and more of it. */
  readonly source: string
  readonly other: string
  readonly declare: (name: string, value: string) => string
  readonly assign: (name: string, value: string) => string
  readonly text: (text: string) => string
  readonly concat: (...parts: ReadonlyArray<string>) => string
  /** Statements that end in a sink, and the same without a comment to mark. */
  readonly sql: (value: string) => string
  readonly command: (value: string) => string
  readonly when: (condition: string, yes: ReadonlyArray<string>, no?: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly unknown: string
  readonly falsehood: string
  readonly not: (condition: string) => string
  readonly loop: (body: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly stop: string
  readonly fn: (name: string, parameters: ReadonlyArray<string>, body: ReadonlyArray<string>) => string
  readonly give: (value: string) => string
  readonly call: (name: string, ...args: ReadonlyArray<string>) => string
  readonly plain: (expression: string) => string
  readonly equals: (name: string, text: string) => string
  readonly among: (name: string) => string
  readonly matches: (name: string, pattern: string) => string
  readonly tidy: (name: string) => string
  readonly number: (name: string) => string
  readonly withoutQuote: (name: string) => string
  readonly html: (name: string) => string
  /** Quoting for a shell; null where the platform has none. */
  readonly shellQuoted: ((name: string) => string) | null
  readonly either: (condition: string, yes: string, no: string) => string
  readonly list: (name: string, ...items: ReadonlyArray<string>) => string
  readonly add: (name: string, item: string) => string
  readonly joined: (name: string) => string
  /** A map with one entry, its entry `k` written and read. */
  readonly map: (name: string) => string
  readonly put: (name: string, value: string) => string
  readonly read: (name: string) => string
  /** An object without contents, and its property. */
  readonly object: (name: string) => string
  readonly property: (name: string) => string
  /** A choice by a text, of which one case runs these statements. */
  readonly choose: (subject: string, body: ReadonlyArray<string>) => ReadonlyArray<string>
  /** What runs however a block is left; null where the language has none. */
  readonly lastly: ((body: ReadonlyArray<string>, last: ReadonlyArray<string>) => ReadonlyArray<string>) | null
  /** An assignment that runs only where, or only where not, the condition holds; null where it is no expression. */
  readonly onlyIf: ((condition: string, name: string, value: string) => string) | null
  readonly unlessSo: ((condition: string, name: string, value: string) => string) | null
  /** Null where the language has no exceptions. */
  readonly attempt: ((body: ReadonlyArray<string>) => ReadonlyArray<string>) | null
  /** A closure that runs these statements, and its call. */
  readonly closure: (name: string, body: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly run: (name: string) => string
  readonly reached: string
}

const indent = (lines: ReadonlyArray<string>, by: string): string => lines.map((line) => by + line).join("\n")

/** Forms that languages with braces share. */
const braces = (end: string, open = "(", close = ")") => ({
  concat: (...parts: ReadonlyArray<string>) => parts.join(" + "),
  text: (text: string) => `"${text}"`,
  assign: (name: string, value: string) => `${name} = ${value}${end}`,
  when: (condition: string, yes: ReadonlyArray<string>, no?: ReadonlyArray<string>) => [
    `if ${open}${condition}${close} {`,
    ...yes,
    ...(no === undefined ? [] : ["} else {", ...no]),
    "}"
  ],
  not: (condition: string) => `!${condition}`,
  stop: `return${end}`,
  give: (value: string) => `return ${value}${end}`,
  call: (name: string, ...args: ReadonlyArray<string>) => `${name}(${args.join(", ")})`,
  plain: (expression: string) => `${expression}${end}`,
  either: (condition: string, yes: string, no: string) => `${condition} ? ${yes} : ${no}`,
  falsehood: "false",
  property: (name: string) => `${name}.name`,
  choose: (subject: string, body: ReadonlyArray<string>) => [
    `switch (${subject}) {`,
    'case "x":',
    ...body,
    "break;",
    "}"
  ],
  lastly: (body: ReadonlyArray<string>, last: ReadonlyArray<string>) => ["try {", ...body, "} finally {", ...last, "}"],
  onlyIf: (condition: string, name: string, value: string) => `${condition} && (${name} = ${value})`,
  unlessSo: (condition: string, name: string, value: string) => `${condition} || (${name} = ${value})`,
  reached: " // REACHED"
})

export const javascript: Dialect = {
  ...braces(""),
  name: "JavaScript",
  onlyIf: (condition, name, value) => `const done = ${condition} && (${name} = ${value})`,
  unlessSo: (condition, name, value) => `const done = ${condition} || (${name} = ${value})`,
  object: (name) => `const ${name} = {}`,
  file: (body, functions = []) => ({
    "server/routes.js": `const { Pool } = require("pg")
const { exec } = require("child_process")
const he = require("he")
const shellQuote = require("shell-quote")
const db = new Pool()
${functions.join("\n")}
app.get("/x", (req, res) => {
${indent(body, "  ")}
})
`
  }),
  source: "req.query.a",
  other: "req.query.b",
  declare: (name, value) => `let ${name} = ${value}`,
  sql: (value) => `db.query("SELECT * FROM t WHERE a = '" + ${value} + "'")`,
  command: (value) => `exec("ls " + ${value})`,
  unknown: "config.flag",
  loop: (body) => ["for (let i = 0; i < 3; i++) {", ...body, "}"],
  fn: (name, parameters, body) => `function ${name}(${parameters.join(", ")}) {\n${body.join("\n")}\n}`,
  equals: (name, text) => `${name} === "${text}"`,
  among: (name) => `["a", "b"].includes(${name})`,
  matches: (name, pattern) => `/${pattern}/.test(${name})`,
  tidy: (name) => `${name}.trim().toLowerCase()`,
  number: (name) => `parseInt(${name}, 10)`,
  withoutQuote: (name) => `${name}.replace("'", "")`,
  html: (name) => `he.escape(${name})`,
  shellQuoted: (name) => `shellQuote.quote([${name}])`,
  list: (name, ...items) => `const ${name} = [${items.join(", ")}]`,
  add: (name, item) => `${name}.push(${item})`,
  joined: (name) => `${name}.join(" ")`,
  map: (name) => `const ${name} = { k: "fixed" }`,
  put: (name, value) => `${name}.k = ${value}`,
  read: (name) => `${name}.k`,
  attempt: (body) => ["try {", ...body, "} catch (error) {", "log(error)", "}"],
  closure: (name, body) => [`const ${name} = () => {`, ...body, "}"],
  run: (name) => `${name}()`
}

export const python: Dialect = {
  ...braces(""),
  name: "Python",
  object: (name) => `${name} = Box()`,
  choose: (subject, body) => [`match ${subject}:`, "{", 'case "x":', "{", ...body, "}", "}"],
  lastly: (body, last) => ["try:", "{", ...body, "}", "finally:", "{", ...last, "}"],
  onlyIf: (condition, name, value) => `${condition} and (${name} := ${value})`,
  unlessSo: (condition, name, value) => `${condition} or (${name} := ${value})`,
  file: (body, functions = []) => ({
    "web/app.py": `import html, os, shlex, sqlite3, re
from flask import Flask, request
app = Flask(__name__)
cur = sqlite3.connect("a").cursor()
${functions.join("\n")}
@app.route("/x")
def view():
${indent(blocks(body), "    ")}
`
  }),
  source: 'request.args["a"]',
  other: 'request.args["b"]',
  declare: (name, value) => `${name} = ${value}`,
  sql: (value) => `cur.execute("SELECT * FROM t WHERE a = '" + ${value} + "'")`,
  command: (value) => `os.system("ls " + ${value})`,
  when: (condition, yes, no) => [
    `if ${condition}:`,
    "{",
    ...yes,
    "}",
    ...(no === undefined ? [] : ["else:", "{", ...no, "}"])
  ],
  unknown: "config.flag",
  falsehood: "False",
  not: (condition) => `not ${condition}`,
  loop: (body) => ["for i in range(3):", "{", ...body, "}"],
  stop: "return",
  fn: (name, parameters, body) => `def ${name}(${parameters.join(", ")}):\n${indent(blocks(body), "    ")}`,
  equals: (name, text) => `${name} == "${text}"`,
  among: (name) => `${name} in ("a", "b")`,
  matches: (name, pattern) => `re.match(r"${pattern}", ${name})`,
  tidy: (name) => `${name}.strip().lower()`,
  number: (name) => `str(int(${name}))`,
  withoutQuote: (name) => `${name}.replace("'", "", 1)`,
  html: (name) => `html.escape(${name})`,
  shellQuoted: (name) => `shlex.quote(${name})`,
  either: (condition, yes, no) => `(${yes} if ${condition} else ${no})`,
  list: (name, ...items) => `${name} = [${items.join(", ")}]`,
  add: (name, item) => `${name}.append(${item})`,
  joined: (name) => `" ".join(${name})`,
  map: (name) => `${name} = {"k": "fixed"}`,
  put: (name, value) => `${name}["k"] = ${value}`,
  read: (name) => `${name}["k"]`,
  attempt: (body) => ["try:", "{", ...body, "}", "except ValueError:", "{", "pass", "}"],
  closure: (name, body) => [`def ${name}():`, "{", ...body, "}"],
  run: (name) => `${name}()`,
  reached: " # REACHED"
}

/** Braces of lines by themselves become depth. */
const blocks = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const out: Array<string> = []
  let depth = 0
  for (const line of lines.flatMap((text) => text.split("\n"))) {
    if (line === "{") depth++
    else if (line === "}") depth--
    else out.push("    ".repeat(depth) + line)
  }
  return out
}

export const go: Dialect = {
  ...braces("", "", ""),
  name: "Go",
  object: (name) => `${name} := Box{}`,
  choose: (subject, body) => [`switch ${subject} {`, 'case "x":', ...body, "}"],
  lastly: null,
  onlyIf: null,
  unlessSo: null,
  file: (body, functions = []) => ({
    "api/x.go": `package api
import ("database/sql"; "html"; "net/http"; "os/exec"; "regexp"; "slices"; "strconv"; "strings")
var word = regexp.MustCompile("^[a-z]+$")
var db *sql.DB
${functions.join("\n")}
func Handle(w http.ResponseWriter, r *http.Request, db *sql.DB) {
${indent(body, "\t")}
}
`
  }),
  source: 'r.FormValue("a")',
  other: 'r.FormValue("b")',
  declare: (name, value) => `${name} := ${value}`,
  sql: (value) => `db.Query("SELECT * FROM t WHERE a = '" + ${value} + "'")`,
  command: (value) => `exec.Command("sh", "-c", "ls " + ${value}).Run()`,
  unknown: "config.Flag",
  loop: (body) => ["for i := 0; i < 3; i++ {", ...body, "}"],
  fn: (name, parameters, body) =>
    `func ${name}(${parameters.map((parameter) => `${parameter} string`).join(", ")}) string {\n${body.join("\n")}\n}`,
  equals: (name, text) => `${name} == "${text}"`,
  among: (name) => `slices.Contains([]string{"a", "b"}, ${name})`,
  matches: (name, pattern) => `regexp.MustCompile("${pattern}").MatchString(${name})`,
  tidy: (name) => `strings.ToLower(strings.TrimSpace(${name}))`,
  number: (name) => `strconv.Itoa(parsed(${name}))`,
  withoutQuote: (name) => `strings.Replace(${name}, "'", "", 1)`,
  html: (name) => `html.EscapeString(${name})`,
  shellQuoted: null,
  list: (name, ...items) => `${name} := []string{${items.join(", ")}}`,
  add: (name, item) => `${name} = append(${name}, ${item})`,
  joined: (name) => `strings.Join(${name}, " ")`,
  map: (name) => `${name} := map[string]string{"k": "fixed"}`,
  put: (name, value) => `${name}["k"] = ${value}`,
  read: (name) => `${name}["k"]`,
  either: (condition, yes, no) => `pick(${condition}, ${yes}, ${no})`,
  attempt: null,
  closure: (name, body) => [`${name} := func() {`, ...body, "}"],
  run: (name) => `${name}()`
}

export const java: Dialect = {
  ...braces(";"),
  name: "Java",
  object: (name) => `Box ${name} = new Box();`,
  onlyIf: (condition, name, value) => `boolean done = ${condition} && (${name} = ${value}) != null`,
  unlessSo: (condition, name, value) => `boolean done = ${condition} || (${name} = ${value}) != null`,
  file: (body, functions = []) => ({
    "src/X.java": `import java.sql.*;
import java.util.*;
import javax.servlet.http.*;
class X extends HttpServlet {
  Statement db;
${functions.join("\n")}
  void doGet(HttpServletRequest req, HttpServletResponse res) throws Exception {
${indent(body, "    ")}
  }
}
`
  }),
  source: 'req.getParameter("a")',
  other: 'req.getParameter("b")',
  declare: (name, value) => `String ${name} = ${value};`,
  sql: (value) => `db.executeQuery("SELECT * FROM t WHERE a = '" + ${value} + "'");`,
  command: (value) => `Runtime.getRuntime().exec("ls " + ${value});`,
  unknown: "config.flag()",
  loop: (body) => ["for (int i = 0; i < 3; i++) {", ...body, "}"],
  fn: (name, parameters, body) =>
    `  private String ${name}(${parameters.map((parameter) => `String ${parameter}`).join(", ")}) throws Exception {\n${body.join("\n")}\n}`,
  equals: (name, text) => `"${text}".equals(${name})`,
  among: (name) => `List.of("a", "b").contains(${name})`,
  matches: (name, pattern) => `${name}.matches("${pattern}")`,
  tidy: (name) => `${name}.trim().toLowerCase()`,
  number: (name) => `Integer.parseInt(${name})`,
  withoutQuote: (name) => `${name}.replaceFirst("'", "")`,
  html: (name) => `HtmlUtils.htmlEscape(${name})`,
  shellQuoted: null,
  list: (name, ...items) => `List<String> ${name} = new ArrayList<>(List.of(${items.join(", ")}));`,
  add: (name, item) => `${name}.add(${item});`,
  joined: (name) => `String.join(" ", ${name})`,
  map: (name) => `Map<String, String> ${name} = new HashMap<>(); ${name}.put("k", "fixed");`,
  put: (name, value) => `${name}.put("k", ${value});`,
  read: (name) => `${name}.get("k")`,
  attempt: (body) => ["try {", ...body, "} catch (Exception e) {", "log(e);", "}"],
  closure: (name, body) => [`Runnable ${name} = () -> {`, ...body, "};"],
  run: (name) => `${name}.run();`
}

const variables = (expression: string): string => expression

export const php: Dialect = {
  ...braces(";"),
  name: "PHP",
  object: (name) => `${name} = new Box();`,
  property: (name) => `${name}->name`,
  file: (body, functions = []) => ({
    "web/x.php": `<?php
${functions.join("\n")}
function handle(mysqli $db) {
${indent(body, "  ")}
}
`
  }),
  source: "$_GET['a']",
  other: "$_GET['b']",
  concat: (...parts) => parts.map(variables).join(" . "),
  declare: (name, value) => `${name} = ${value};`,
  sql: (value) => `$db->query("SELECT * FROM t WHERE a = '" . ${value} . "'");`,
  command: (value) => `exec("ls " . ${value});`,
  unknown: "$config->flag",
  loop: (body) => ["for ($i = 0; $i < 3; $i++) {", ...body, "}"],
  fn: (name, parameters, body) => `function ${name}(${parameters.join(", ")}) {\n${body.join("\n")}\n}`,
  equals: (name, text) => `${name} === "${text}"`,
  among: (name) => `in_array(${name}, ["a", "b"], true)`,
  matches: (name, pattern) => `preg_match('/${pattern}/', ${name})`,
  tidy: (name) => `strtolower(trim(${name}))`,
  number: (name) => `intval(${name})`,
  withoutQuote: (name) => `preg_replace("/'/", "", ${name}, 1)`,
  html: (name) => `htmlspecialchars(${name})`,
  shellQuoted: (name) => `escapeshellarg(${name})`,
  list: (name, ...items) => `${name} = [${items.join(", ")}];`,
  add: (name, item) => `${name}[] = ${item};`,
  joined: (name) => `implode(" ", ${name})`,
  map: (name) => `${name} = ["k" => "fixed"];`,
  put: (name, value) => `${name}["k"] = ${value};`,
  read: (name) => `${name}["k"]`,
  attempt: (body) => ["try {", ...body, "} catch (Exception $e) {", "log_it($e);", "}"],
  closure: (name, body) => [`${name} = function () use ($a, $db) {`, ...body, "};"],
  run: (name) => `${name}();`
}

export const ruby: Dialect = {
  ...braces(""),
  name: "Ruby",
  object: (name) => `${name} = Box.new`,
  property: (name) => `${name}.name`,
  choose: (subject, body) => [`case ${subject}`, 'when "x"', ...body, "end"],
  lastly: (body, last) => ["begin", ...body, "ensure", ...last, "end"],
  onlyIf: (condition, name, value) => `${condition} && (${name} = ${value})`,
  unlessSo: (condition, name, value) => `${condition} || (${name} = ${value})`,
  file: (body, functions = []) => ({
    "app/controllers/x_controller.rb": `class XController < ApplicationController
  def show
${indent(body, "    ")}
  end

${functions.join("\n")}
end
`
  }),
  source: "params[:a]",
  other: "params[:b]",
  declare: (name, value) => `${name} = ${value}`,
  sql: (value) => `User.where("name = '" + ${value} + "'")`,
  command: (value) => `system("ls " + ${value})`,
  when: (condition, yes, no) => [`if ${condition}`, ...yes, ...(no === undefined ? [] : ["else", ...no]), "end"],
  unknown: "config.flag",
  loop: (body) => ["3.times do |i|", ...body, "end"],
  fn: (name, parameters, body) => `def ${name}(${parameters.join(", ")})\n${body.join("\n")}\nend`,
  give: (value) => value,
  equals: (name, text) => `${name} == "${text}"`,
  among: (name) => `%w[a b].include?(${name})`,
  matches: (name, pattern) => `${name}.match?(/${pattern.replace(/^\^/, "\\A").replace(/\$$/, "\\z")}/)`,
  tidy: (name) => `${name}.strip.downcase`,
  number: (name) => `${name}.to_i.to_s`,
  withoutQuote: (name) => `${name}.sub("'", "")`,
  html: (name) => `ERB::Util.html_escape(${name})`,
  shellQuoted: (name) => `Shellwords.escape(${name})`,
  list: (name, ...items) => `${name} = [${items.join(", ")}]`,
  add: (name, item) => `${name} << ${item}`,
  joined: (name) => `${name}.join(" ")`,
  map: (name) => `${name} = { "k" => "fixed" }`,
  put: (name, value) => `${name}["k"] = ${value}`,
  read: (name) => `${name}["k"]`,
  attempt: (body) => ["begin", ...body, "rescue ArgumentError => e", "log(e)", "end"],
  closure: (name, body) => [`${name} = -> {`, ...body, "}"],
  run: (name) => `${name}.call`,
  reached: " # REACHED"
}

export const csharp: Dialect = {
  ...braces(";"),
  name: "C#",
  object: (name) => `var ${name} = new Box();`,
  property: (name) => `${name}.Name`,
  onlyIf: (condition, name, value) => `var done = ${condition} && (${name} = ${value}) != null`,
  unlessSo: (condition, name, value) => `var done = ${condition} || (${name} = ${value}) != null`,
  file: (body, functions = []) => ({
    "Web/XController.cs": `using Microsoft.AspNetCore.Mvc;
public class XController : Controller
{
  private readonly SqlConnection connection;
${functions.join("\n")}
  [HttpGet]
  public void Show(string first, string second)
  {
${indent(body, "    ")}
  }
}
`
  }),
  source: "first",
  other: "second",
  declare: (name, value) => `var ${name} = ${value};`,
  sql: (value) => `new SqlCommand("SELECT * FROM t WHERE a = '" + ${value} + "'", connection);`,
  command: (value) => `Process.Start("cmd.exe", "/c dir " + ${value});`,
  unknown: "config.Flag",
  loop: (body) => ["for (int i = 0; i < 3; i++) {", ...body, "}"],
  fn: (name, parameters, body) =>
    `  private string ${name}(${parameters.map((parameter) => `string ${parameter}`).join(", ")})\n{\n${body.join("\n")}\n}`,
  equals: (name, text) => `${name} == "${text}"`,
  among: (name) => `new[] { "a", "b" }.Contains(${name})`,
  matches: (name, pattern) => `Regex.IsMatch(${name}, "${pattern}")`,
  tidy: (name) => `${name}.Trim().ToLower()`,
  number: (name) => `int.Parse(${name})`,
  withoutQuote: (name) => `${name}.Remove(${name}.IndexOf("'"), 1)`,
  html: (name) => `WebUtility.HtmlEncode(${name})`,
  shellQuoted: null,
  list: (name, ...items) => `var ${name} = new List<string> { ${items.join(", ")} };`,
  add: (name, item) => `${name}.Add(${item});`,
  joined: (name) => `string.Join(" ", ${name})`,
  map: (name) => `var ${name} = new Dictionary<string, string> { ["k"] = "fixed" };`,
  put: (name, value) => `${name}["k"] = ${value};`,
  read: (name) => `${name}["k"]`,
  attempt: (body) => ["try {", ...body, "} catch (Exception e) {", "Log(e);", "}"],
  closure: (name, body) => [`Action ${name} = () => {`, ...body, "};"],
  run: (name) => `${name}();`
}

export const dialects: ReadonlyArray<Dialect> = [javascript, python, go, java, php, ruby, csharp]
