import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { proxyFor, proxyUrl } from "../../src/layers/Proxy.ts"

const settings = (...except: ReadonlyArray<string>) => ({
  https: Redacted.make("http://user:p%40ss@proxy.example:3128"),
  http: Redacted.make("proxy.example:8080"),
  except
})

const isDirect = (except: ReadonlyArray<string>, host: string, port = 443) =>
  proxyFor(settings(...except), { scheme: "https", host, port }) === null

describe("a proxy", () => {
  it("is the one of the scheme, its login apart from its address", () => {
    const https = proxyFor(settings(), { scheme: "https", host: "git.example.org", port: 443 })
    assert.deepStrictEqual(
      [https?.url, https?.host, https?.credentials?.user],
      ["http://proxy.example:3128", "proxy.example:3128", "user"]
    )
    assert.strictEqual(https?.credentials && Redacted.value(https.credentials.password), "p@ss")
    const http = proxyFor(settings(), { scheme: "http", host: "git.example.org", port: 80 })
    assert.deepStrictEqual([http?.url, http?.credentials], ["http://proxy.example:8080", null])
    assert.isNull(proxyFor(settings(), { scheme: "ssh", host: "git.example.org", port: 22 }))
  })

  it("is never asked for this machine's own addresses", () => {
    for (const host of ["localhost", "git.localhost", "127.0.0.1", "127.8.0.1", "[::1]"])
      assert.isTrue(isDirect([], host), host)
    assert.isFalse(isDirect([], "localhost.example.org"))
  })

  it("is not asked for the exceptions: names with what is below them, ports, addresses, ranges, all", () => {
    const covered: ReadonlyArray<readonly [string, string, number?]> = [
      ["example.org", "example.org"],
      ["example.org", "git.example.org"],
      [".example.org", "git.example.org"],
      ["*.example.org", "git.example.org"],
      ["EXAMPLE.org", "git.example.org."],
      ["example.org:8443", "example.org", 8443],
      ["10.0.0.0/8", "10.1.2.3"],
      ["10.1.2.3", "10.1.2.3"],
      ["[fd00::1]", "[fd00::1]"],
      ["*", "anything.example"]
    ]
    for (const [entry, host, port] of covered) assert.isTrue(isDirect([entry], host, port), `${entry} ${host}`)
    const others: ReadonlyArray<readonly [string, string, number?]> = [
      ["example.org", "badexample.org"],
      ["example.org", "example.org.evil.test"],
      ["example.org:8443", "example.org", 443],
      ["10.0.0.0/8", "11.1.2.3"],
      ["10.0.0.0/8", "10.example"],
      ["", "example.org"],
      [".", "example.org"]
    ]
    for (const [entry, host, port] of others) assert.isFalse(isDirect([entry], host, port), `${entry} ${host}`)
  })

  it("is given as a host and a port, over http or https", () => {
    assert.strictEqual(proxyUrl("proxy:3128")?.href, "http://proxy:3128/")
    for (const text of [
      "",
      "socks5://proxy:1080",
      "http://proxy/path",
      "http://",
      "http://proxy/?a",
      "http://%zz@proxy"
    ])
      assert.isUndefined(proxyUrl(text), text)
  })
})
