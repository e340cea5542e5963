import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { Tool } from "../../src/mcp/Tool.ts"
import { Tools } from "../../src/mcp/Tools.ts"
import { reportCpu } from "../support/cpu.ts"
import { inForm } from "../support/forms.ts"
import { Chance, compiler, hostileJson, type Json, type JsonSchema, mutated, valid } from "../support/generate.ts"
import { post } from "../support/mcp.ts"
import { aWorld, toolSamples } from "../support/samples.ts"
import { TestApp } from "../support/TestApp.ts"
import type { Answer } from "../support/wire.ts"

const total = Number(process.env.ASSAY_GENERATED_REQUESTS ?? inForm({ short: 100, long: 1000 }))
const seed = Number(process.env.ASSAY_GENERATED_SEED ?? 20_261_121)

// A key has 60 calls in a minute; the clock goes on by two seconds after each.
const interval = "2 seconds"

/** Their real work is done elsewhere: nothing of them may reach beyond this machine. */
const isLocal = ({ name }: Tool) => !["register_repository", "preview_repository", "update_repository"].includes(name)

interface Arguments {
  readonly text: string
  /** Not known of JSON that is written by hand. */
  readonly value: Json | undefined
}

const argumentsOf = (chance: Chance, { inputSchema }: Tool, sample: Json): Arguments => {
  const value = chance.oneIn(2) ? sample : valid(chance, inputSchema as JsonSchema)
  const move = chance.below(4)
  if (move === 0) return { text: JSON.stringify(value), value }
  if (move === 3) return { text: hostileJson(chance, value), value: undefined }
  const changed = mutated(chance, move === 1 ? value : mutated(chance, value))
  return { text: JSON.stringify(changed), value: changed }
}

const withoutNulls = (value: Json): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null))
    : value

/** What is wrong with the response to a call, whatever it asked for. */
const objections = (response: Answer, id: number): ReadonlyArray<string> => {
  if (response.status === 413) return response.text.includes('"payload_too_large"') ? [] : ["has no envelope"]
  if (response.status !== 200) return [`has the status ${response.status}`]
  const { id: answered, error, result } = JSON.parse(response.text)
  const found = answered === id ? [] : ["has another id"]
  if (error !== undefined) return error.code === -32602 ? found : [...found, "is a protocol error"]
  const [{ text }] = result.content
  if (result.isError !== true) return found
  if (!/^\[[a-z_]+\] /.test(text)) found.push("has no code")
  if (text.startsWith("[internal_error]")) found.push("is our fault")
  return response.text.length > 34_000 ? [...found, "is large"] : found
}

layer(TestApp)("calls made from the schemas of the tools", (it) => {
  it.effect("never fail, and every rejection is a tool's error under the call's id", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const samples = toolSamples(world)
      const tools = (yield* Tools).filter(isLocal)
      const compile = compiler()
      const validators = new Map(tools.map(({ name, inputSchema }) => [name, compile(inputSchema)]))
      const chance = new Chance(seed)
      const problems: Array<string> = []
      const outcomes = new Map<string, number>()
      const before = process.cpuUsage()
      for (let id = 1; id <= total; id++) {
        const tool = tools[id % tools.length]!
        const { text, value } = argumentsOf(chance, tool, (samples[tool.name] ?? {}) as Json)
        const body = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool.name}","arguments":${text}}}`
        const response = yield* post(world.api_key, undefined, { body })
        const found = [...objections(response, id)]
        const { result } = response.status === 200 ? JSON.parse(response.text) : {}
        const isAccepted = result !== undefined && result.isError === undefined
        if (isAccepted && value !== undefined && validators.get(tool.name)?.(withoutNulls(value)) === false) {
          found.push("accepts what the schema rejects")
        }
        const outcome = /"text":"\[([a-z_]+)\]/.exec(response.text)?.[1] ?? (isAccepted ? "accepted" : response.status)
        outcomes.set(String(outcome), (outcomes.get(String(outcome)) ?? 0) + 1)
        for (const problem of found) {
          problems.push(`${tool.name} ${text.slice(0, 300)}: ${response.text.slice(0, 300)} ${problem}`)
        }
        yield* TestClock.adjust(interval)
      }
      assert.deepStrictEqual(problems.slice(0, 20), [], `${problems.length} problems, seed ${seed}`)
      assert.isAbove(outcomes.get("accepted") ?? 0, total / 20)
      assert.isAbove(outcomes.get("invalid_payload") ?? 0, total / 10)
      reportCpu(total, before, Object.fromEntries(outcomes))
    })
  )
})
