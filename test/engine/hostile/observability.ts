import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["print_beside_logger"],
    path: "a.py",
    text: (size) => filled(size, "    if a:\n        print(a)\n", ["logger.info(1)\ndef f():\n", ""])
  },
  {
    rules: ["exception_without_cause"],
    path: "a.js",
    text: (size) => filled(size, "try { f() } catch (e) { logger.error(e.message + a)\n", ["", ""])
  },
  {
    rules: ["exception_without_cause"],
    path: "a.go",
    text: (size) => filled(size, "if err != nil { log.Println(a)\n", ["package a\nfunc f() {\n", ""])
  },
  {
    rules: ["no_health_route"],
    path: "b.js",
    text: (size) => filled(size, 'app.get("/a", f)\n', ['const app = require("express")()\n', ""])
  }
]
