import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  prototype_pollution_merge: {
    languages: ["javascript"],
    title: "Prototype pollution: recursive merge",
    description:
      "An attacker adds properties to every object of the program, which switches options on, breaks requests or runs " +
      "code. A function that copies keys recursively follows `__proto__` into the prototype that all objects share. Skip " +
      "the keys `__proto__`, `constructor` and `prototype`, or only follow keys that the target owns.",
    example: {
      path: "lib/merge.js",
      bad: `module.exports = function merge(target, source) {
  for (const key in source) {
    if (typeof source[key] === "object") target[key] = merge(target[key] || {}, source[key])
    else target[key] = source[key]
  }
  return target
}
`,
      good: `module.exports = function merge(target, source) {
  for (const key in source) {
    if (key === "__proto__" || key === "constructor" || key === "prototype") continue
    if (typeof source[key] === "object") target[key] = merge(target[key] || {}, source[key])
    else target[key] = source[key]
  }
  return target
}
`
    },
    cwe: [1321],
    confidence: 0.68,
    priority: "P2",
    effort: "small",
    risk: "low"
  },
  prototype_pollution_path: {
    languages: ["javascript"],
    title: "Prototype pollution: property set by a path of keys",
    description:
      "An attacker adds properties to every object of the program, which switches options on, breaks requests or runs " +
      "code. A function that follows a path of keys reaches the prototype that all objects share through `__proto__` or " +
      "`constructor.prototype`. Reject these keys, or only follow keys that the object owns.",
    example: {
      path: "lib/set.js",
      bad: `exports.set = (object, path, value) => {
  const keys = path.split(".")
  const last = keys.pop()
  for (const key of keys) object = object[key] = object[key] || {}
  object[last] = value
}
`,
      good: `const unsafe = new Set(["__proto__", "constructor", "prototype"])

exports.set = (object, path, value) => {
  const keys = path.split(".")
  if (keys.some((key) => unsafe.has(key))) throw new Error("The path holds a key that is not allowed.")
  const last = keys.pop()
  for (const key of keys) object = object[key] = object[key] || {}
  object[last] = value
}
`
    },
    cwe: [1321],
    confidence: 0.68,
    priority: "P2",
    effort: "small",
    risk: "low"
  },
  prototype_pollution_list_key: {
    languages: ["javascript"],
    title: "Prototype pollution: check of keys bypassed by a list",
    description:
      "An attacker adds properties to every object of the program although keys are checked. The function compares each " +
      'key with `__proto__` by `===`, and a path may be a list from a parsed document: `["__proto__"]` is a list, equals ' +
      "no text, and becomes `__proto__` when it is used as a key. Make every key a text before it is compared, or reject " +
      "keys that are none.",
    example: {
      path: "lib/set.js",
      bad: `const isUnsafe = (key) => key === "__proto__" || key === "constructor" || key === "prototype"

exports.set = (object, path, value) => {
  const keys = Array.isArray(path) ? path : path.split(".")
  const last = keys.pop()
  for (const key of keys) {
    if (isUnsafe(key)) return
    object = object[key] = object[key] || {}
  }
  object[last] = value
}
`,
      good: `const isUnsafe = (key) => key === "__proto__" || key === "constructor" || key === "prototype"

exports.set = (object, path, value) => {
  const keys = (Array.isArray(path) ? path : path.split(".")).map(String)
  const last = keys.pop()
  for (const key of keys) {
    if (isUnsafe(key)) return
    object = object[key] = object[key] || {}
  }
  object[last] = value
}
`
    },
    cwe: [1321, 843],
    confidence: 0.6,
    priority: "P2",
    effort: "small",
    risk: "low"
  },
  prototype_pollution_decoded: {
    languages: ["javascript"],
    title: "Prototype pollution: keys of decoded data set on an object",
    description:
      "Anyone who writes the data decides what the decoded object inherits: checks such as `result.isAdmin` read properties " +
      "that are none of its own. A decoder sets keys of its data on an ordinary object, and there `__proto__` replaces the " +
      "prototype. Reject the key, define it by `Object.defineProperty`, or use `Object.create(null)` or a `Map`.",
    example: {
      path: "lib/parse.js",
      bad: `exports.parseNode = function parseNode(node) {
  if (node.children.length === 0) return node.text
  const result = {}
  for (const child of node.children) {
    const { name } = child
    result[name] = parseNode(child)
  }
  return result
}
`,
      good: `exports.parseNode = function parseNode(node) {
  if (node.children.length === 0) return node.text
  const result = Object.create(null)
  for (const child of node.children) {
    const { name } = child
    result[name] = parseNode(child)
  }
  return result
}
`
    },
    cwe: [1321],
    confidence: 0.55,
    priority: "P2",
    effort: "small",
    risk: "low"
  },
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
