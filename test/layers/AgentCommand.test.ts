import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { AgentCommand } from "../../src/layers/AgentCommand.ts"
import { isolationState } from "../../src/layers/process/isolationState.ts"
import { type AgentRequest, AgentRunner } from "../../src/services/ports/AgentRunner.ts"
import { aFolder } from "../support/gitRepository.ts"
import { processesWith } from "../support/processes.ts"
import { scriptedAgent } from "../support/scriptedAgent.ts"

type Options = Parameters<typeof AgentCommand.layer>[0]

const defaults: Options = {
  command: null,
  environment: [],
  timeoutSeconds: 300,
  memoryMb: 1024,
  maxUsd: 5,
  maxProcesses: 64,
  dataDir: aFolder()
}

/** Runs the scripted agent in a folder with one file. */
const runAgent = (mode: string, options: Partial<Options> = {}, request: Partial<AgentRequest> = {}) => {
  const folder = request.folder ?? aFolder()
  writeFileSync(join(folder, "a.txt"), "old\n")
  const layer = AgentCommand.layer({ ...defaults, command: `${scriptedAgent} ${mode}`, ...options })
  return Effect.flatMap(AgentRunner, (agent) =>
    agent.run({ folder, brief: "The brief.", budgetUsd: 1, timeout: "5 minutes", ...request })
  ).pipe(Effect.provide(layer))
}

const failureOf = (mode: string, options: Partial<Options> = {}, request: Partial<AgentRequest> = {}) =>
  Effect.flip(runAgent(mode, options, request))

const quoted = (direction: object) => `'${JSON.stringify(direction)}'`
const anEdit = { path: "a.txt", find: "old", replace: "new" }

/** Namespaces need the kernel's permission; tests of what they promise say so instead of passing without them. */
const isolation = isolationState({ readable: ["/"], hidden: [], shown: [], network: true })
const needsNamespaces = Effect.tap(isolation, (state) => assert.deepStrictEqual(state, { ok: true }))

describe("AgentCommand", () => {
  it.live("returns the summary and the cost of the report, and leaves the edits in place", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      const report = { cost_usd: 0.5, summary: "Replaced a word." }
      const outcome = yield* runAgent(quoted({ mode: "success", edits: [anEdit], report }), {}, { folder })
      assert.deepStrictEqual(outcome, report)
      assert.strictEqual(readFileSync(join(folder, "a.txt"), "utf8"), "new\n")
    })
  )

  it.live("takes a report without cost and summary, whatever was printed before", () =>
    Effect.gen(function* () {
      const outcome = yield* runAgent("", { command: `cat > /dev/null; echo working; echo '{"other": 1}'; echo` })
      assert.deepStrictEqual(outcome, { summary: null, cost_usd: 0 })
    })
  )

  it.live("fails a run whose last line is junk, or that prints nothing", () =>
    Effect.gen(function* () {
      const commands = [
        ...["junk", "silent"].map((mode) => `${scriptedAgent} ${mode}`),
        ...[`echo '{"cost_usd": -1}'`, `echo '{"cost_usd": "1"}'`, "echo '[]'", `echo '{"summary": 3}'`],
        ...[`echo '{"cost_usd": 1}'; echo done`, `head -c 200000 /dev/zero | tr '\\0' '{'`]
      ]
      for (const command of commands) {
        const { kind, message } = yield* failureOf("", { command })
        assert.strictEqual(kind, "agent_failed", command)
        assert.match(message, /^The last line of the agent's output is not a JSON object/, command)
      }
    })
  )

  it.live("fails a run that ends with an exit code, with the end of its output", () =>
    Effect.gen(function* () {
      const { kind, message, cost_usd } = yield* failureOf("crash")
      assert.strictEqual(kind, "agent_failed")
      assert.match(message, /exit code 3\.\nThe end of its output:\npanic: the model did not answer$/)
      assert.strictEqual(cost_usd, 0)
    })
  )

  it.live("says which variable names an agent where none is configured", () =>
    Effect.gen(function* () {
      const { message } = yield* failureOf("", { command: null })
      assert.match(message, /ASSAY_AGENT_COMMAND/)
    })
  )

  it.live("fails a command that does not exist", () =>
    Effect.gen(function* () {
      const { kind, message } = yield* failureOf("", { command: "no-such-agent --do" })
      assert.strictEqual(kind, "agent_failed")
      assert.match(message, /exit code 127/)
    })
  )

  it.live("stops a run once it reports more than it may cost, and keeps the cost", () =>
    Effect.gen(function* () {
      const costs: Array<number> = []
      const onCost = (usd: number) => Effect.sync(() => void costs.push(usd))
      for (const mode of ["over_budget", "over_budget_at_the_end"]) {
        const { kind, cost_usd, message } = yield* failureOf(mode, {}, { onCost })
        assert.strictEqual(kind, "budget_exceeded")
        assert.strictEqual(cost_usd, 1000)
        assert.match(message, /\$1000, and this run may cost \$1 /)
      }
      assert.deepStrictEqual(costs, [1000, 1000])
      const byInstallation = yield* failureOf("over_budget", { maxUsd: 0.1 }, { budgetUsd: 2000 })
      assert.strictEqual(byInstallation.kind, "budget_exceeded")
    })
  )

  it.live("counts what an agent reports while it works, and never less later", () =>
    Effect.gen(function* () {
      const costs: Array<number> = []
      const lines = [0.1, 0.3, 0.2].map((usd) => `echo '{"cost_usd": ${usd}}'`).join("; ")
      const outcome = yield* runAgent(
        "",
        { command: lines },
        { onCost: (usd) => Effect.sync(() => void costs.push(usd)) }
      )
      assert.deepStrictEqual(costs, [0.1, 0.3])
      assert.strictEqual(outcome.cost_usd, 0.3)
    })
  )

  it.live("hides credentials in the summary and in messages, and the values of the agent's own variables", () =>
    Effect.gen(function* () {
      const outcome = yield* runAgent("secret_output")
      assert.strictEqual(outcome.summary, "Used the key [redacted].")
      const { message } = yield* failureOf("secret_crash")
      assert.match(message, /using the key \[redacted\]/)
      process.env.AGENT_TEST_KEY = "a plain value"
      const own = yield* failureOf("", { command: "echo $AGENT_TEST_KEY; exit 1", environment: ["AGENT_TEST_KEY"] })
      assert.match(own.message, /output:\n\[redacted\]$/)
    })
  )

  it.live("gives the agent a clean environment: allowed variables, a home and a temporary folder of its own", () =>
    Effect.gen(function* () {
      process.env.AGENT_TEST_ALLOWED = "yes"
      process.env.AGENT_TEST_OTHER = "no"
      const command = `cat > brief.txt; env > env.txt; pwd > pwd.txt; ls "$HOME" > home.txt; echo '{}'`
      const folder = aFolder()
      yield* runAgent("", { command, environment: ["AGENT_TEST_ALLOWED", "AGENT_TEST_MISSING"] }, { folder })
      const content = (name: string) => readFileSync(join(folder, name), "utf8")
      const names = content("env.txt").match(/^\w+(?==)/gm) ?? []
      assert.deepStrictEqual(names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name)).sort(), [
        "AGENT_TEST_ALLOWED",
        "ASSAY_PROCESS_TREE",
        "HOME",
        "LANG",
        "PATH",
        "TMPDIR"
      ])
      assert.strictEqual(content("brief.txt"), "The brief.")
      assert.strictEqual(content("home.txt"), "")
      assert.strictEqual(content("pwd.txt").trim(), folder)
      assert.notInclude(content("env.txt"), `HOME=${process.env.HOME}\n`)
    })
  )

  it.live("hands over a large brief, and does not mind an agent that does not read it", () =>
    Effect.gen(function* () {
      const brief = "x".repeat(3_000_000)
      const outcome = yield* runAgent("", { command: `printf '{"summary": "%s"}' "$(wc -c)"` }, { brief })
      assert.strictEqual(outcome.summary, "3000000")
      yield* runAgent("", { command: "exec 0<&-; echo '{}'" }, { brief })
    })
  )

  it.live("stops a flood of output", () =>
    Effect.gen(function* () {
      const { kind, message } = yield* failureOf("flood")
      assert.strictEqual(kind, "resource_limit")
      assert.match(message, /more than 64 MB of output/)
      assert.isBelow(message.length, 6000)
    })
  )
})

// Some wait for the end of what they start.
describe.concurrent("An agent's processes in namespaces", () => {
  it.live("end with a run that hangs, also those in a session and an environment of their own", () =>
    Effect.gen(function* () {
      yield* needsNamespaces
      const { kind, message } = yield* failureOf("hang 20261", {}, { timeout: "3 seconds" })
      assert.strictEqual(kind, "timeout")
      assert.match(message, /took longer than 3s/)
      assert.deepStrictEqual(processesWith("1000000.20261"), [])
    })
  )

  it.live("end with a run that succeeds", () =>
    Effect.gen(function* () {
      yield* needsNamespaces
      const folder = aFolder()
      yield* runAgent("orphans 20262", {}, { folder })
      assert.isTrue(existsSync(join(folder, "orphan-20262")))
      assert.deepStrictEqual(processesWith("1000000.20262"), [])
    })
  )

  it.live("end with a run that is interrupted", () =>
    Effect.gen(function* () {
      yield* needsNamespaces
      const isWorking = yield* Deferred.make<void>()
      const command = `${scriptedAgent} orphans 20263; sleep 1000000.20263`
      const fiber = yield* Effect.fork(
        runAgent("", { command }, { onCost: () => Effect.asVoid(Deferred.succeed(isWorking, undefined)) })
      )
      yield* Effect.raceFirst(Deferred.await(isWorking), Fiber.join(fiber))
      assert.isNotEmpty(processesWith("1000000.20263"))
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(processesWith("1000000.20263"), [])
    })
  )

  it.live("are held by the caps when they are a fork bomb", () =>
    Effect.gen(function* () {
      yield* needsNamespaces
      const { kind, message } = yield* failureOf("fork_bomb", { maxProcesses: 40 })
      assert.strictEqual(kind, "resource_limit")
      assert.match(message, /more than 40 processes \(ASSAY_AGENT_MAX_PROCESSES\)/)
      assert.deepStrictEqual(processesWith("bomb | bomb"), [])
    })
  )

  it.live("are stopped when they hold too much memory together", () =>
    Effect.gen(function* () {
      yield* needsNamespaces
      const { kind, message } = yield* failureOf("memory", { memoryMb: 300 })
      assert.strictEqual(kind, "resource_limit")
      assert.match(message, /more than 300 MB of memory/)
    })
  )

  it.live("cannot write outside the work tree and see neither the data folder nor the machine's sockets", () =>
    Effect.gen(function* () {
      yield* needsNamespaces
      const dataDir = aFolder()
      writeFileSync(join(dataDir, "secret.key"), "key")
      const folder = join(dataDir, "trees/1")
      mkdirSync(folder, { recursive: true })
      const outside = join(fileURLToPath(new URL("..", import.meta.url)), "outside-of-every-tree.txt")
      yield* runAgent(quoted({ mode: "outside", outside, edits: [anEdit] }), { dataDir }, { folder })
      assert.isFalse(existsSync(outside))
      assert.isFalse(existsSync(join(dataDir, "trees/outside.txt")))
      assert.strictEqual(readFileSync(join(folder, "a.txt"), "utf8"), "new\n")
      const seen = yield* runAgent(
        `peek '${dataDir}/secret.key' /run/systemd /run/lock '${folder}/a.txt'`,
        { dataDir },
        { folder }
      )
      assert.strictEqual(seen.summary, `seen: ${folder}/a.txt`)
    })
  )
})

describe("An agent's processes without namespaces", () => {
  /** No `setpriv` on the search path: namespaces cannot be made. */
  const withoutTools = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const path = process.env.PATH
      const bin = aFolder()
      for (const name of ["node", "sh", "env", "setsid", "touch", "sleep", "cat"]) {
        writeFileSync(join(bin, name), `#!/bin/sh\nPATH='${path}' exec ${name} "$@"\n`)
        chmodSync(join(bin, name), 0o755)
      }
      process.env.PATH = bin
      return Effect.ensuring(
        effect,
        Effect.sync(() => {
          process.env.PATH = path
        })
      )
    })

  it.live("are found by parents, groups, sessions and environments, and end with the run", () =>
    withoutTools(
      Effect.gen(function* () {
        assert.isFalse((yield* isolation).ok)
        const inSession = `setsid sh -c 'exec sleep 1000000.20264' & echo '{"cost_usd": 0.1}'; sleep 1000000.20264`
        const started = yield* Deferred.make<void>()
        const fiber = yield* Effect.fork(
          runAgent("", { command: inSession }, { onCost: () => Effect.asVoid(Deferred.succeed(started, undefined)) })
        )
        yield* Effect.raceFirst(Deferred.await(started), Fiber.join(fiber))
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(processesWith("1000000.20264"), [])
        const { kind } = yield* failureOf("many_processes 80", { maxProcesses: 30 })
        assert.strictEqual(kind, "resource_limit")
        const tooLarge = yield* failureOf("memory", { memoryMb: 300 })
        assert.strictEqual(tooLarge.kind, "resource_limit")
      })
    )
  )
})
