import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  unguarded_mutation: {
    languages: ["csharp", "java", "javascript", "python", "ruby"],
    title: "Missing authorization on a route that changes data",
    description:
      "Anyone can call this route and change data. The other routes of this router or controller that change data have " +
      "an authorization guard, and this one has none; usually it was added later and the guard forgotten. Add the guard, " +
      "or, if the route is public, declare that in the code as the framework allows.",
    example: {
      path: "web/orders.js",
      bad: `const router = require("express").Router()

router.post("/orders", requireAuth, create)
router.put("/orders/:id", requireAuth, update)
router.patch("/orders/:id/notes", requireAuth, annotate)
router.delete("/orders/:id", remove)
`,
      good: `const router = require("express").Router()

router.post("/orders", requireAuth, create)
router.put("/orders/:id", requireAuth, update)
router.patch("/orders/:id/notes", requireAuth, annotate)
router.delete("/orders/:id", requireAuth, remove)
`
    },
    cwe: [862],
    confidence: 0.66,
    effort: "small",
    risk: "medium"
  },
  unguarded_admin_route: {
    languages: ["javascript", "python"],
    title: "Missing authorization on an administration route",
    description:
      "Anyone who knows or guesses the URL can use this administration route. The other administration routes of this " +
      "router require permissions, and this one does not. Put the guard in front of the whole router rather than on each " +
      "route.",
    example: {
      path: "web/admin.js",
      bad: `const router = require("express").Router()

router.get("/admin/users", requireAdmin, users)
router.get("/admin/orders", requireAdmin, orders)
router.get("/admin/reports", requireAdmin, reports)
router.get("/admin/export", dump)
`,
      good: `const router = require("express").Router()

router.get("/admin/users", requireAdmin, users)
router.get("/admin/orders", requireAdmin, orders)
router.get("/admin/reports", requireAdmin, reports)
router.get("/admin/export", requireAdmin, dump)
`
    },
    cwe: [862],
    confidence: 0.66,
    effort: "small",
    risk: "medium"
  },
  object_without_owner: {
    languages: ["csharp", "java", "javascript", "python", "ruby"],
    title: "Missing object-level authorization (IDOR)",
    description:
      "A caller reads or changes objects of other users by guessing their keys. The other handlers look the object up " +
      "together with its owner or tenant, and this one by its key alone. Add the owner to the query, as the others do.",
    example: {
      path: "web/orders.js",
      bad: `const router = require("express").Router()

router.get("/orders/:id", requireAuth, async (req, res) => {
  res.json(await Order.findOne({ _id: req.params.id, owner: req.user.id }))
})
router.get("/orders/:id/lines", requireAuth, async (req, res) => {
  res.json((await Order.findOne({ _id: req.params.id, owner: req.user.id })).lines)
})
router.get("/orders/:id/invoice", requireAuth, async (req, res) => {
  res.json((await Order.findById(req.params.id)).invoice)
})
`,
      good: `const router = require("express").Router()

router.get("/orders/:id", requireAuth, async (req, res) => {
  res.json(await Order.findOne({ _id: req.params.id, owner: req.user.id }))
})
router.get("/orders/:id/lines", requireAuth, async (req, res) => {
  res.json((await Order.findOne({ _id: req.params.id, owner: req.user.id })).lines)
})
router.get("/orders/:id/invoice", requireAuth, async (req, res) => {
  res.json((await Order.findOne({ _id: req.params.id, owner: req.user.id })).invoice)
})
`
    },
    cwe: [639],
    confidence: 0.64,
    effort: "small",
    risk: "medium"
  },
  mass_assignment: {
    languages: ["csharp", "java", "javascript", "python", "ruby"],
    title: "Mass assignment",
    description:
      "A caller who adds `role`, `isAdmin` or `ownerId` to a request sets that field, too. The whole body of the request " +
      "becomes the record, so fields added to the model later are open as well. Name the fields that a caller may set: " +
      "pick them, use a separate type for the request, or permit an allowlist.",
    example: {
      path: "web/users.js",
      bad: `const { User } = require("./models")
const router = require("express").Router()

router.post("/users", requireAuth, async (req, res) => {
  res.json(await User.create(req.body))
})
`,
      good: `const { User } = require("./models")
const router = require("express").Router()

router.post("/users", requireAuth, async (req, res) => {
  const { name, email } = req.body
  res.json(await User.create({ name, email }))
})
`
    },
    cwe: [915],
    confidence: 0.66,
    effort: "small",
    risk: "medium",
    priority: "P2"
  }
})

export type RuleId = keyof typeof rules
