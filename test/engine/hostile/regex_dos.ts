import { filled, type WorstCase } from "../../support/worstCase.ts"

const inHandler: readonly [string, string] = ["app.get('/', (req, res) => {\n", "})"]

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["exponential_regex"],
    path: "src/a.js",
    text: (size) => filled(size, "/^(a+)+$/.test(x)\n", ["export function f(x) {\n", "}"])
  },
  {
    rules: ["exponential_regex"],
    path: "src/a.js",
    text: (size) => filled(size, "(a*)*", ["export const f = (x) => /", "/.test(x)"])
  },
  {
    rules: ["exponential_regex"],
    path: "src/a.js",
    text: (size) => filled(size, "(", ["export const f = (x) => x.match(/", "a+)+/)"])
  },
  {
    rules: ["exponential_regex"],
    path: "src/a.js",
    text: (size) => filled(size, "r = r\n", ["export const f = (x) => { r = /(a+)+/\n", "r.test(x) }"])
  },
  {
    rules: ["exponential_regex"],
    path: "src/a.js",
    text: (size) =>
      Array.from(
        { length: Math.floor(size / 1_600) },
        (_, i) => `x.match(/^(?:${"a?".repeat(700 + (i % 90))})*$/)\n`
      ).join("")
  },
  {
    rules: ["polynomial_regex_in_library"],
    path: "src/a.js",
    text: (size) => filled(size, "x = x.replace(/\\s+$/, '')\n", ["export function f(x) {\n", "}"])
  },
  {
    rules: ["polynomial_regex_in_library"],
    path: "src/a.js",
    text: (size) =>
      filled(size, "y = y + y.split('b')\ny.replace(/\\s+$/, '')\n", ["export function f(x) {\nlet y = x\n", "}"])
  },
  {
    rules: ["polynomial_regex", "regex_from_input"],
    path: "src/a.js",
    text: (size) => filled(size, "x = x\nnew RegExp(x)\nx.replace(/\\s+$/, '')\n", inHandler)
  },
  {
    rules: ["exponential_regex_on_request"],
    path: "src/a.js",
    text: (size) => filled(size, "/^(a+)+$/.test(req.query.a)\n", inHandler)
  },
  {
    rules: ["polynomial_regex"],
    path: "src/a.js",
    text: (size) =>
      `app.get('/', (req, res) => {\n${Array.from(
        { length: Math.floor(size / 240) },
        (_, i) => `req.query.a.match(/a*b*${"c*d?[a-z]*".repeat(18)}${i}x/)\n`
      ).join("")}})`
  },
  {
    rules: ["regex_from_input"],
    path: "src/a.php",
    text: (size) => filled(size, "preg_match($_GET['a'], $b);\n", ["<?php ", ""])
  }
]
