import { filled, type WorstCase } from "../../support/worstCase.ts"

const shape = ["cognitive_complexity", "cognitive_complexity_extreme", "deep_nesting", "long_function"]

export const worstCases: ReadonlyArray<WorstCase> = [
  { rules: shape, path: "src/deep.ts", text: (size) => filled(size, "if (a) { \n", ["function f(a) { ", ""]) },
  {
    rules: shape,
    path: "src/long.ts",
    text: (size) => filled(size, "if (a && b || c) d()\n", ["function f(a) {\n", "}\n"])
  },
  {
    rules: shape,
    path: "src/chain.ts",
    text: (size) => filled(size, "else if (a) b()\n", ["function f(a) {\nif (a) b()\n", "}"])
  },
  {
    rules: shape,
    path: "src/logic.ts",
    text: (size) => filled(size, "a && b || \n", ["function f(a) { return ", "c }\n"])
  },
  { rules: shape, path: "src/inner.ts", text: (size) => filled(size, "function f() { if (a) { b() }\n") },
  { rules: shape, path: "src/functions.py", text: (size) => filled(size, "def f(a):\n    if a:\n        return b\n") },
  {
    rules: shape,
    path: "lib/chain.rb",
    text: (size) => filled(size, "elsif a\nb\n", ["def f\nif a\nb\n", "end\nend\n"])
  },
  { rules: shape, path: "src/calls.js", text: (size) => filled(size, "f();\n", ["function f() {", "}"]) },
  {
    rules: ["too_many_parameters"],
    path: "src/wide.ts",
    text: (size) => filled(size, "a: string, \n", ["function f(", "b) {}\n"])
  },
  {
    rules: ["too_many_parameters"],
    path: "src/many.go",
    text: (size) => filled(size, "func f(a, b, c, d, e, f, g, h, i int) {}\n", ["package a\n", ""])
  }
]
