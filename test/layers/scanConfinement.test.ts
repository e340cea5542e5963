import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { scanInProcess } from "../../src/engine/index.ts"
import { behindOf, confined, confinement, limitsOf } from "../../src/layers/process/scanConfinement.ts"
import { aFolder, aRepository } from "../support/gitRepository.ts"

const caps = { wallSeconds: 60, memoryMb: 512 }
const state = await Effect.runPromise(confinement)
const inNamespaces = describe.skipIf(state.level !== "namespaces")

/** What a shell behind these arguments ends with. */
const ran = (paths: Parameters<typeof confined>[0], command: string) => {
  const [program, ...args] = [...confined(paths, caps), "/bin/sh", "-c", command]
  const { status, stdout, stderr } = spawnSync(program!, args, { encoding: "utf8", timeout: 60_000 })
  return { status, stdout, stderr }
}

describe("a scanning process", () => {
  it("is held to memory, file size, open files and processor time", () => {
    const limits = limitsOf(caps, false)
    assert.include(limits, "--fsize=0")
    assert.include(limits, `--data=${(2 * 512 + 2048) * 1024 ** 2}`)
    const { stdout } = spawnSync(
      "prlimit",
      [...limits, "--", "prlimit", "--noheadings", "--raw", "--output", "RESOURCE,HARD"],
      {
        encoding: "utf8"
      }
    )
    const hard = new Map(stdout.split("\n").map((line) => line.split(" ") as [string, string]))
    assert.deepStrictEqual([hard.get("FSIZE"), hard.get("CORE"), hard.get("NOFILE")], ["0", "0", "4096"])
  })
})

inNamespaces("a scanning process in namespaces", () => {
  it("sees its program and the repository, and no other file, also none of another user", () => {
    const [own, other] = [aFolder(), aFolder()]
    writeFileSync(join(own, "here"), "ours")
    writeFileSync(join(other, "secret"), "theirs", { mode: 0o600 })
    const { stdout, status } = ran(
      { readable: [own], writable: [] },
      `cat ${own}/here; cat ${other}/secret /etc/shadow /proc/1/environ; ls /root /home; exit 7`
    )
    assert.deepStrictEqual([stdout, status], ["ours", 7])
  })

  it("writes nothing outside of its cache", () => {
    const [own, cache] = [aFolder(), join(aFolder(), "a cache#1")]
    mkdirSync(cache)
    const attempt = (path: string) => `(echo x > '${path}') 2> /dev/null && echo '${path}'`
    const targets = [join(own, "new"), "/new", "/tmp/new", "/usr/new", join(cache, "entry")]
    const { stdout } = ran(
      { readable: [own], writable: [cache] },
      `${targets.map(attempt).join("; ")}; rm -f ${own}/*; true`
    )
    assert.deepStrictEqual(stdout.trim().split("\n"), [join(cache, "entry")])
    assert.deepStrictEqual([readdirSync(own), readdirSync(cache)], [[], ["entry"]])
  })

  it("reaches no server, not even on this machine, and has no capabilities", async () => {
    const server = createServer((socket) => socket.end())
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const connects = `require("net").connect(${port}, "127.0.0.1").on("connect", () => process.exit(0)).on("error", () => process.exit(9))`
    const { status, stdout } = ran(
      { readable: [], writable: [] },
      `grep CapEff /proc/self/status; mount -t tmpfs none /tmp 2> /dev/null && echo mounted; '${process.execPath}' -e '${connects}'`
    )
    server.close()
    assert.deepStrictEqual([stdout, status], ["CapEff:\t0000000000000000\n", 9])
  })

  it("takes its descendants with it, whatever they do", () => {
    // As many as it starts, none is left: the namespace ends with the first process, which waits for none of them.
    const mark = `sleep 86${Math.floor(Math.random() * 9000) + 1000}`
    ran({ readable: [], writable: [] }, `for n in 1 2 3 4 5; do setsid ${mark} & done; exit 0`)
    const left = readdirSync("/proc").filter((pid) => {
      if (!/^\d+$/.test(pid)) return false
      const { stdout } = spawnSync("cat", [`/proc/${pid}/cmdline`], { encoding: "utf8" })
      return stdout.replaceAll("\0", " ").trim() === mark
    })
    assert.deepStrictEqual(left, [])
  })

  it.effect("returns what it returns outside", () =>
    Effect.gen(function* () {
      const repository = aRepository({
        "src/a.js": 'const { exec } = require("child_process")\nmodule.exports = (req) => exec("ls " + req.query.q)\n'
      })
      const { gitDir } = repository
      const commit = repository.git("rev-parse", "HEAD").trim()
      const scan = (behind: ReturnType<typeof behindOf>) =>
        scanInProcess({ source: { kind: "git", gitDir, commit }, suite: "full", salt: "salt" }, { limits: { behind } })
      const [inside, outside] = [yield* scan(behindOf(state, caps)), yield* scan(() => [])]
      const timeless = ({ cpu_seconds, ...result }: typeof inside) =>
        JSON.stringify(result, (key, value) => (/_ms$|seconds$|^peak_rss/.test(key) ? 0 : value))
      assert.isAbove(inside.findings.length, 0)
      assert.strictEqual(timeless(inside), timeless(outside))
    })
  )
})
