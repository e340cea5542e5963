import { assert, describe, it } from "@effect/vitest"
import { failureKinds } from "../../src/schema/Job.ts"
import type { Schema } from "../../web/src/api/client.ts"
import { eventParser } from "../../web/src/api/eventStream.ts"
import { moneyRange, timeRange } from "../../web/src/parts/forecast/forecastWords.ts"
import { currentOf, isLogged, storyOf } from "../../web/src/parts/stages/story.ts"
import { nextSteps } from "../../web/src/views/job/failureWords.ts"

type JobEvent = Schema<"JobEvent">

const event = (second: number, stage: string, type: JobEvent["type"], data: JobEvent["data"] = null): JobEvent => ({
  ts: `2026-11-20T08:00:${String(second).padStart(2, "0")}.000Z`,
  stage,
  type,
  detail: "",
  data
})

describe("the stages of a job", () => {
  it("are known ahead, and each gets its times from the events", () => {
    const story = storyOf("audit", [
      event(0, "prepare", "stage_started"),
      event(4, "prepare", "stage_completed"),
      event(4, "inspect", "stage_started")
    ])
    assert.deepStrictEqual(
      story.stages.map(({ name, status, endedAt }) => [name, status, endedAt?.slice(17, 19) ?? null]),
      [
        ["prepare", "done", "04"],
        ["inspect", "running", null],
        ["record", "waiting", null]
      ]
    )
  })

  it("hold the phases that start while they run; progress is that of the phase", () => {
    const story = storyOf("audit", [
      event(0, "inspect", "stage_started"),
      event(1, "inventory", "stage_started"),
      event(1, "inventory", "stage_progress", { done: 0, total: 0 }),
      event(2, "inventory", "stage_completed"),
      event(2, "scan", "stage_started"),
      event(3, "scan", "stage_progress", { done: 12, total: 40 })
    ])
    assert.strictEqual(story.stages.length, 3)
    assert.deepStrictEqual(
      story.stages[1]?.phases.map(({ name, status, progress }) => [name, status, progress]),
      [
        ["inventory", "done", null],
        ["scan", "running", { done: 12, total: 40 }]
      ]
    )
    assert.strictEqual(currentOf(story)?.name, "scan")
  })

  it("that a lost worker left half done begin again", () => {
    const story = storyOf("audit", [
      event(0, "inspect", "stage_started"),
      event(1, "scan", "stage_started"),
      event(2, "scan", "stage_progress", { done: 30, total: 40 }),
      event(9, "inspect", "stage_started")
    ])
    assert.deepStrictEqual(story.stages[1]?.phases, [])
    assert.strictEqual(story.stages[1]?.startedAt?.slice(17, 19), "09")
  })

  it("end with the job, also those that took no end of their own", () => {
    const story = storyOf("audit", [
      event(0, "inspect", "stage_started"),
      event(1, "scan", "stage_started"),
      event(5, "job", "status_changed", { intended_status: "cancelled" })
    ])
    assert.strictEqual(story.stages[1]?.status, "stopped")
    assert.strictEqual(story.stages[1]?.phases[0]?.status, "stopped")
    assert.isNull(currentOf(story))
  })

  it("are listed apart from gates, of which the last result counts", () => {
    const story = storyOf("fix", [
      event(0, "check", "stage_started"),
      event(1, "test", "gate_evaluated", { gate_result: "failed", gate_reason: "2 tests fail." }),
      event(2, "test", "gate_evaluated", { gate_result: "passed", gate_reason: "All tests pass." }),
      event(3, "lint", "stage_skipped")
    ])
    assert.deepStrictEqual(
      story.gates.map(({ name, result }) => [name, result]),
      [
        ["test", "passed"],
        ["lint", "skipped"]
      ]
    )
    assert.isFalse(isLogged(event(1, "scan", "stage_progress")))
  })
})

describe("server-sent events", () => {
  const text = ': still here\n\nid: 3\nevent: log\ndata: {"a":1}\n\nid: 4\nevent: log\ndata: one\ndata: two\n\nid: 5\n'

  it("are read whole, wherever the pieces of the response end", () => {
    for (let size = 1; size <= text.length; size++) {
      const parse = eventParser()
      const events = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
        parse(text.slice(n * size, (n + 1) * size))
      ).flat()
      assert.deepStrictEqual(
        events.map(({ id, type, data }) => [id, type, data]),
        [
          ["3", "log", '{"a":1}'],
          ["4", "log", "one\ntwo"]
        ]
      )
    }
  })
})

describe("forecasts and failures in words", () => {
  it("a range has its unit once", () => {
    assert.strictEqual(timeRange(540, 960), "9–16 min")
    assert.strictEqual(timeRange(40, 130), "40 s to 2 min")
    assert.strictEqual(moneyRange(1.4, 2.6), "$1.40–2.60")
    assert.strictEqual(moneyRange(0.001, 0.002), "less than $0.01")
    assert.strictEqual(moneyRange(0.001, 0.5), "less than $0.01 to $0.50")
  })

  it("each way to fail has one sentence on what to do next", () => {
    assert.deepStrictEqual(Object.keys(nextSteps).sort(), Object.keys(failureKinds).sort())
    for (const sentence of Object.values(nextSteps)) assert.match(sentence, /^[A-Z].*\.$/)
  })
})
