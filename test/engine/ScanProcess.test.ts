import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { type Death, deathOf, type ScanEvent, scanInProcess } from "../../src/engine/core/process/ScanProcess.ts"

const root = mkdtempSync(join(tmpdir(), "scan-process-"))
const request = { source: { kind: "worktree", root }, suite: "standard", workers: 1 } as const

const tangled = (depth: number): string =>
  depth === 0 ? "x++" : `if (a${depth} && b${depth}) { for (const c of d) { ${tangled(depth - 1)} } }`

beforeAll(() => {
  execFileSync("git", ["init", "-q", root])
  mkdirSync(join(root, "src"))
  writeFileSync(join(root, "src/a.ts"), `export function knot(d: string[]) { let x = 0; ${tangled(5)} return x }\n`)
  writeFileSync(join(root, "src/picture.png"), new Uint8Array([137, 80, 78, 71, 0, 0]))
})
afterAll(() => rmSync(root, { recursive: true }))

describe("a scan in its own process", () => {
  it.live("returns findings, and reports its stages on the way", () =>
    Effect.gen(function* () {
      const events: Array<ScanEvent> = []
      const result = yield* scanInProcess(request, { onEvent: (event) => Effect.sync(() => events.push(event)) })
      assert.deepStrictEqual(
        result.findings.map((finding) => `${finding.rule_id} ${finding.locations[0].symbol}`),
        ["complexity.cognitive_complexity knot"]
      )
      assert.strictEqual(result.findings[0]!.evidence.detection_query.status, "confirmed")
      assert.deepStrictEqual(result.skipped, [{ path: "src/picture.png", reason: "binary" }])
      const stages = events.flatMap((event) => (event.type === "stage" ? [event.stage] : []))
      assert.deepStrictEqual(stages, ["inventory", "scan", "verify"])
    })
  )

  it.live("reports its CPU time on the way, never less than before nor more than in all", () =>
    Effect.gen(function* () {
      const costs: Array<number> = []
      const result = yield* scanInProcess(
        { ...request, costEveryMs: 5 },
        { onEvent: (event) => Effect.sync(() => event.type === "cost" && costs.push(event.cpu_seconds)) }
      )
      assert.isNotEmpty(costs)
      assert.deepStrictEqual(
        costs,
        [...costs].sort((a, b) => a - b)
      )
      assert.isAtMost(costs.at(-1) ?? 0, result.cpu_seconds + 0.1)
    })
  )

  it.live("ends with the failure of who listens", () =>
    Effect.gen(function* () {
      const listened = scanInProcess(
        { ...request, costEveryMs: 5 },
        { onEvent: () => Effect.fail("too dear" as const) }
      )
      assert.strictEqual(yield* Effect.flip(listened), "too dear")
    })
  )

  const rejections = [
    ["repo_unavailable", { ...request, source: { kind: "worktree", root: join(root, "nowhere") } }, {}],
    ["timeout", request, { wallTime: "1 millis" }],
    ["resource_limit", request, { maxRssBytes: 1_000_000 }],
    ["resource_limit", request, { maxHeapMb: 2 }]
  ] as const
  for (const [reason, asked, limits] of rejections) {
    it.live(`fails with ${reason} under ${JSON.stringify(limits)}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(scanInProcess(asked, { limits }))
        assert.strictEqual(error.reason, reason)
        assert.isAbove(error.message.length, 20)
      })
    )
  }

  it.live("ends when the caller is interrupted", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(
        scanInProcess(request, { onEvent: () => Effect.zipRight(Deferred.succeed(started, undefined), Effect.never) })
      )
      yield* Deferred.await(started)
      const exit = yield* Fiber.interrupt(fiber)
      assert.strictEqual(exit._tag, "Failure")
    })
  )

  it.live("that dies of a signal is reported with that signal, and only a kill is taken for a lack of memory", () =>
    Effect.gen(function* () {
      const outcome = (signal: NodeJS.Signals) =>
        scanInProcess(request, {
          onEvent: () =>
            Effect.sync(() => {
              for (const pid of childrenRunning("scan-process")) process.kill(pid, signal)
            })
        }).pipe(
          Effect.flip,
          Effect.map(({ reason, message }) => [reason, message])
        )
      for (const signal of ["SIGSEGV", "SIGBUS", "SIGABRT"] as const) {
        assert.deepStrictEqual(yield* outcome(signal), [
          "internal",
          `The scanning process was ended by the signal ${signal}.`
        ])
      }
      assert.strictEqual((yield* outcome("SIGKILL"))[0], "resource_limit")
    })
  )
})

/** Processes that this one started, by a word of their command line. */
const childrenRunning = (word: string) =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => Number(match?.[2]) === process.pid && match?.[3]?.includes(word))
    .map((match) => Number(match?.[1]))

const died = (death: Partial<Death>) => deathOf({ code: null, signal: null, stderr: "", ...death }).reason

it("a full heap is a resource limit, a full disk is one of its own, whatever the process returns", () => {
  const heap = "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"
  assert.strictEqual(died({ signal: "SIGABRT", stderr: heap }), "resource_limit")
  assert.strictEqual(died({ code: 134, stderr: heap }), "resource_limit")
  for (const phase of ["Fatal javascript OOM in GC during deserialization", "Fatal JavaScript out of memory: GC"]) {
    assert.strictEqual(died({ signal: "SIGTRAP", stderr: phase }), "resource_limit")
  }
  assert.strictEqual(died({ code: 137 }), "resource_limit")
  assert.strictEqual(died({ code: 1, stderr: "fatal: write error: No space left on device" }), "disk_full")
  assert.strictEqual(died({ code: 139 }), "internal")
  assert.include(deathOf({ code: 139, signal: null, stderr: "" }).message, "SIGSEGV")
  assert.strictEqual(died({ code: 7 }), "internal")
  assert.strictEqual(died({ stderr: "spawn node ENOENT" }), "internal")
})
