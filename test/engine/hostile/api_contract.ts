import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["undeclared_path_parameter", "unused_path_parameter", "no_success_response", "operation_not_in_code"],
    path: "a.yaml",
    text: (size) => {
      const lines = Array.from(
        { length: Math.floor(size / 100) },
        (_, i) => `  /a${i}/{b}/{c}:\n    get: { parameters: [{ in: path, name: d }], responses: { 400: x } }\n`
      )
      return `openapi: 3.0.0\npaths:\n${lines.join("")}`
    }
  },
  {
    rules: ["dangling_reference", "undefined_required_property", "duplicate_operation_id"],
    path: "a.json",
    text: (size) => {
      const parts = Array.from(
        { length: Math.floor(size / 120) },
        (_, i) => `"A${i}": { "required": ["a", "b"], "properties": { "c": { "$ref": "#/components/schemas/B${i}" } } }`
      )
      return `{"openapi": "3.0.0",\n"paths": {},\n"components": { "schemas": {\n${parts.join(",\n")}\n} } }`
    }
  },
  {
    rules: ["colliding_paths", "undefined_security_scheme"],
    path: "b.yaml",
    text: (size) => filled(size, "  /a/{{{{b}:\n    get: { security: [{ a: [] }] }\n", ["openapi: 3.0.0\npaths:\n", ""])
  },
  {
    rules: ["route_not_in_spec", "unvalidated_body"],
    path: "a.js",
    text: (size) =>
      filled(size, 'app.post("/a", validate, f)\napp.post("/b", (req, res) => { save(req.body) })\n', [
        'const app = require("express")()\n',
        ""
      ])
  },
  { rules: ["colliding_paths"], path: "c.yaml", text: (size) => filled(size, "\n", ["", "openapi: 3.0.0"]) }
]
