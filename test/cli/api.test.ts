import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { renderResponse } from "../../src/cli/apiTable.ts"
import { plain } from "../../src/cli/terminal.ts"
import { assay } from "../support/assayCommand.ts"

const shown = (value: unknown, width: number | null = 80) =>
  renderResponse(typeof value === "string" ? value : JSON.stringify(value), { width, paint: plain })

describe("a response in the terminal", () => {
  it("is a table of what fits when it is a list", () => {
    const row = (ref: string, title: string) => ({ id: "x".repeat(36), ref, title, locations: [], note: null })
    const page = { data: [row("OBS-1", "one"), row("OBS-2", "two\nlines")], next_cursor: "a=b", has_more: true }
    assert.strictEqual(
      shown(page),
      ["ref    title", "OBS-1  one", "OBS-2  two lines", "More: add cursor=a%3Db"].join("\n")
    )
    assert.strictEqual(shown({ data: [], next_cursor: null }), "Nothing.")
    for (const line of shown({ data: [row("OBS-1", "long ".repeat(40))] }, 50).split("\n"))
      assert.isAtMost(line.length, 50)
  })

  it("is a line for each field when it is a record, and what came otherwise", () => {
    assert.strictEqual(shown({ ref: "OBS-1", snippet: "a\nb", none: null }), "ref      OBS-1\nsnippet  a\n         b")
    assert.strictEqual(shown("plain"), "plain")
  })

  it("does not steer the terminal", () => {
    for (const value of [{ data: [{ title: "\u001b[2J" }] }, { title: "\u001b]0;x\u0007" }, "\u001b[31m"])
      assert.notInclude(shown(value), "\u001b")
  })
})

describe("assay api", () => {
  it.live("sends the key and the body, and ends with 1 when the server rejects the call", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const server = createServer((request, response) => {
        let body = ""
        request.on("data", (chunk) => {
          body += chunk
        })
        request.on("end", () => {
          seen.push([request.method, request.url, request.headers.authorization, body])
          response.writeHead(request.url === "/api/x" ? 404 : 200, { "content-type": "application/json" })
          response.end('{"error":"no"}')
        })
      })
      yield* Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const env = { ASSAY_URL: `http://127.0.0.1:${port}/`, ASSAY_API_KEY: "secret" }
      const posted = yield* assay(["api", "post", "/api/jobs?a=b", "--data", '{"a":1}', "--json"], { env })
      assert.deepStrictEqual([posted.status, posted.stdout, posted.stderr], [0, '{"error":"no"}\n', ""])
      const rejected = yield* assay(["api", "get", "/api/x"], { env })
      assert.deepStrictEqual([rejected.status, rejected.stdout], [1, "error  no\n"])
      assert.include(rejected.stderr, "404")
      assert.deepStrictEqual(seen, [
        ["POST", "/api/jobs?a=b", "Bearer secret", '{"a":1}'],
        ["GET", "/api/x", "Bearer secret", ""]
      ])
      const keyless = yield* assay(["api", "get", "/api/x"], { env: { ASSAY_URL: env.ASSAY_URL } })
      assert.deepStrictEqual([keyless.status, keyless.stdout], [2, ""])
      assert.include(keyless.stderr, "set ASSAY_API_KEY")
      const nowhere = yield* assay(["api", "get", "/api/x"], { env: { ...env, ASSAY_URL: "http://127.0.0.1:1" } })
      assert.strictEqual(nowhere.status, 2)
      assert.include(nowhere.stderr, "does not answer")
    }).pipe(Effect.scoped)
  )
})
