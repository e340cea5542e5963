import { Effect, Schedule, type Scope } from "effect"
import type { Files } from "./gitRepository.ts"
import { type Answer, call, type RunningServer, readEvents } from "./server.ts"

/** A mission as its record shows it. */
export interface LoopMission {
  readonly ref: string
  readonly status: string
  readonly branch: string | null
  readonly pr_url: string | null
  readonly budget_usd: number
  readonly spent_usd: number
  readonly reserved_usd: number
  readonly waiting: { readonly kind: string; readonly message: string } | null
  readonly steps: ReadonlyArray<{
    readonly id: string
    readonly title: string
    readonly status: string
    readonly observations: ReadonlyArray<string>
    readonly cost_usd: number
    readonly job_id: string | null
    readonly commits: ReadonlyArray<string>
    readonly attempts: number
    readonly failure: string | null
  }>
}

const unsafe = "yaml.load(stream, Loader=yaml.Loader)"

/** A defect that the scripted agent corrects: its directions come after it, where the brief quotes them. */
const directedDefect = (path: string): string => {
  const edits = [{ path, find: `return ${unsafe}`, replace: "return yaml.safe_load(stream)" }]
  return `import yaml


def read_settings(stream):
    return ${unsafe}


# scripted-agent: ${JSON.stringify({ mode: "success", edits })}
`
}

/** So many defects of one rule, each in a file of its own, in the order of their paths. */
export const directedDefects = (count: number): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => `app/part${String(n + 1).padStart(2, "0")}.py`).map((path) => [
      path,
      directedDefect(path)
    ])
  )

type Headers = Readonly<Record<string, string>>

/** A call by the person whose session it is. */
export const callAs = <A>(
  { api }: RunningServer,
  headers: Headers,
  path: string,
  body: unknown = {}
): Effect.Effect<Answer<A>> =>
  Effect.promise(async () => {
    const response = await fetch(`${api}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    return { status: response.status, headers: response.headers, body: (await response.json()) as A }
  })

export const missionAt = (server: RunningServer, key: string, ref: string) =>
  Effect.map(call<LoopMission>(server, key, "GET", `/api/missions/${ref}`), ({ body }) => body)

const spaced: Schedule.Schedule<number, LoopMission> = Schedule.spaced("250 millis")
const everyMoment = Schedule.passthrough(spaced)

/** The mission once this holds. */
export const missionOnce = (
  server: RunningServer,
  key: string,
  ref: string,
  holds: (mission: LoopMission) => boolean
) => Effect.repeat(missionAt(server, key, ref), { until: holds, schedule: everyMoment })

/** Kills the server after this stage of a job, unless the job is past it, and starts it again. */
export const killedAfter = (
  stage: string,
  job_id: string,
  key: string,
  server: RunningServer,
  start: Effect.Effect<RunningServer, never, Scope.Scope>
) =>
  Effect.gen(function* () {
    yield* readEvents(server, key, job_id, (event) => event.type === "stage_completed" && event.stage === stage)
    yield* server.kill
    return yield* start
  })
