import { HttpClient, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DocsSite } from "../../src/http/docs/DocsSite.ts"
import { guides } from "../../src/http/docs/guides.ts"

const apiUrl = "https://audit.example.org"
const site = Layer.unwrapEffect(
  Effect.map(
    DocsSite(() => apiUrl),
    (app) => HttpServer.serve(app)
  )
).pipe(Layer.provideMerge(NodeHttpServer.layerTest))

const read = (path: string) =>
  Effect.flatMap(HttpClient.get(path), (response) =>
    Effect.map(response.text, (text) => ({ status: response.status, type: response.headers["content-type"], text }))
  )

const agents = ["claude-code", "codex", "cursor", "vs-code", "sdk"].map((name) => `/docs/agents/${name}.md`)

/** Code blocks as a reader copies them. */
const snippetsOf = (html: string) =>
  [...html.matchAll(/<pre><code[^>]*>([\s\S]*?)<\/code><\/pre>/g)].map(([, code = ""]) =>
    code.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
  )

it.scoped("guides are served, and every link between them leads to a page and a heading", () =>
  Effect.gen(function* () {
    const pages = new Map<string, string>()
    for (const { path } of yield* guides(() => apiUrl)) {
      const { status, type, text } = yield* read(path)
      assert.deepStrictEqual([status, type], [200, "text/html; charset=utf-8"], path)
      pages.set(path, text)
    }
    for (const path of ["/README.md", "/docs/", "/docs/adr/", "/docs/agents/", "/docs/operations.md", ...agents]) {
      assert.isTrue(pages.has(path), path)
    }
    for (const [path, html] of pages) {
      assert.notMatch(
        html,
        /<(script(?! src="\/assets\/)|img(?! src="(?:docs\/)?images\/[\w-]+\.webp")|iframe)|<[^>]*\son\w+=|href="javascript:/i,
        path
      )
      for (const [, src = ""] of html.matchAll(/<img src="([^"]+)"/g)) {
        const { status, type } = yield* read(new URL(src, `http://docs${path}`).pathname)
        assert.deepStrictEqual([status, type], [200, "image/webp"], `${path} shows ${src}`)
      }
      for (const [, href = ""] of html.matchAll(/<a href="([^"]+)"/g)) {
        const target = new URL(href, `http://docs${path}`)
        if (target.host !== "docs" || !target.pathname.startsWith("/docs/")) continue
        const page = pages.get(decodeURIComponent(target.pathname))
        assert.isDefined(page, `${path} links to ${href}`)
        if (target.hash !== "") assert.include(page, `id="${target.hash.slice(1)}"`, `${path} links to ${href}`)
      }
    }
  }).pipe(Effect.provide(site))
)

it.scoped("set-up pages name this installation's endpoint and end with how to check that it works", () =>
  Effect.gen(function* () {
    const index = yield* read("/docs/agents/")
    for (const path of agents) {
      assert.include(index.text, `href="${path.slice("/docs/agents/".length)}"`)
      const { text } = yield* read(path)
      const snippets = snippetsOf(text)
      assert.notInclude(text, "127.0.0.1")
      const addresses = snippets.join("\n").match(/https?:\/\/[^\s"')]+/g) ?? []
      assert.isNotEmpty(addresses, path)
      for (const address of addresses) assert.strictEqual(address, `${apiUrl}/mcp/`, path)
      assert.strictEqual([...text.matchAll(/<h2 id="([^"]+)"/g)].at(-1)?.[1], "check-that-it-works", path)
      for (const json of snippets.filter((snippet) => /^\{[\s\S]*\}\s*$/.test(snippet))) {
        assert.isObject(JSON.parse(json), path)
      }
    }
  }).pipe(Effect.provide(site))
)

it.effect("a page's own HTML and addresses that do something are text", () =>
  Effect.gen(function* () {
    const pages = yield* guides(() => "<script>alert(1)</script>")
    const html = pages.find(({ path }) => path === "/docs/agents/codex.md")?.html() ?? ""
    assert.include(html, "&lt;script&gt;")
    assert.notInclude(html, "<script>")
  })
)
