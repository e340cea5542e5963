import { assert, describe, it } from "vitest"
import { joinRoutes } from "../../src/engine/structure/routes/joinRoutes.ts"
import { asksWho, pathPattern, routeFacts } from "../../src/engine/structure/routes/Route.ts"
import { routeTable } from "../../src/engine/structure/routes/routeTable.ts"
import { sourceFile } from "../support/audit.ts"

/** Routes of a text, one line each: framework, method, path, handler, guards. */
const routesOf = async (path: string, text: string): Promise<ReadonlyArray<string>> =>
  routeTable(await sourceFile(path, text)).routes.map(
    (route) =>
      `${route.framework} ${route.method} ${route.path} ${route.handler ?? "-"} [${route.guards.join(" ")}]` +
      `${route.isOpen ? " open" : ""}${route.handlerNode < 0 ? "" : " here"}`
  )

const actionsOf = async (path: string, text: string): Promise<ReadonlyArray<string>> =>
  routeTable(await sourceFile(path, text)).actions.map(
    ({ name, methods, guards, isOpen }) => `${name} ${methods.join(",")} [${guards.join(" ")}]${isOpen ? " open" : ""}`
  )

describe("the table of routes", () => {
  it("reads Express routers, their middleware and chains", async () => {
    const text = `
const express = require("express")
const router = express.Router()
router.use(requireAuth)
router.get("/orders/:id", show)
router.post("/orders", can("create"), async (req, res) => { res.send(1) })
router.route("/orders/:id").put(validate, update).delete(remove)
axios.get("/x", handler)
function show(req, res) {}
`
    assert.deepStrictEqual(await routesOf("src/orders.js", text), [
      "express GET /orders/{id} show [requireAuth] here",
      "express POST /orders - [requireAuth can] here",
      "express DELETE /orders/{id} remove [requireAuth]",
      "express PUT /orders/{id} update [requireAuth validate]"
    ])
  })

  it("reads Fastify's options and hooks, Hono and Koa", async () => {
    const fastify = `
export default async function (fastify) {
  fastify.addHook("preHandler", authenticate)
  fastify.get("/a", { preHandler: [admin] }, async (request, reply) => 1)
  fastify.route({ method: ["PUT"], url: "/b/:id", onRequest: guard, handler: save })
}`
    assert.deepStrictEqual(await routesOf("src/plugin.js", fastify), [
      "fastify GET /a - [authenticate admin] here",
      "fastify PUT /b/{id} save [authenticate guard]"
    ])
    const hono = `import { Hono } from "hono"
const app = new Hono()
app.get("/c/:id", (c) => c.json(1))`
    assert.deepStrictEqual(await routesOf("src/h.ts", hono), ["hono GET /c/{id} - [] here"])
    const koa = `import Router from "@koa/router"
const router = new Router()
router.post("/d", login, save)`
    assert.deepStrictEqual(await routesOf("src/k.ts", koa), ["koa POST /d save [login]"])
  })

  it("reads routes that a router of Effect is given, and names the framework", async () => {
    const effect = `import { HttpApiBuilder } from "@effect/platform"
export const Document = HttpApiBuilder.Router.use((router) => router.get("/openapi.json", document))`
    assert.deepStrictEqual(await routesOf("src/d.ts", effect), ["Effect HttpRouter GET /openapi.json document []"])
  })

  it("reads routers that are fields of a class", async () => {
    const text = `import { Router } from "express"
export class Orders {
  private router: Router = Router()
  constructor() {
    this.router.post("/a", requireAuth, this.save)
  }
}`
    assert.deepStrictEqual(await routesOf("src/orders.ts", text), ["express POST /a this.save [requireAuth]"])
  })

  it("reads controllers of Nest and route handlers of Next", async () => {
    const nest = `import { Controller, Get } from "@nestjs/common"
@Controller("orders")
@UseGuards(JwtAuthGuard)
export class OrdersController {
  @Get(":id")
  @Roles("admin")
  one(@Param("id") id: string) { return 1 }
  @Public()
  @Post()
  create() { return 1 }
}`
    assert.deepStrictEqual(await routesOf("src/orders.controller.ts", nest), [
      "nest GET /orders/{id} OrdersController.one [JwtAuthGuard Roles] here",
      "nest POST /orders OrdersController.create [JwtAuthGuard Public] open here"
    ])
    const next = "export async function DELETE(request) { return 1 }"
    assert.deepStrictEqual(await routesOf("app/(shop)/api/orders/[id]/route.ts", next), [
      "next DELETE /api/orders/{id} DELETE [] here"
    ])
  })

  it("reads FastAPI's dependencies, Flask's blueprints and Django's views", async () => {
    const fastapi = `from fastapi import APIRouter, Depends
router = APIRouter(prefix="/orders", dependencies=[Depends(get_current_user)])
@router.get("/{id}")
async def one(id: int, user: CurrentUser, db=Depends(get_db)):
    return 1
`
    assert.deepStrictEqual(await routesOf("api/orders.py", fastapi), [
      "fastapi GET /orders/{id} one [get_current_user CurrentUser get_db] here"
    ])
    const flask = `from flask import Blueprint
bp = Blueprint("x", __name__, url_prefix="/x")
@bp.route("/<int:id>", methods=["POST", "PUT"])
@login_required
def save(id):
    return 1
`
    assert.deepStrictEqual(await routesOf("api/x.py", flask), [
      "flask POST /x/{id} save [login_required] here",
      "flask PUT /x/{id} save [login_required] here"
    ])
    const urls = `from django.urls import path, include
urlpatterns = [
    path("orders/<int:pk>/", views.order_detail, name="order"),
    path("new/", login_required(views.OrderCreate.as_view())),
    path("shop/", include("shop.urls")),
]`
    assert.deepStrictEqual(await routesOf("shop/urls.py", urls), [
      "django ANY /orders/{pk} views.order_detail []",
      "django ANY /new views.OrderCreate [login_required]"
    ])
    const views = `from django.views import View
@login_required
@require_POST
def order_detail(request, pk):
    return 1
class OrderCreate(LoginRequiredMixin, View):
    def post(self, request):
        return 1
class OrderView(ModelViewSet):
    permission_classes = [IsAuthenticated]
    def destroy(self, request, pk):
        return 1
`
    assert.deepStrictEqual(await actionsOf("shop/views.py", views), [
      "order_detail POST [login_required require_POST]",
      "OrderCreate.post POST [LoginRequiredMixin]",
      "OrderView.destroy DELETE [IsAuthenticated]"
    ])
  })

  it("reads annotations of Spring, JAX-RS, ASP.NET Core and Symfony", async () => {
    const spring = `import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping("/api")
public class A {
  @PostMapping(value = "/x/{id}", consumes = "a")
  @PreAuthorize("hasRole('A')")
  public void a(@PathVariable Long id) {}
  @RequestMapping(path = "/y", method = RequestMethod.DELETE)
  public void b() {}
}`
    assert.deepStrictEqual(await routesOf("src/main/java/A.java", spring), [
      "spring POST /api/x/{id} A.a [RestController PreAuthorize] here",
      "spring DELETE /api/y A.b [RestController] here"
    ])
    const jaxRs = `import jakarta.ws.rs.*;
@Path("/o")
public class O {
  @GET @Path("{id}") @RolesAllowed("x")
  public String a(@PathParam("id") String id) { return id; }
}`
    assert.deepStrictEqual(await routesOf("src/main/java/O.java", jaxRs), [
      "jax-rs GET /o/{id} O.a [RolesAllowed] here"
    ])
    const aspnet = `[ApiController]
[Route("api/[controller]"), Authorize]
public class OrdersController : ControllerBase {
  [HttpPost("{id:int}")]
  [AllowAnonymous]
  public IActionResult Save(int id) { return Ok(); }
}`
    assert.deepStrictEqual(await routesOf("src/OrdersController.cs", aspnet), [
      "aspnet POST /api/Orders/{id} OrdersController.Save [ApiController Authorize AllowAnonymous] open here"
    ])
    const minimal = `var api = app.MapGroup("/api").RequireAuthorization();
api.MapDelete("/x/{id}", (int id) => Results.Ok()).RequireAuthorization("admin");`
    assert.deepStrictEqual(await routesOf("src/Program.cs", minimal), [
      "aspnet DELETE /api/x/{id} - [RequireAuthorization RequireAuthorization] here"
    ])
    const symfony = `<?php
#[Route('/x', name: 'a')]
class A extends AbstractController {
  #[Route('/y/{id}', methods: ['POST']), IsGranted('ROLE')]
  public function a(int $id) {}
}`
    assert.deepStrictEqual(await routesOf("src/A.php", symfony), ["symfony POST /x/y/{id} A.a [IsGranted] here"])
  })

  it("reads routes and filters of Rails, groups of Laravel and routers of Go", async () => {
    const rails = `Rails.application.routes.draw do
  namespace :admin do
    resources :orders, only: [:index, :update] do
      member do
        post :cancel
      end
    end
  end
  get "x", to: "a#b"
end`
    assert.deepStrictEqual(await routesOf("config/routes.rb", rails), [
      "rails GET /admin/orders admin/orders#index []",
      "rails PATCH /admin/orders/{id} admin/orders#update []",
      "rails POST /admin/orders/{id}/cancel admin/orders#cancel []",
      "rails GET /x a#b []"
    ])
    const controller = `class OrdersController < ApplicationController
  before_action :authenticate_user!, only: [:create]
  before_action :load, except: %i[create]
  def index
  end
  def create
  end
  private
  def load
  end
end`
    assert.deepStrictEqual(await actionsOf("app/controllers/orders_controller.rb", controller), [
      "orders#index GET [load]",
      "orders#create POST [authenticate_user!] open"
    ])
    const laravel = `<?php
Route::middleware(['auth'])->prefix('x')->group(function () {
    Route::post('/y/{id}', [A::class, 'm'])->middleware('can:edit');
});`
    assert.deepStrictEqual(await routesOf("routes/web.php", laravel), ["laravel POST /x/y/{id} A.m [auth can:edit]"])
    const gin = `package main
import "github.com/gin-gonic/gin"
func routes(r *gin.Engine) {
	api := r.Group("/api", auth())
	api.POST("/x/:id", limit, save)
}
func save(c *gin.Context) {}`
    assert.deepStrictEqual(await routesOf("main.go", gin), ["gin POST /api/x/{id} save [auth limit] here"])
    const chi = `package main
import "github.com/go-chi/chi/v5"
func routes(r chi.Router) {
	r.Route("/a", func(r chi.Router) {
		r.Use(auth)
		r.With(admin).Post("/{id}", save)
		r.Get("/", list)
	})
	r.Get("/b", other)
}`
    assert.deepStrictEqual(await routesOf("c.go", chi), [
      "chi POST /a/{id} save [admin]",
      "chi GET /a list [auth]",
      "chi GET /b other []"
    ])
  })

  it("joins mounts, prefixes and guards of several files", async () => {
    const texts = {
      "src/app.js": `const express = require("express")
const orders = require("./routes/orders")
const app = express()
app.use("/api/orders", requireAuth, orders)`,
      "src/routes/orders.js": `const router = require("express").Router()
router.delete("/:id", remove)`,
      "config/routes.rb": 'Rails.application.routes.draw do\n  delete "o/:id", to: "o#destroy"\nend',
      "app/controllers/o_controller.rb": "class OController < B\n  before_action :login\n  def destroy\n  end\nend"
    }
    const facts = await Promise.all(
      Object.entries(texts).map(async ([path, text]) => ({
        path,
        facts: JSON.parse(JSON.stringify(routeFacts(routeTable(await sourceFile(path, text))) ?? null))
      }))
    )
    assert.deepStrictEqual(
      joinRoutes(facts.filter((one) => one.facts !== null)).map(
        ({ method, path, guards, answeredBy }) => `${method} ${path} [${guards.join(" ")}] ${answeredBy?.file ?? "-"}`
      ),
      ["DELETE /api/orders/{id} [requireAuth] -", "DELETE /o/{id} [login] app/controllers/o_controller.rb"]
    )
  })

  it("writes all patterns alike, and distinguishes guards about identity from others", () => {
    assert.strictEqual(pathPattern("/a/", "/:id/<int:n>/[slug]/(?P<x>\\d+)/*"), "/a/{id}/{n}/{slug}/{x}/{rest}")
    const guards = [
      "requireAuth",
      "passport.authenticate",
      "JwtAuthGuard",
      "login_required",
      "PreAuthorize",
      "isAdmin",
      "authorize",
      "Authorize"
    ]
    assert.deepStrictEqual(guards.filter(asksWho), guards)
    assert.deepStrictEqual(
      ["rateLimit", "csrf_protect", "validateBody", "get_db", "get_session", "logger"].filter(asksWho),
      []
    )
  })
})
