import { assert, describe, it } from "vitest"
import observability from "../../src/engine/rules/observability/tool.ts"
import { inspectProject } from "../support/audit.ts"

const health = async (texts: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> =>
  (await inspectProject(observability, texts))
    .filter(({ rule }) => rule === "no_health_route")
    .map(({ path, line }) => `${path}:${line}`)

const servers: Readonly<Record<string, string>> = {
  "src/app.js": `const app = require("express")()\n${"abcde".replace(/./g, 'app.get("/$&", f)\n')}`,
  "src/app.py": `from fastapi import FastAPI\napp = FastAPI()\n${"abcde".replace(/./g, '@app.get("/$&")\ndef $&():\n    return 1\n')}`,
  "src/app.go": `package a\nimport "github.com/gin-gonic/gin"\nfunc f(r *gin.Engine) {\n${"abcde".replace(/./g, '\tr.GET("/$&", g)\n')}}\n`,
  "src/App.java": `import org.springframework.web.bind.annotation.*;\n@RestController\nclass App {\n${"abcde".replace(/./g, '  @GetMapping("/$&") int $&() { return 1; }\n')}}\n`
}

describe("a server without a health route is reported once", () => {
  for (const [path, text] of Object.entries(servers)) {
    it(path, async () => {
      const found = await health({ [path]: text, Dockerfile: "FROM scratch\n" })
      assert.strictEqual(found.length, 1)
      assert.isTrue(found[0]!.startsWith(path))
    })
  }

  it("but not without a container, nor with such a route anywhere", async () => {
    const text = servers["src/app.js"]!
    assert.deepStrictEqual(await health({ "src/app.js": text }), [])
    const routes = { "src/app.js": text, "src/h.js": 'const app = require("express")()\napp.get("/healthz", f)' }
    assert.deepStrictEqual(await health({ ...routes, Dockerfile: "FROM scratch\n" }), [])
  })
})
