import { assert, describe, it } from "vitest"
import { SourceFile } from "../../../../src/engine/core/files/SourceFile.ts"
import { textRoutes } from "../../../../src/engine/discovery/observers/routes/textRoutes.ts"

const routesIn = (path: string, text: string): ReadonlyArray<string> =>
  textRoutes(new SourceFile({ path, text })).map(
    ({ method, path: address, handler }) => `${method} ${address} ${handler}`
  )

/** Framework, file, the line that names the framework, what declares, what is expected. */
const written: ReadonlyArray<readonly [string, string, string, string, string]> = [
  [
    "django-ninja",
    "api.py",
    "from ninja import NinjaAPI\n",
    '@api.post(\n    "/orders",\n    response=Order,\n)\ndef add(request):\n    pass\n',
    "POST /orders add"
  ],
  [
    "Sanic",
    "web.py",
    "from sanic import Sanic\n",
    '@app.get("/orders")\nasync def orders(request):\n    pass\n',
    "GET /orders orders"
  ],
  [
    "Express in CoffeeScript",
    "a.coffee",
    "express = require 'express'\n",
    "app.get '/orders', list\n",
    "GET /orders list"
  ],
  ["Zappa in LiveScript", "a.ls", 'require("zappajs")\n', "  @get '/orders': -> @render it\n", "GET /orders null"],
  [
    "constants of Go",
    "a.go",
    "func list(w http.ResponseWriter, r *http.Request) {}\n",
    'const ordersPath = "/orders"\nhttp.HandleFunc(ordersPath, list)\n',
    "ANY /orders list"
  ],
  ["Falcon", "web.py", "import falcon\n", "app.add_route('/orders', Orders())\n", "ANY /orders Orders"],
  [
    "find-my-way",
    "a.js",
    "const router = require('find-my-way')()\n",
    "router.on('GET', '/orders', (req, res) => {})\n",
    "GET /orders null"
  ],
  ["Elysia", "a.ts", 'import { Elysia } from "elysia"\n', 'app\n  .get("/orders", list)\n', "GET /orders list"],
  [
    "poem",
    "src/a.rs",
    "use poem::Route;\n",
    'Route::new().at("/orders", get(orders::list))\n',
    "GET /orders orders::list"
  ],
  ["tide", "src/a.rs", "use tide;\n", 'app.at("/orders").post(add);\n', "POST /orders add"],
  ["rouille", "src/a.rs", "use rouille;\n", "    (GET) (/orders/{id: u32}) => {\n", "GET /orders/{id: u32} null"],
  [
    "CodeIgniter",
    "app/Config/Routes.php",
    "<?php\n$routes->setAutoRoute(false);\n",
    "$routes->get('orders', 'Orders::index');\n",
    "GET orders Orders::index"
  ],
  ["Grape", "api.rb", "class API < Grape::API\n", "  get :orders do\n", "GET orders null"],
  [
    "Play",
    "conf/routes",
    "GET     /health     controllers.Health.show\n",
    "GET     /orders     controllers.Orders.list(page: Int ?= 1)\n",
    "GET /orders controllers.Orders.list"
  ],
  ["Scotty", "Main.hs", "import Web.Scotty\n", '  get "/orders" $ do\n', "GET /orders null"],
  ["Dream", "main.ml", "let () = Dream.run\n", '  Dream.post "/orders" add;\n', "POST /orders add"],
  [
    "Compojure",
    "web.clj",
    "(ns web (:require [compojure.core :refer :all]))\n",
    '  (GET "/orders" [] (list))\n',
    "GET /orders null"
  ],
  ["Kemal", "web.cr", 'require "kemal"\n', 'get "/orders" do |env|\n', "GET /orders null"],
  ["vibe.d", "app.d", "import vibe.vibe;\n", 'router.get("/orders", &listOrders);\n', "GET /orders listOrders"],
  [
    "Lapis",
    "app.lua",
    'local lapis = require("lapis")\n',
    'app:get("orders", "/orders", function(self) end)\n',
    "GET /orders null"
  ],
  [
    "shelf",
    "web.dart",
    "import 'package:shelf_router/shelf_router.dart';\n",
    "router.get('/orders', list);\n",
    "GET /orders list"
  ],
  ["Vapor", "routes.swift", "import Vapor\n", 'app.get("orders", use: listOrders)\n', "GET orders listOrders"]
]

describe("Routes of servers that are met less often", () => {
  it.each(written)("%s", (_, path, first, text, expected) => {
    assert.include(routesIn(path, first + text), expected)
  })

  it.each(written.filter(([name]) => !/^(?:Play|CodeIgniter|Dream)$/.test(name)))(
    "what looks like one of %s is none in a file without it",
    (_, path, __, text) => {
      assert.deepStrictEqual(routesIn(path, text), [])
    }
  )

  it("a parameter that is the address declares no route in Go", () => {
    const text = "func add(path string, h http.Handler) {\n\thttp.Handle(path, h)\n}\n"
    assert.deepStrictEqual(routesIn("a.go", text), [])
  })

  it("a text of requests is no table of Play, and a variable of that name no Routes.php", () => {
    assert.deepStrictEqual(routesIn("notes/requests", "GET     /orders     controllers.Orders.list\n"), [])
    assert.deepStrictEqual(routesIn("app/list.php", "<?php\n$routes->get('orders', 'Orders::index');\n"), [])
  })
})

describe("Routes of pages and of classes that others derive from", () => {
  it("are those of Ember by their names or addresses", () => {
    const text =
      'import EmberRouter from "@ember/routing/router"\nRouter.map(function () {\n  this.route("yards")\n  this.route("wagon", { path: "wagons/:id" })\n})\n'
    assert.deepStrictEqual(
      textRoutes(new SourceFile({ path: "app/router.js", text })).map(({ path, handler }) => `${path} ${handler}`),
      ["/yards yards", "/wagons/:id wagon"]
    )
  })

  it("are annotated in an abstract class of JAX-RS; those of another class have its address, which is read elsewhere", () => {
    const text =
      'import javax.ws.rs.Path;\n\npublic abstract class Yard<T> {\n    @PUT\n    @Path("v1/wagons/{id}")\n    @Consumes(MediaType.APPLICATION_JSON)\n    public Response putWagon(T wagon, @PathParam("id") String id) {\n    }\n}\n'
    const routesOf = (source: string) => textRoutes(new SourceFile({ path: "Yard.java", text: source }))
    assert.deepStrictEqual(
      routesOf(text).map(({ method, path, handler }) => `${method} ${path} ${handler}`),
      ["PUT v1/wagons/{id} putWagon"]
    )
    assert.deepStrictEqual(routesOf(text.replace("abstract ", "")), [])
  })
})
