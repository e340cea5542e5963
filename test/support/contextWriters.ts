import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { ContextStatus } from "../../src/schema/TeamContext.ts"
import type { Address } from "../../src/services/context/TeamContext.ts"
import type { Chance } from "./generate.ts"
import { post } from "./mcp.ts"
import { type Answer, type Call, jsonOf, send } from "./wire.ts"

// Many writers on few entries: what was acknowledged to each is kept, and compared with what the database holds afterwards.

export interface Writer {
  /** As history names it. */
  readonly name: string
  readonly as: NonNullable<Call["as"]>
  readonly chance: Chance
  /** What this writer has last seen of each entry, which others may have changed since. */
  readonly seen: Map<string, string>
}

export interface Slot {
  readonly level: Address
  readonly key: string
}

type Action = "create" | "put" | "patch" | "disable" | "restore" | "confirm" | "corroborate"

/** A write that the service said is done. */
export interface Acknowledged {
  readonly action: Action
  readonly writer: Writer
  readonly id: string
  readonly version: number
  readonly status: ContextStatus
  readonly title: string
  readonly data: Readonly<Record<string, unknown>>
  /** What was asked for. */
  readonly mark: Mark
}

/** What no other write says. */
interface Mark {
  readonly title: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface Record32 {
  readonly acknowledged: Array<Acknowledged>
  readonly rejections: Map<string, number>
  readonly interfaces: Map<"rest" | "mcp", number>
}

export const isKey = ({ as }: Writer): boolean => typeof as === "string"

const often: ReadonlyArray<Action> = [
  "create",
  "put",
  "put",
  "patch",
  "patch",
  "patch",
  "disable",
  "restore",
  "restore"
]
const actionsOf = (writer: Writer): ReadonlyArray<Action> =>
  isKey(writer) ? [...often, "corroborate", "corroborate"] : [...often, "confirm", "confirm"]

const nobodys = "01a1f84d-0000-7000-8000-0000000000aa:1"

interface Attempt {
  readonly rest: Call
  readonly tool?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
}

const prefixOf = (level: Address) => (level === null ? "/api/context" : `/api/projects/${level}/context`)

const attemptOf = (action: Action, { level, key }: Slot, etag: string | undefined, mark: Mark): Attempt => {
  const path = `${prefixOf(level)}/entries/${key}`
  const at = { ...(level === null ? {} : { project: level }), key }
  const seen = { ...at, expected_etag: etag ?? nobodys }
  const headers = { "if-match": `"${etag ?? nobodys}"` }
  const content = { kind: "note", summary: "What is known.", ...mark }
  switch (action) {
    case "create":
      return {
        rest: { path: `${prefixOf(level)}/entries`, json: { key, ...content } },
        tool: { name: "create_context_entry", arguments: { ...at, ...content } }
      }
    case "put":
      return {
        rest: {
          method: "PUT",
          path,
          headers: etag === undefined ? { "if-none-match": "*" } : headers,
          json: content
        },
        tool: { name: "upsert_context_entry", arguments: { ...(etag === undefined ? at : seen), ...content } }
      }
    case "patch":
      return {
        rest: { method: "PATCH", path, headers, json: mark },
        tool: { name: "update_context_entry", arguments: { ...seen, ...mark } }
      }
    case "disable":
      return {
        rest: { method: "DELETE", path, headers, json: { reason: mark.title } },
        tool: { name: "disable_context_entry", arguments: { ...seen, reason: mark.title } }
      }
    case "restore":
      return {
        rest: { method: "POST", path: `${path}/restore` },
        tool: { name: "restore_context_entry", arguments: at }
      }
    case "confirm":
      return { rest: { method: "POST", path: `${path}/confirm`, headers } }
    case "corroborate":
      return {
        rest: { method: "POST", path: `${path}/corroborate`, headers },
        tool: { name: "corroborate_context_entry", arguments: seen }
      }
  }
}

interface Outcome {
  readonly code: string
  readonly entry: Omit<Acknowledged, "action" | "writer" | "mark">
}

/** A busy server rejects a call before it looks at anything of it: such a call is made again, as clients do. */
const admitted = <E, R>(call: Effect.Effect<Answer, E, R>) =>
  Effect.repeat(call, { until: ({ status, text }) => status !== 503 || !text.includes('"server_busy"') })

const overRest = (writer: Writer, call: Call) =>
  Effect.map(admitted(send({ ...call, as: writer.as })), (answer): Outcome => {
    assert.isBelow(answer.status, 500, answer.text)
    const body = jsonOf(answer) as { readonly error?: { readonly code: string } }
    return { code: body.error?.code ?? "ok", entry: body as unknown as Outcome["entry"] }
  })

/** `null` when the endpoint's budget of the key is used up for now: the other interface then reports the same. */
const overMcp = (writer: Writer, params: NonNullable<Attempt["tool"]>) =>
  Effect.map(
    admitted(post(String(writer.as), { jsonrpc: "2.0", id: 1, method: "tools/call", params })),
    (answer): Outcome | null => {
      if (answer.status === 429) return null
      assert.strictEqual(answer.status, 200, answer.text)
      const { result } = jsonOf(answer) as unknown as {
        readonly result: { readonly isError?: boolean; readonly structuredContent: Record<string, unknown> }
      }
      const { error } = result.structuredContent as { readonly error?: { readonly code: string } }
      assert.notStrictEqual(error?.code, "internal_error", answer.text)
      return { code: error?.code ?? "ok", entry: result.structuredContent as unknown as Outcome["entry"] }
    }
  )

/** Reads the entry that applies, which at a project may be the workspace's. */
const look = (writer: Writer, { level, key }: Slot) =>
  Effect.map(admitted(send({ path: `${prefixOf(level)}/entries/${key}`, as: writer.as })), (answer) => {
    assert.include([200, 404], answer.status, answer.text)
    return answer.status === 200 ? String(jsonOf(answer).etag) : undefined
  })

const readSet = (writer: Writer, level: Address) =>
  Effect.map(admitted(send({ path: `${prefixOf(level)}/entries`, as: writer.as })), (answer) => {
    assert.strictEqual(answer.status, 200, answer.text)
    const keys = (jsonOf(answer).data as ReadonlyArray<{ readonly key: string }>).map(({ key }) => key)
    assert.strictEqual(new Set(keys).size, keys.length, "two entries of one key apply at once")
  })

/** One write, through either interface, with a fresh ETag or one that may be stale. */
export const writeOnce = (record: Record32, writer: Writer, slots: ReadonlyArray<Slot>, n: number) =>
  Effect.gen(function* () {
    const { chance, seen } = writer
    const slot = chance.pick(slots)
    if (chance.oneIn(10)) yield* readSet(writer, slot.level)
    const place = `${slot.level}/${slot.key}`
    if (chance.oneIn(2)) {
      const etag = yield* look(writer, slot)
      if (etag === undefined) seen.delete(place)
      else seen.set(place, etag)
    }
    const action = chance.pick(actionsOf(writer))
    const mark = { title: `${writer.name}, write ${n}`, data: { [writer.name]: n, last: writer.name } }
    const { rest, tool } = attemptOf(action, slot, seen.get(place), mark)
    const toolResult = tool !== undefined && isKey(writer) && chance.oneIn(2) ? yield* overMcp(writer, tool) : null
    const { code, entry } = toolResult ?? (yield* overRest(writer, rest))
    const used = toolResult === null ? "rest" : "mcp"
    record.interfaces.set(used, (record.interfaces.get(used) ?? 0) + 1)
    if (code !== "ok") {
      record.rejections.set(code, (record.rejections.get(code) ?? 0) + 1)
      return
    }
    const { id, version, status, title, data } = entry
    record.acknowledged.push({ action, writer, id, version, status, title, data, mark })
    seen.set(place, `${id}:${version}`)
  })
