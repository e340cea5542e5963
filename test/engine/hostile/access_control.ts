import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["unguarded_mutation", "unguarded_admin_route"],
    path: "a.js",
    text: (size) =>
      filled(size, 'router.use(auth)\nrouter.post("/a/:id", requireAuth, f)\nrouter.get("/admin/x", f)\n', [
        'const router = require("express").Router()\nfunction f() {}\n',
        'router.delete("/a", f)\n'
      ])
  },
  {
    rules: ["unguarded_mutation"],
    path: "a.rb",
    text: (size) =>
      filled(size, "  before_action :authenticate, only: :b\n  def create\n    a.save\n  end\n", [
        "class AController < B\n",
        "end\n"
      ])
  },
  {
    rules: ["object_without_owner"],
    path: "a.py",
    text: (size) =>
      filled(size, '@app.get("/{a_id}")\ndef f(a_id):\n    return A.objects.get(a_id, ((((\n', [
        "from fastapi import FastAPI\napp = FastAPI()\n",
        ""
      ])
  },
  {
    rules: ["object_without_owner", "mass_assignment"],
    path: "b.js",
    text: (size) =>
      filled(
        size,
        'app.get("/:id", (req, res) => { A.findById(req.params.id); A.create(req.body); new A(req.body) })\n',
        ['const app = require("express")()\nconst A = require("./models/a")\n', ""]
      )
  },
  {
    rules: ["mass_assignment"],
    path: "a.cs",
    text: (size) =>
      filled(size, "[HttpPost] public void F(A a, A b, A c) { _context.Add( }\n", [
        "class AController : Controller {\n",
        "}\n"
      ])
  },
  {
    rules: ["prototype_pollution_merge"],
    path: "lib/merge.js",
    text: (size) =>
      filled(size, "  if (a[key]) target[key] = merge(target[key], source[key])\n", [
        "module.exports = function merge(target, source) { for (const key in source) {\n",
        "} }\n"
      ])
  },
  {
    rules: ["prototype_pollution_path"],
    path: "lib/set.js",
    text: (size) =>
      filled(size, "  at = at[key]\n  at[last] = value\n", [
        "exports.set = (at, keys, last, value) => { for (const key of keys) {\n",
        "} }\n"
      ])
  },
  {
    rules: ["prototype_pollution_list_key"],
    path: "lib/lists.js",
    text: (size) =>
      filled(size, '  if (keys[i] === "__proto__") return\n  at = at[keys[i]]\n  at[keys[i]] = value\n', [
        "exports.set = (at, keys, value) => { for (let i = 0; i < keys.length; i++) {\n",
        "} }\n"
      ])
  },
  {
    rules: ["prototype_pollution_decoded"],
    path: "lib/decode.js",
    text: (size) =>
      filled(size, '  const [key, value] = part.split("=")\n  result[decodeURIComponent(key)] = value\n', [
        'exports.parse = (text) => { const result = {}; for (const part of text.split("&")) {\n',
        "} return result }\n"
      ])
  },
  {
    rules: ["prototype_pollution_path", "prototype_pollution_merge"],
    path: "lib/many.js",
    text: (size) =>
      filled(size, "const f = (o, k) => { for (const key of k) o = o[key]; o[k[0]] = f(o[key], k) }\n", ["", ""])
  }
]
