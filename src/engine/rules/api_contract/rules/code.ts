import { ruleSet } from "../../../core/tool/AuditTool.ts"

/** Differences between the document and the code, and bodies that the code does not check. */
export const codeRules = ruleSet({
  route_not_in_spec: {
    languages: ["javascript", "python"],
    title: "API contract drift: undocumented endpoint",
    description:
      "The description covers most routes of this program, so its readers take it to be complete. This route is " +
      "not in it: clients cannot know of it, and nothing that is generated from the description checks or " +
      "limits it. Describe it, or mark it as internal.",
    example: {
      path: "src/orders.js",
      bad: `const router = require("express").Router()

router.get("/api/orders", list)
router.post("/api/orders", validate(order), create)
router.get("/api/orders/:id", show)
router.put("/api/orders/:id", validate(order), replace)
router.delete("/api/orders/:id", remove)
router.get("/api/orders/:id/lines", lines)
`,
      good: `const router = require("express").Router()

router.get("/api/orders", list)
router.post("/api/orders", validate(order), create)
router.get("/api/orders/:id", show)
router.put("/api/orders/:id", validate(order), replace)
router.delete("/api/orders/:id", remove)
`,
      besides: {
        "openapi.yaml": `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /api/orders:
    get: { responses: { "200": { description: ok } } }
    post: { responses: { "201": { description: ok } } }
  /api/orders/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get: { responses: { "200": { description: ok } } }
    put: { responses: { "200": { description: ok } } }
    delete: { responses: { "204": { description: ok } } }
`
      }
    },
    cwe: [1059],
    confidence: 0.62,
    effort: "small",
    risk: "low"
  },
  operation_not_in_code: {
    languages: ["yaml"],
    title: "API contract drift: operation without a route",
    description:
      "Most of the description matches the routes of the code, and this operation has none there: anyone who calls " +
      "it gets 404. Remove it, or restore the route.",
    example: {
      path: "openapi.yaml",
      bad: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /api/orders:
    get: { responses: { "200": { description: ok } } }
    post: { responses: { "201": { description: ok } } }
  /api/orders/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get: { responses: { "200": { description: ok } } }
    put: { responses: { "200": { description: ok } } }
    delete: { responses: { "204": { description: ok } } }
    patch: { responses: { "200": { description: ok } } }
`,
      good: `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /api/orders:
    get: { responses: { "200": { description: ok } } }
    post: { responses: { "201": { description: ok } } }
  /api/orders/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get: { responses: { "200": { description: ok } } }
    put: { responses: { "200": { description: ok } } }
    delete: { responses: { "204": { description: ok } } }
`,
      besides: {
        "src/orders.js": `const router = require("express").Router()

router.get("/api/orders", list)
router.post("/api/orders", validate(order), create)
router.get("/api/orders/:id", show)
router.put("/api/orders/:id", validate(order), replace)
router.delete("/api/orders/:id", remove)
`
      }
    },
    cwe: [1059],
    confidence: 0.6,
    effort: "small",
    risk: "low",
    inTests: "report"
  },
  unvalidated_body: {
    languages: ["javascript"],
    title: "Missing input validation of a request body",
    description:
      "The handlers beside this one pass the body through a schema first; this one takes whatever comes, so a " +
      "missing field or a wrong type fails somewhere deeper or is stored. Add the same check.",
    example: {
      path: "src/tags.js",
      bad: `const router = require("express").Router()

router.post("/internal/notes", validate(note), (req, res) => save(req.body, res))
router.put("/internal/notes/:id", validate(note), (req, res) => save(req.body, res))
router.patch("/internal/notes/:id", validate(note), (req, res) => save(req.body, res))
router.post("/internal/tags", (req, res) => save(req.body, res))
`,
      good: `const router = require("express").Router()

router.post("/internal/notes", validate(note), (req, res) => save(req.body, res))
router.put("/internal/notes/:id", validate(note), (req, res) => save(req.body, res))
router.patch("/internal/notes/:id", validate(note), (req, res) => save(req.body, res))
router.post("/internal/tags", validate(tag), (req, res) => save(req.body, res))
`
    },
    cwe: [20],
    confidence: 0.64,
    effort: "small",
    risk: "low"
  }
})
