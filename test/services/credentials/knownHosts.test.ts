import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { hostKeyName, parseKnownHosts } from "../../../src/services/credentials/knownHosts.ts"
import { aFolder } from "../../support/gitRepository.ts"
import { aKeyPair } from "../../support/sshGitServer.ts"

const { publicKey } = aKeyPair()
const rsa = aKeyPair("-t", "rsa", "-b", "2048").publicKey

const isAccepted = (text: string, host: string, port = 22) =>
  Either.isRight(parseKnownHosts(text, hostKeyName(host, port)))

const hashed = (line: string) => {
  const file = join(aFolder(), "known_hosts")
  writeFileSync(file, `${line}\n`)
  execFileSync("ssh-keygen", ["-q", "-H", "-f", file], { stdio: "ignore" })
  return readFileSync(file, "utf8")
}

describe("known hosts", () => {
  it("keep the lines of the host and of others, without comments", () => {
    const text = `# git.example.org:22 SSH-2.0-x\n\ngit.example.org ${publicKey} a comment\r\nother ${rsa}\n`
    assert.deepStrictEqual(
      parseKnownHosts(text, "git.example.org"),
      Either.right(`git.example.org ${publicKey}\nother ${rsa}\n`)
    )
  })

  it("name the host as ssh does: with its port where that is not 22, in lists, by patterns, and hashed", () => {
    assert.isTrue(isAccepted(`[git.example.org]:2222 ${publicKey}`, "git.example.org", 2222))
    assert.isTrue(isAccepted(`192.0.2.1,git.example.org ${publicKey}`, "git.example.org"))
    assert.isTrue(isAccepted(`*.example.org ${publicKey}`, "git.example.org"))
    assert.isTrue(isAccepted(`g?t.*ple.org ${publicKey}`, "git.example.org"))
    assert.isTrue(isAccepted(`@cert-authority *.example.org ${publicKey}`, "git.example.org"))
    assert.isTrue(isAccepted(hashed(`git.example.org ${publicKey}`), "git.example.org"))
    assert.isTrue(isAccepted(hashed(`[git.example.org]:2222 ${publicKey}`), "git.example.org", 2222))
  })

  it("without a key of the host are rejected by its name", () => {
    const others: ReadonlyArray<readonly [string, number?]> = [
      [`git.example.org ${publicKey}`, 2222],
      [`[git.example.org]:2222 ${publicKey}`],
      [`example.org ${publicKey}`],
      [`*.example.org,!git.example.org ${publicKey}`],
      [`@revoked git.example.org ${publicKey}`],
      [hashed(`other.example.org ${publicKey}`)],
      ["# nothing"]
    ]
    for (const [text, port = 22] of others) {
      const parsed = parseKnownHosts(text, hostKeyName("git.example.org", port))
      assert.include(Either.isLeft(parsed) ? parsed.left : "", hostKeyName("git.example.org", port), text)
    }
  })

  it("with a line that is none are rejected by its number", () => {
    const [type, key = ""] = publicKey.split(" ")
    const lines = ["git.example.org", `git.example.org ${type}`, `git.example.org ssh-rsa ${key}`, `x ${type} AAAA`]
    for (const line of lines) {
      const parsed = parseKnownHosts(`git.example.org ${publicKey}\n${line}\n`, "git.example.org")
      assert.include(Either.isLeft(parsed) ? parsed.left : "", "line 2", line)
    }
  })

  it("are matched in linear time, whatever the pattern", () => {
    const pattern = "*a".repeat(20_000)
    const start = process.cpuUsage()
    assert.isFalse(isAccepted(`${pattern}b ${publicKey}`, "a".repeat(250)))
    assert.isBelow(process.cpuUsage(start).user, 2_000_000)
  })
})
