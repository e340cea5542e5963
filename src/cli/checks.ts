import { Effect } from "effect"
import type { AppConfig } from "../layers/Config.ts"
import { type Found, fail, ok } from "../layers/checks/Found.ts"
import { machineChecks } from "../layers/checks/machineChecks.ts"
import { database } from "./databaseCheck.ts"
import { explain } from "./failures.ts"

export interface CheckResult extends Pick<Found, "status" | "detail"> {
  readonly name: string
}

const squash = (cause: { readonly _tag: string }): unknown =>
  "error" in cause ? cause.error : "defect" in cause ? cause.defect : cause

const check = <E>(name: string, effect: Effect.Effect<Found, E>): Effect.Effect<CheckResult> =>
  effect.pipe(
    Effect.timeout("60 seconds"),
    Effect.sandbox,
    Effect.match({
      onSuccess: ({ status, detail }) => ({ name, status, detail }),
      onFailure: (cause) => ({ name, ...fail(explain(squash(cause))) })
    })
  )

interface Ports {
  readonly portProblems: (args: ReadonlyArray<string>, environment: NodeJS.ProcessEnv) => Promise<ReadonlyArray<string>>
}

/** As `assay serve` looks at them; a server that runs already holds them itself. */
const ports = (running: number | null) =>
  running !== null
    ? Effect.succeed(ok(`served by process ${running}`))
    : Effect.promise(async () => {
        const { portProblems }: Ports = await import(new URL("../../bin/ports.js", import.meta.url).href)
        const problems = await portProblems(["serve"], process.env)
        return problems.length === 0
          ? ok("free")
          : fail(problems.map((problem) => problem.replace(/^assay: /, "")).join(" "))
      })

/** What `assay doctor` reports. It looks and connects, and changes nothing. */
export const runChecks = (config: AppConfig): Effect.Effect<ReadonlyArray<CheckResult>> =>
  Effect.gen(function* () {
    const { running, results } = yield* database(config)
    const { settings, node, git, memory, disk, ...others } = machineChecks(config)
    const checks = { settings, node, git, memory, disk, ...results, ports: ports(running), ...others }
    return yield* Effect.all(Object.entries(checks).map(([name, effect]) => check<unknown>(name, effect)))
  })
