import { chmodSync, existsSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { NamespaceSandbox } from "../../src/layers/NamespaceSandbox.ts"
import { type CommandLimits, CommandSandbox, commandLimits } from "../../src/services/ports/CommandSandbox.ts"
import { aFolder } from "../support/gitRepository.ts"
import { processesWith } from "../support/processes.ts"

const script = fileURLToPath(new URL("../support/scriptedAgent.mjs", import.meta.url))
const withinTheProject = fileURLToPath(new URL("../..", import.meta.url))

type Options = Parameters<typeof NamespaceSandbox.layer>[0]

const sandbox = <A, E>(
  use: (sandbox: typeof CommandSandbox.Service) => Effect.Effect<A, E>,
  options: Partial<Options> = {}
) =>
  Effect.flatMap(CommandSandbox, use).pipe(
    Effect.provide(NamespaceSandbox.layer({ allowCommands: true, dataDir: aFolder(), localRoots: [], ...options }))
  )

const runIn = (folder: string, command: string, limits: Partial<CommandLimits> = {}, options: Partial<Options> = {}) =>
  sandbox(({ run }) => run({ folder, command, limits: { ...commandLimits, ...limits } }), options)

const appeared = (folder: string, name: string) =>
  Effect.async<void>((resume) => {
    const watcher = watch(folder, () => {
      if (!existsSync(join(folder, name))) return
      watcher.close()
      resume(Effect.void)
    })
  })

// Some wait for the end of what they start.
describe.concurrent("A command in the sandbox", () => {
  it.live("returns its exit code and its output, standard error too", () =>
    Effect.gen(function* () {
      const outcome = yield* runIn(aFolder(), "echo one; echo two >&2; exit 7")
      assert.strictEqual(outcome.status, "exited")
      assert.strictEqual(outcome.exit_code, 7)
      assert.deepStrictEqual(outcome.output.trim().split("\n").sort(), ["one", "two"])
      const killed = yield* runIn(aFolder(), "kill -9 $$")
      assert.strictEqual(killed.exit_code, 137)
    })
  )

  it.live("writes in the work tree and in a /tmp of its own, and nowhere else", () =>
    Effect.gen(function* () {
      const dataDir = aFolder()
      const folder = join(dataDir, "trees/1")
      mkdirSync(folder, { recursive: true })
      const targets = [
        "/usr/x",
        "/etc/x",
        "/x",
        "/dev/x",
        "/proc/x",
        `${dataDir}/x`,
        `${withinTheProject}/x`,
        "/root/x"
      ]
      // Places are named by their number: redaction may take the letters of a made-up path for a credential.
      const attempts = targets
        .map((path, place) => `{ echo x > '${path}'; } 2> /dev/null && echo wrote ${place}`)
        .join("; ")
      const outcome = yield* runIn(
        folder,
        `echo x > kept; echo y > /tmp/gone; ${attempts}; ls /tmp/gone kept`,
        {},
        { dataDir }
      )
      // A private copy of the data folder's path, so that the work tree can be below it; it ends with the command.
      assert.strictEqual(outcome.output.replace(`wrote ${targets.indexOf(`${dataDir}/x`)}\n`, ""), "/tmp/gone\nkept\n")
      assert.strictEqual(readFileSync(join(folder, "kept"), "utf8"), "x\n")
      for (const path of ["/tmp/gone", ...targets]) assert.isFalse(existsSync(path), path)
    })
  )

  it.live("sees neither the data folder, nor other repositories, homes, sockets or passwords of the machine", () =>
    Effect.gen(function* () {
      const dataDir = aFolder()
      writeFileSync(join(dataDir, "secret.key"), "key")
      const hidden = [
        join(dataDir, "secret.key"),
        withinTheProject,
        "/root",
        "/home",
        "/run",
        "/var",
        "/sys",
        "/etc/shadow"
      ]
      const { output } = yield* runIn(
        aFolder(),
        hidden.map((path) => `[ -e '${path}' ] && echo 'seen ${path}'`).join("; "),
        {},
        { dataDir }
      )
      assert.strictEqual(output, "")
    })
  )

  it.live("hides repositories that are inside a folder of the system", () =>
    Effect.gen(function* () {
      const { output } = yield* runIn(aFolder(), "ls /usr/share/doc | wc -l", {}, { localRoots: ["/usr/share/doc"] })
      assert.strictEqual(output.trim(), "0")
    })
  )

  it.live("has no network, not even to this machine", () =>
    Effect.gen(function* () {
      const server = createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1")
      yield* Effect.async<void>((resume) => void server.once("listening", () => resume(Effect.void)))
      const address = server.address()
      const port = typeof address === "object" ? address?.port : null
      const connect = `require("net").connect(${port}, "127.0.0.1").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))`
      const { output } = yield* runIn(aFolder(), `node -e '${connect}'; grep -c : /proc/net/dev`)
      server.close()
      assert.match(output, /^(?:ECONNREFUSED|ENETUNREACH|EADDRNOTAVAIL)\n1\n$/)
    })
  )

  it.live("gets no variable of the service", () =>
    Effect.gen(function* () {
      process.env.SANDBOX_TEST_TOKEN = "secret"
      const { output } = yield* runIn(aFolder(), "env; cat /proc/1/environ /proc/self/environ | tr '\\0' '\\n'")
      const names = new Set(output.match(/^\w+(?==)/gm) ?? [])
      for (const name of ["PWD", "OLDPWD", "SHLVL", "_", "ASSAY_PROCESS_TREE"]) names.delete(name)
      assert.deepStrictEqual([...names].sort(), ["CI", "HOME", "LANG", "PATH", "TMPDIR"])
    })
  )

  it.live("cannot get more rights: no settings of the kernel, no further namespaces, no mounts", () =>
    Effect.gen(function* () {
      const attempts = [
        "{ echo x > /proc/sys/kernel/core_pattern; } 2> /dev/null",
        "unshare --user --map-root-user true 2> /dev/null",
        "mount -t tmpfs none /usr 2> /dev/null",
        "mount -o remount,rw /usr 2> /dev/null",
        "umount /usr 2> /dev/null",
        "{ echo 1 > /proc/1/oom_score_adj; } 2> /dev/null && kill -9 1 && [ ! -d /proc/1 ]"
      ]
      const { output } = yield* runIn(aFolder(), attempts.map((line, i) => `${line} && echo ${i} worked`).join("\n"))
      assert.strictEqual(output, "")
    })
  )

  it.live("is ended with everything it started, when it ends, after its time and by an interruption", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      const daemon = (mark: string) => `setsid -f env -i sh -c 'touch started-${mark}; exec sleep 1000000.${mark}'`
      yield* runIn(folder, `${daemon("20271")}; while [ ! -e started-20271 ]; do :; done`)
      assert.deepStrictEqual(processesWith("1000000.20271"), [])
      const timedOut = yield* runIn(folder, `${daemon("20272")}; sleep 1000000.20272`, { timeout: "3 seconds" })
      assert.strictEqual(timedOut.status, "timeout")
      assert.isNull(timedOut.exit_code)
      assert.deepStrictEqual(processesWith("1000000.20272"), [])
      const fiber = yield* Effect.fork(runIn(folder, `${daemon("20273")}; sleep 1000000.20273`))
      yield* appeared(folder, "started-20273")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(processesWith("1000000.20273"), [])
    })
  )

  it.live("is ended when it takes more than its caps", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      writeFileSync(join(folder, "agent.mjs"), readFileSync(script))
      for (const mode of ["memory", "fork_bomb", "flood"]) {
        const command = `node agent.mjs ${mode} < /dev/null`
        const { status } = yield* runIn(folder, command, { memoryMb: 300, maxProcesses: 40 })
        assert.strictEqual(status, "resource_limit", mode)
      }
    })
  )

  it.live("has its output redacted, and of a long one the beginning and the end", () =>
    Effect.gen(function* () {
      const key = ["AKIA", "QYLPMN5HHHFPZAM2"].join("")
      const { output } = yield* runIn(aFolder(), `echo start ${key}; seq 100000; echo end ${key}`)
      assert.match(output, /^start \[redacted\]\n1\n2\n/)
      assert.match(output, /\[\d+ bytes or more left out\]\n/)
      assert.match(output, /\n100000\nend \[redacted\]\n$/)
      assert.isBelow(output.length, 140_000)
    })
  )

  it.live("treats the path of its work tree as a path", () =>
    Effect.gen(function* () {
      const folder = join(aFolder(), "a b'$(touch x)\\n;\"ü")
      mkdirSync(folder)
      const outcome = yield* runIn(folder, "touch here; ls")
      assert.strictEqual(outcome.output, "here\n")
      assert.isTrue(existsSync(join(folder, "here")))
    })
  )
})

describe("The sandbox", () => {
  it.live("is available here", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* sandbox(({ available }) => available), { ok: true })
    })
  )

  it.live("names the variable where the operator has not allowed commands", () =>
    Effect.gen(function* () {
      const { reason } = yield* Effect.flip(runIn(aFolder(), "true", {}, { allowCommands: false }))
      assert.match(reason, /ASSAY_ALLOW_COMMANDS=true/)
    })
  )

  it.live("says what is missing where there are no namespaces, and runs nothing", () =>
    Effect.gen(function* () {
      const path = process.env.PATH
      const folder = aFolder()
      const reasonWith = (tool: string) =>
        Effect.suspend(() => {
          const bin = aFolder()
          writeFileSync(join(bin, "setpriv"), tool)
          chmodSync(join(bin, "setpriv"), 0o755)
          process.env.PATH = tool === "" ? "/nonexistent" : bin
          return Effect.flip(runIn(folder, "touch ran"))
        }).pipe(
          Effect.map(({ reason }) => reason),
          Effect.ensuring(
            Effect.sync(() => {
              process.env.PATH = path
            })
          )
        )
      assert.match(yield* reasonWith(""), /`setpriv` is not installed; install util-linux/)
      const denied = "#!/bin/sh\necho 'unshare: unshare failed: Operation not permitted' >&2; exit 1\n"
      assert.match(yield* reasonWith(denied), /does not allow user namespaces/)
      const old = "#!/bin/sh\necho \"unshare: unrecognized option '--map-user=0'\" >&2; exit 1\n"
      assert.match(yield* reasonWith(old), /util-linux 2\.38 or newer/)
      assert.isFalse(existsSync(join(folder, "ran")))
    })
  )
})
