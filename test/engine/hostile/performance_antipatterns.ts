import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["copied_accumulator", "json_clone_in_loop", "filtered_to_find_one"],
    path: "a.js",
    text: (size) =>
      filled(
        size,
        "for (const b of bs) { a = [...a, b]; JSON.parse(JSON.stringify(b)); bs.filter((c) => c).length > 0; bs.reduce((d, e) => ({ ...d, [e]: e }), {}) }\n"
      )
  },
  {
    rules: ["sync_in_handler"],
    path: "b.js",
    text: (size) =>
      filled(size, 'app.get("/a", (q, s) => { fs.readFileSync("a") })\n', ['const app = require("express")()\n', ""])
  },
  {
    rules: ["list_head_in_loop", "copied_accumulator"],
    path: "a.py",
    text: (size) => filled(size, "  x.pop(0)\n  x = x + [y]\n", ["x = []\nwhile z:\n", ""])
  },
  {
    rules: ["string_built_in_loop", "regex_in_loop"],
    path: "a.go",
    text: (size) =>
      filled(size, 's += "a"; regexp.MustCompile("a")\n', ['package a\nfunc f() {\ns := ""\nfor {\n', "}\n}\n"])
  },
  {
    rules: ["string_built_in_loop", "map_searched_by_key"],
    path: "A.java",
    text: (size) =>
      filled(size, "for (K k : m.keySet()) { s += m.get(k); }\n", ['class A { void f() { String s = "";\n', "} }"])
  }
]
