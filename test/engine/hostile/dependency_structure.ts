import { filled, type WorstCase } from "../../support/worstCase.ts"

const rules = [
  "import_cycle",
  "import_cycle_at_load",
  "package_cycle",
  "undeclared_dependency",
  "undeclared_distribution",
  "layer_inversion",
  "hub_module",
  "library_migration",
  "api_migration",
  "module_system_migration",
  "test_framework_migration"
]

export const worstCases: ReadonlyArray<WorstCase> = [
  { rules, path: "src/imports.ts", text: (size) => filled(size, 'import { a } from "./b.ts"\n') },
  { rules, path: "src/names.ts", text: (size) => filled(size, "a, \n", ["import { ", 'b } from "./c.ts"\n']) },
  { rules, path: "src/old.js", text: (size) => filled(size, "new Buffer(url.parse(a)); fs.readFile(a, cb)\n") },
  { rules, path: "src/exports.js", text: (size) => filled(size, "module.exports\n exports.a\n") },
  { rules, path: "app/old.py", text: (size) => filled(size, "a.b.c.logger.warn(x: list[\n") },
  { rules, path: "src/requires.js", text: (size) => filled(size, 'function f() { try { require("a") } catch {} }\n') },
  { rules, path: "src/nested.js", text: (size) => filled(size, "require(\n", ["const a = ", '"b"']) },
  { rules, path: "src/used.ts", text: (size) => filled(size, "a(b);\n", ['import { a, b } from "./c.ts"\n', ""]) },
  { rules, path: "src/types.ts", text: (size) => filled(size, "let x: A;\n", ['import { A } from "./c.ts"\n', ""]) },
  { rules, path: "src/exports.ts", text: (size) => filled(size, 'export * from "./b.ts"\n') },
  { rules, path: "app/a.py", text: (size) => filled(size, "from .a import b\n") },
  { rules, path: "app/dots.py", text: (size) => filled(size, ".\n", ["from ", " import a\n"]) },
  { rules, path: "app/names.py", text: (size) => filled(size, "a, \n", ["from b import (", "c)\n"]) },
  { rules, path: "go/a.go", text: (size) => filled(size, '"a/b"; \n', ["package a\nimport (", ")\n"]) },
  { rules, path: "src/A.java", text: (size) => filled(size, "import a.b.C;\n", ["package a;\n", "class A {}\n"]) },
  { rules, path: "lib/a.rb", text: (size) => filled(size, 'require_relative "b"\n') },
  { rules, path: "src/a.rs", text: (size) => filled(size, "use crate::a::{b, \n", ["", ""]) },
  { rules, path: "src/A.cs", text: (size) => filled(size, "using A.B;\n", ["", "namespace C { class A { } }\n"]) }
]
