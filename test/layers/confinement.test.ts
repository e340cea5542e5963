import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Sources, scanInProcess } from "../../src/engine/index.ts"
import { type GitReach, gitAccount, gitChild, gitConfinement } from "../../src/layers/git/gitConfinement.ts"
import { runGit } from "../../src/layers/git/run.ts"
import { argumentsOf, type Child, type InForce, measuresFor, measuresOf } from "../../src/layers/process/confinement.ts"
import { behindOf, scanAccount, scanChild, scanConfinement } from "../../src/layers/process/scanConfinement.ts"
import { aFolder, aRepository } from "../support/gitRepository.ts"
import { processesWith } from "../support/processes.ts"

const caps = { wallSeconds: 60, memoryMb: 16 }
const reach: GitReach = { readable: [], writable: [], network: false }
const [ofScans, ofGit] = await Effect.runPromise(
  Effect.all([scanConfinement, gitConfinement], { concurrency: "unbounded" })
)

/** Skipped where the machine does not allow it; the title says why. */
const where = (measure: InForce, title: string, tests: () => void) =>
  measure.ok ? describe(title, tests) : describe.skip(`${title} (not possible here: ${measure.reason})`, tests)

/** What a shell ends with in the place of a child. */
const ran = (child: Child, measures: ReturnType<typeof measuresOf>, command: string) => {
  const [program, ...args] = [...argumentsOf(child, measuresFor(child, measures)), "/bin/sh", "-c", command]
  const { status, stdout, stderr } = spawnSync(program!, args, { encoding: "utf8", timeout: 60_000 })
  return { status, stdout, stderr }
}

const kinds = [
  {
    kind: "a scan",
    account: scanAccount,
    state: ofScans,
    run: (paths: Partial<GitReach>, command: string) =>
      ran(scanChild({ ...reach, ...paths }, caps), measuresOf(ofScans, scanAccount), command)
  },
  {
    kind: "git",
    account: gitAccount,
    state: ofGit,
    run: (paths: Partial<GitReach>, command: string) =>
      ran(gitChild({ ...reach, ...paths }), measuresOf(ofGit, gitAccount), command)
  }
]

const aPort = (use: (port: number) => void) =>
  new Promise<void>((resolve, reject) => {
    const server = createServer((socket) => socket.end())
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      try {
        use(typeof address === "object" && address !== null ? address.port : 0)
        resolve()
      } catch (error) {
        reject(error)
      } finally {
        server.close()
      }
    })
  })

/** Ends with 0 when there is a connection; perl starts faster than Node. */
const connects = (port: number) =>
  `perl -MSocket -e 'socket(S, PF_INET, SOCK_STREAM, 0) && connect(S, sockaddr_in(${port}, inet_aton("127.0.0.1"))) or exit 9'`

for (const { kind, state, run } of kinds) {
  where(state.limits, `the limits of ${kind}`, () => {
    it("end what takes more memory", () => {
      const { status, stdout } = run({}, `perl -e 'my $text = "a" x 6_000_000_000; print "had it"'`)
      assert.notStrictEqual(status, 0)
      assert.strictEqual(stdout, "")
    })

    it("keep what writes nothing from growing any file", () => {
      const { stdout } = run({}, "prlimit --noheadings --raw --output RESOURCE,HARD --fsize --core --nofile")
      assert.deepStrictEqual(stdout.trim().split("\n").sort(), ["CORE 0", "FSIZE 0", "NOFILE 4096"])
    })
  })

  where(state.seccomp, `the seccomp filter of ${kind}`, () => {
    it("is in force, and new privileges are not", () => {
      const { stdout } = run({}, "grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status")
      assert.deepStrictEqual(stdout.match(/\d+/g), ["1", "2"])
    })

    it("denies new namespaces and mounts", () => {
      const attempts = ["unshare --user true", "unshare --mount true", "mount -t tmpfs none /tmp"]
      const { stdout } = run({}, attempts.map((attempt) => `${attempt} 2> /dev/null && echo '${attempt}'`).join("; "))
      assert.strictEqual(stdout, "")
    })

    it("denies sockets that reach the kernel or the host of a virtual machine", () => {
      // AF_PACKET, AF_ALG and AF_VSOCK.
      const { stdout } = run({}, `perl -e 'for (17, 38, 40) { socket(S, $_, 2, 0) or printf("%d\\n", $!) }'`)
      assert.strictEqual(stdout, "97\n97\n97\n")
    })
  })

  where(state.namespaces, `${kind} in namespaces`, () => {
    it("sees its own paths, and no other file, also none of another user", () => {
      const [own, other] = [aFolder(), aFolder()]
      writeFileSync(join(own, "here"), "ours")
      writeFileSync(join(other, "secret"), "theirs", { mode: 0o600 })
      const { stdout, status } = run(
        { readable: [own] },
        `cat ${own}/here; cat ${other}/secret /etc/shadow /proc/1/environ; ls /root /home; exit 7`
      )
      assert.deepStrictEqual([stdout, status], ["ours", 7])
    })

    it("writes nothing outside of what it may write", () => {
      const [own, written] = [aFolder(), join(aFolder(), "a folder#1")]
      mkdirSync(written)
      const attempt = (path: string) => `(echo x > '${path}') 2> /dev/null && echo '${path}'`
      const targets = [join(own, "new"), "/new", "/tmp/new", "/usr/new", "/dev/null.new", join(written, "entry")]
      const { stdout } = run(
        { readable: [own], writable: [written] },
        `${targets.map(attempt).join("; ")}; rm -f ${own}/*; true`
      )
      assert.deepStrictEqual(stdout.trim().split("\n"), [join(written, "entry")])
      assert.deepStrictEqual([readdirSync(own), readdirSync(written)], [[], ["entry"]])
    })

    it("reaches no server, not even on this machine, and has no capabilities", () =>
      aPort((port) => {
        const { status, stdout } = run({}, `grep CapEff /proc/self/status; ${connects(port)}`)
        assert.deepStrictEqual([stdout, status], ["CapEff:\t0000000000000000\n", 9])
      }))

    it("takes its descendants with it, whatever they do", () => {
      // As many as it starts, none is left: the namespace ends with the first process, which waits for none of them.
      const mark = `sleep 86${Math.floor(Math.random() * 9000) + 1000}`
      run({}, `for n in 1 2 3 4 5; do setsid ${mark} & done; exit 0`)
      assert.deepStrictEqual(processesWith(mark), [])
    })
  })
}

where(ofGit.namespaces, "git that reaches a remote", () => {
  it("has the network, and sees names and certificates, but no passwords", () =>
    aPort((port) => {
      const [, git] = kinds
      const { status, stdout } = git!.run(
        { network: true },
        `ls /etc/hosts; cat /etc/shadow 2> /dev/null; ${connects(port)}`
      )
      assert.deepStrictEqual([stdout, status], ["/etc/hosts\n", 0])
    }))
})

for (const { kind, state, account, run } of kinds) {
  where(state.account, `${kind} of a service of root`, () => {
    it("runs under an account of its own, which has the rights of the owner in its paths, and nowhere else", () => {
      const [own, foreign, written] = [aFolder(), aFolder(), aFolder()]
      for (const folder of [own, foreign, written]) {
        writeFileSync(join(folder, "here"), folder, { mode: 0o600 })
        chmodSync(folder, 0o700)
      }
      for (const path of [foreign, join(foreign, "here")]) chownSync(path, 1234, 1234)
      const { stdout } = run(
        { readable: [own, foreign], writable: [written] },
        `id -u; id -G; cat ${own}/here ${foreign}/here; echo x > ${written}/entry; cat ${written}/entry /etc/shadow`
      )
      assert.strictEqual(stdout, `${account}\n${account}\n${own}${foreign}x\n`)
      // On the disk everything stays the owner's, who goes on with it.
      assert.strictEqual(statSync(join(written, "entry")).uid, 0)
      assert.strictEqual(statSync(join(foreign, "here")).uid, 1234)
    })
  })
}

where(ofGit.account, "git of a service of root", () => {
  it("reads of what is common to all only what every account may", () => {
    const common = aFolder()
    chmodSync(common, 0o755)
    writeFileSync(join(common, "open"), "open", { mode: 0o644 })
    writeFileSync(join(common, "closed"), "closed", { mode: 0o600 })
    const child = { ...gitChild(reach), common: [common] }
    const { stdout } = ran(child, measuresOf(ofGit, gitAccount), `cat ${common}/closed ${common}/open`)
    assert.strictEqual(stdout, "open")
  })

  it.effect("writes a mirror that the service reads, and finds a user for ssh", () =>
    Effect.gen(function* () {
      const folder = join(aFolder(), "mirror")
      mkdirSync(folder, { mode: 0o700 })
      const environment = Sources.gitEnvironment()
      yield* runGit({ args: ["init", "--quiet", "--bare", folder], reach: { writable: [folder] }, environment })
      assert.strictEqual(statSync(join(folder, "HEAD")).uid, 0)
      const git = gitChild({ ...reach, network: true })
      const { stdout } = ran(git, measuresOf(ofGit, gitAccount), "id -un; ls -A /tmp")
      assert.strictEqual(stdout, "git\n")
    })
  )
})

where(ofScans.namespaces, "a confined scan", () => {
  it.effect("returns what it returns outside", () =>
    Effect.gen(function* () {
      const repository = aRepository({
        "src/a.js": 'const { exec } = require("child_process")\nmodule.exports = (req) => exec("ls " + req.query.q)\n'
      })
      const { gitDir } = repository
      const commit = repository.git("rev-parse", "HEAD").trim()
      const scan = (behind: ReturnType<typeof behindOf>) =>
        scanInProcess({ source: { kind: "git", gitDir, commit }, suite: "full", salt: "salt" }, { limits: { behind } })
      const ofLife = { wallSeconds: 60, memoryMb: 512 }
      const [inside, outside] = [yield* scan(behindOf(ofScans, ofLife)), yield* scan(() => [])]
      const timeless = ({ cpu_seconds, ...result }: typeof inside) =>
        JSON.stringify(result, (key, value) => (/_ms$|seconds$|^peak_rss/.test(key) ? 0 : value))
      assert.isAbove(inside.findings.length, 0)
      assert.strictEqual(timeless(inside), timeless(outside))
    })
  )
})
