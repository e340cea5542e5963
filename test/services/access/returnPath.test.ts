import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { returnPath } from "../../../src/services/access/returnPath.ts"

const site = "https://assay.example.org"

const parts = [
  "/",
  "\\",
  ".",
  "..",
  "%2e",
  "%2f",
  "%5c",
  "\t",
  "\n",
  "@",
  ":",
  "?",
  "#",
  "evil.example",
  "https:",
  "api",
  "é"
]

describe("the path after a sign-in", () => {
  it("is the one that was asked for, with its query and fragment", () => {
    for (const path of ["/", "/triage", "/triage?status=new&q=a%20b#OBS-1", "/apis", "/sign-in#invitation=token"]) {
      assert.strictEqual(returnPath(path), path)
    }
  })

  it("is the start page for what is no page of the web app", () => {
    const others = [
      undefined,
      "",
      "triage",
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "\\\\evil.example"
    ]
    const hidden = [
      "/\t/evil.example",
      "/..//evil.example",
      "/%2e%2e//evil.example",
      "/./\\evil.example",
      "javascript:alert(1)"
    ]
    const routes = ["/api/session", "/api", "/mcp/", "/x/../api/keys"]
    for (const path of [...others, ...hidden, ...routes]) assert.strictEqual(returnPath(path), "/", path)
  })

  it.prop(
    "never leads to another site, whatever it is made of",
    [FastCheck.array(FastCheck.constantFrom(...parts))],
    ([words]) => {
      const path = returnPath(`/${words.join("")}`)
      assert.strictEqual(new URL(path, site).origin, site)
      // It is the value of a header.
      assert.match(path, /^\/(?!\/)[\x21-\x7e]*$/)
    }
  )
})
