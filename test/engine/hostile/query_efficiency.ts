import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["query_in_loop", "unbounded_list_route"],
    path: "a.js",
    text: (size) =>
      filled(size, "for (const o of os) { const b = o.b; await Order.findByPk(b); await Order.findAll() }\n", [
        'import { Order } from "./models"\nconst app = require("express")()\napp.get("/", async () => {\n',
        "})\n"
      ])
  },
  {
    rules: ["query_in_loop"],
    path: "b.js",
    text: (size) =>
      filled(size, "await Order.findByPk(o); const x = 1;\n", [
        'import { Order } from "./models"\nfor (const o of os) {\n',
        "}\n"
      ])
  },
  {
    rules: ["filter_in_memory", "rows_loaded_to_count"],
    path: "a.py",
    text: (size) => filled(size, "x = [o for o in A.objects.all() if o.a]; len(A.objects.all())\n")
  },
  {
    rules: ["filter_in_memory"],
    path: "a.rb",
    text: (size) => filled(size, "Order.all.select { |a| a.b.c.d.e }\n")
  },
  {
    rules: ["columns_by_position"],
    path: "a.go",
    text: (size) => filled(size, 'db.Query("SELECT * FROM a")\n', ["package a\nfunc f() {\n", "}\n"])
  }
]
