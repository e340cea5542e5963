import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { remoteAddress } from "../../../src/layers/git/RemoteAddress.ts"
import { isBranchName } from "../../../src/schema/Repository.ts"

const read = (text: string) => Either.getOrThrow(remoteAddress(text))

describe("remoteAddress", () => {
  it("reads the forms people paste", () => {
    assert.deepStrictEqual(read("https://Code.Example/acme/api.git"), {
      kind: "network",
      scheme: "https",
      host: "code.example",
      port: 443,
      authority: "code.example",
      hasUser: false,
      url: "https://code.example/acme/api.git"
    })
    assert.include(read("git@code.example:acme/api.git"), { url: "ssh://git@code.example/~/acme/api.git", port: 22 })
    assert.include(read("git@code.example:/srv/api.git"), { url: "ssh://git@code.example/srv/api.git" })
    assert.include(read("ssh://git@code.example:2222/api"), {
      url: "ssh://git@code.example:2222/api",
      port: 2222,
      authority: "code.example:2222",
      hasUser: true
    })
    assert.include(read("ssh://code.example:22/api"), { authority: "code.example", hasUser: false })
    assert.deepStrictEqual(read("file:///srv/a%20b"), { kind: "local", path: "/srv/a b" })
    assert.deepStrictEqual(read(" /srv/api "), { kind: "local", path: "/srv/api" })
  })

  it("takes credentials out of the address", () => {
    assert.deepInclude(read("https://user:p%40ss@code.example/api"), {
      url: "https://code.example/api",
      credentials: { user: "user", password: "p@ss" }
    })
  })

  it("writes numeric hosts out, so that the gate sees what would be connected to", () => {
    assert.include(read("https://2130706433/x"), { host: "127.0.0.1" })
    assert.include(read("https://0x7f.1/x"), { host: "127.0.0.1" })
    assert.include(read("https://[::1]/x"), { host: "[::1]" })
  })

  const rejected = [
    ...["", "-oProxyCommand=x", "--upload-pack=x", "ext::sh -c id", "git://code.example/x", "ftp://code.example/x"],
    ...["relative/path", "./here", "https://", "javascript:alert(1)", "fd::3", "file://other/srv/api"],
    ...["ssh://-oProxyCommand=x/y", "ssh://-l@code.example/y", "ssh://a:b@code.example/y", "-u@host:path"],
    ...["https://code.example/x?token=1", "https://code.example/x\nHost: y", "file:///a%00b", "https://%/x"],
    ...["transport::https://code.example", "git@ho st:x", "https://user:%E0%A4%A@code.example/x", "x".repeat(5000)]
  ]
  it("rejects everything else with a message", () => {
    for (const text of rejected) {
      const answer = remoteAddress(text)
      assert.isTrue(Either.isLeft(answer), text)
      if (Either.isLeft(answer)) assert.isNotEmpty(answer.left.message)
    }
  })

  it("knows what can be the name of a branch", () => {
    for (const name of ["main", "feature/a-b", "v1.0", "é", "@x", "a@b"]) assert.isTrue(isBranchName(name), name)
    const never = [
      "",
      "-x",
      "a..b",
      "a b",
      "a:b",
      "a*",
      "a/",
      "/a",
      "a//b",
      "a.lock",
      "a.lock/b",
      ".a",
      "a/.b",
      "a@{1}"
    ]
    for (const name of [...never, "@", "a\nb", "a\\b", "a^", "a.", "x".repeat(256)])
      assert.isFalse(isBranchName(name), name)
  })
})
