import { assert, describe, it } from "vitest"
import { SourceFile } from "../../../../src/engine/core/files/SourceFile.ts"
import { comparedRoutes } from "../../../../src/engine/discovery/observers/routes/comparedRoutes.ts"
import { keyedRoutes } from "../../../../src/engine/discovery/observers/routes/keyedRoutes.ts"
import { textRoutes } from "../../../../src/engine/discovery/observers/routes/textRoutes.ts"
import { outputOf } from "../../../support/survey.ts"

const shown = ({ method, path, handler }: ReturnType<typeof keyedRoutes>[number]) => `${method} ${path} ${handler}`
const keyed = (path: string, text: string) => keyedRoutes(new SourceFile({ path, text })).map(shown)

describe("Tables from addresses to what answers them", () => {
  it.each([
    [
      "a Map from constants that hold addresses",
      "api.js",
      "export const apiGetRequests = new Map([\n\t[API.orders, listOrders],\n\t[API.carts, listCarts],\n\t[API.bills, (req, res) => res.end()]\n])\n",
      ["GET {API.orders} listOrders", "GET {API.carts} listCarts", "GET {API.bills} null"]
    ],
    [
      "an object with addresses",
      "server.js",
      'const routes = {\n  "/orders": orders.list,\n  "POST /orders": createOrder,\n  "/carts": async (req, res) => {\n    send(res, { "/deep": value })\n  }\n}\n',
      ["ANY /orders orders.list", "POST /orders createOrder", "ANY /carts null"]
    ],
    [
      "a dictionary of Python",
      "web.py",
      'ROUTES = {\n    "/orders": list_orders,\n    ("POST", "/orders"): create_order,\n    USERS_PATH: list_users,\n}\n',
      ["ANY /orders list_orders", "POST /orders create_order", "ANY {USERS_PATH} list_users"]
    ],
    [
      "a map of Go",
      "web.go",
      'package web\n\nvar handlers = map[string]http.HandlerFunc{\n\t"/orders": listOrders,\n\t"/carts":  s.ListCarts,\n\t"/bills":  func(w http.ResponseWriter, r *http.Request) {},\n}\n',
      ["ANY /orders listOrders", "ANY /carts s.ListCarts", "ANY /bills null"]
    ],
    [
      "a list of pairs in Python, with what answers on the next line as well",
      "web.py",
      "self.urls = [\n    ('^/search$',\n        self.search),\n    (r'^/orders/(\\d+)', self.order),\n    ('/carts', carts),\n]\n",
      ["ANY /search self.search", "ANY /orders/(\\d+) self.order", "ANY /carts carts"]
    ],
    [
      "a map of Go that a function returns, by its type",
      "web.go",
      'package web\n\nfunc (s *Web) Routes() map[string]http.HandlerFunc {\n\treturn map[string]http.HandlerFunc{\n\t\t"/orders": s.orders,\n\t\t"/carts": s.carts,\n\t\t"/bills": s.bills,\n\t}\n}\n',
      ["ANY /orders s.orders", "ANY /carts s.carts", "ANY /bills s.bills"]
    ]
  ])("are routes: %s", (_, path, text, expected) => {
    assert.deepStrictEqual(keyed(path, text), expected)
  })

  it.each([
    ["texts", 'const routes = {\n  "/a": "first",\n  "/b": "second",\n  "/c": "third"\n}\n'],
    ["pages of a browser", 'const routes = {\n  "/a": FirstPage,\n  "/b": SecondPage,\n  "/c": ThirdPage\n}\n'],
    ["a table of another name", 'const titles = {\n  "/a": first,\n  "/b": second,\n  "/c": third\n}\n'],
    ["two rows", 'const routes = {\n  "/a": first,\n  "/b": second\n}\n'],
    [
      "constants of another kind",
      "const handlers = new Map([\n  [Color.red, red],\n  [Color.blue, blue],\n  [Color.green, green]\n])\n"
    ],
    [
      "settings of a proxy",
      'const routes = {\n  "/a": { target: one },\n  "/b": { target: two },\n  "/c": { target: three }\n}\n'
    ]
  ])("are none: %s", (_, text) => {
    assert.deepStrictEqual(keyed("a.js", text), [])
  })

  it("are none: pairs of texts, and a map of another type that Go returns", () => {
    const pairs = "urls = [\n    ('/a', 'first'),\n    ('/b', 'second'),\n    ('/c', 'third'),\n]\n"
    assert.deepStrictEqual(keyed("a.py", pairs), [])
    const sizes =
      'package a\n\nfunc f() map[string]int {\n\treturn map[string]int{\n\t\t"/a": one,\n\t\t"/b": two,\n\t\t"/c": three,\n\t}\n}\n'
    assert.deepStrictEqual(keyed("a.go", sizes), [])
  })

  it("count where a server of the repository reads them, and not in a page alone", async () => {
    const table =
      'export const routes = {\n  "/orders": listOrders,\n  "/carts": listCarts,\n  "/bills": listBills\n}\n'
    const guidesOf = async (texts: Readonly<Record<string, string>>) =>
      (await outputOf(texts)).guides.map(({ content }) => content).join("\n")
    const served = await guidesOf({
      "src/routes.js": table,
      "src/server.js":
        'import http from "node:http"\nhttp.createServer((req, res) => routes[req.url](req, res)).listen(80)\n'
    })
    assert.include(served, "`src/routes.js` declares 3 routes: `ANY /orders` → `listOrders` (line 2)")
    assert.include(served, "as `ANY /carts` with `listCarts` is at `src/routes.js:3` (table of addresses)")
    assert.notInclude(
      await guidesOf({ "src/routes.js": table, "src/page.js": "show(routes[location.hash])\n" }),
      "declares 3 routes"
    )
  })
})

describe("Routes of frameworks, as they are written", () => {
  const routesIn = (path: string, text: string) => textRoutes(new SourceFile({ path, text })).map(shown)

  it("methods that CherryPy exposes have their own name as the address, others have none", () => {
    const web =
      "import cherrypy\n\nclass Web:\n    @cherrypy.expose\n    def index(self):\n        pass\n\n    @cherrypy.expose\n    @cherrypy.tools.json_out()\n    def orders(self):\n        pass\n\n    def own(self):\n        pass\n"
    assert.deepStrictEqual(routesIn("web.py", web), ["ANY / index", "ANY /orders orders"])
    assert.deepStrictEqual(routesIn("web.py", web.replaceAll("cherrypy", "tea")), [])
  })

  it("hapi names method and path in an object; a request of a client does as well, and is none", () => {
    const routes =
      "server.route([{\n  method: 'GET',\n  path: '/orders',\n  handler: list\n}, {\n  path: '/carts',\n  method: ['POST'],\n  handler: add\n}])\n"
    assert.deepStrictEqual(routesIn("routes.js", routes), ["GET /orders null", "POST /carts null"])
    assert.deepStrictEqual(routesIn("client.js", routes.replace("server.route(", "client.send(")), [])
  })
})

const compared = (path: string, text: string) =>
  comparedRoutes(new SourceFile({ path, text })).map(({ method, path: address }) => `${method} ${address}`)

describe("Addresses that a server distinguishes itself", () => {
  it.each([
    [
      "what follows in an address, in C",
      "wiki.c",
      'reply("HTTP/1.1 200");\npage = http_request_get_uri(req);\npage = page + 1;\nif (!strcmp(page, "Changes")) {}\nelse if (!strcmp(page, "Create")) {}\nelse if (!strncmp(page, "api/", 4)) {}\nelse if (strcmp(uri + 5, "Login") == 0) {}\n',
      ["ANY /…/Changes", "ANY /…/Create", "ANY /…/api/", "ANY /…/Login"]
    ],
    [
      "a rest of the path, in Python",
      "web.py",
      'class Web(BaseHTTPRequestHandler):\n    def do_GET(self):\n        rest = self.path.removeprefix("/api/")\n        if rest == "orders":\n            pass\n        elif rest.startswith("carts/"):\n            pass\n        elif self.path == "/":\n            pass\n',
      ["ANY /…/orders", "ANY /…/carts/", "ANY /"]
    ],
    [
      "cases over the address, in JavaScript",
      "server.js",
      'http.createServer((req, res) => {\n  switch (req.url) {\n    case "/orders":\n      return list(res)\n    case "/carts":\n      return carts(res)\n    case "/bills":\n      return bills(res)\n  }\n  switch (colour) {\n    case "/red":\n  }\n})\n',
      ["ANY /orders", "ANY /carts", "ANY /bills"]
    ],
    [
      "cases over a segment, in Go",
      "web.go",
      'package web\n\nfunc serve(w http.ResponseWriter, r *http.Request) {\n\tparts := strings.Split(r.URL.Path, "/")\n\tswitch parts[1] {\n\tcase "orders":\n\t\tlist(w)\n\tcase "carts":\n\t\tcarts(w)\n\tcase "bills":\n\t\tbills(w)\n\t}\n}\n',
      ["ANY /…/orders", "ANY /…/carts", "ANY /…/bills"]
    ],
    [
      "branches with a method, in JavaScript",
      "server.js",
      'createServer((req, res) => {\n  if (req.method === "POST" && req.url === "/orders") add(res)\n  else if (req.url.startsWith("/carts")) carts(res)\n  else if (req.url === "/bills") bills(res)\n})\n',
      ["POST /orders", "ANY /carts", "ANY /bills"]
    ]
  ])("are routes: %s", (_, path, text, expected) => {
    assert.deepStrictEqual(compared(path, text), expected)
  })

  it("are none in a page, for another variable, or where a word is compared that is no rest of an address", () => {
    const page = ["orders", "carts", "bills"]
      .map((name) => `if (location.pathname === "/${name}") show("${name}")\n`)
      .join("")
    assert.deepStrictEqual(compared("page.js", page), [])
    const words = ["red", "blue", "green"].map((name) => `if (colour === "${name}") paint()\n`).join("")
    assert.deepStrictEqual(compared("server.js", `createServer((req, res) => {})\n${words}`), [])
    const split =
      'parts = line.split(" ")\nif parts[0] == "a":\n    pass\nelif parts[0] == "b":\n    pass\nelif parts[0] == "c":\n    pass\n'
    assert.deepStrictEqual(compared("a.py", `def do_GET(self):\n    pass\n${split}`), [])
  })

  it("a server that stands in for another one is none of the product, unless that is what the product does", async () => {
    const server =
      'const express = require("express")\nconst app = express()\napp.get("/orders", (req, res) => res.send("x"))\n'
    const routesOf = async (name: string, path: string) =>
      ((await outputOf({ "package.json": `{\n  "name": "${name}"\n}\n`, [path]: server })).guides ?? [])
        .map(({ content }) => content)
        .join("\n")
    assert.include(await routesOf("shop", "src/server.js"), "declares 1 route")
    assert.notInclude(await routesOf("shop", "src/dummy-server.js"), "declares 1 route")
    assert.include(await routesOf("dummy-http", "src/dummy-server.js"), "declares 1 route")
  })
})
