import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import { Fixes } from "../../src/services/fixes/Fixes.ts"
import { RepositoryTexts } from "../../src/services/settings/RepositoryTexts.ts"
import { asOwner } from "./Database.ts"
import { as } from "./jobs.ts"
import { aWorkplace, observed, ran, workshopWith } from "./workflows.ts"

export const settings = `import yaml


def read_settings(stream):
    return yaml.load(stream, Loader=yaml.Loader)
`
const rule = "insecure_deserialization.unsafe_yaml_load"

export interface Direction {
  readonly mode: string
  readonly edits?: ReadonlyArray<object>
  readonly later?: Direction
}

/** Edits are of the file of the finding. */
export const replacing = (replace: string) => ({ find: "yaml.load(stream, Loader=yaml.Loader)", replace })
export const safe = replacing("yaml.safe_load(stream)")

const audited = Effect.gen(function* () {
  const paths = Array.from({ length: 12 }, (_, n) => `app${n}/settings.py`)
  const { repository, tenant } = yield* aWorkplace(Object.fromEntries(paths.map((path) => [path, settings])))
  yield* ran(tenant, "audit")
  const found = [...(yield* observed(tenant)).values()].filter(({ rule_id }) => rule_id === rule)
  return { repository, tenant, unfixed: found }
})

/** One audit of as many equal files as there are tests: each fixes another one. */
class Audited extends Context.Tag("test/Audited")<Audited, Effect.Effect.Success<typeof audited>>() {}

export const auditedWith = (outside: Parameters<typeof workshopWith>[0]) =>
  Layer.scoped(Audited, Effect.orDie(audited)).pipe(Layer.provideMerge(workshopWith(outside)))

const branchesOf = ({ repository }: typeof Audited.Service) =>
  repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/assay").split("\n")

const editing = (path: string, { edits = [], later, ...direction }: Direction): Direction => ({
  ...direction,
  edits: edits.map((edit) => ({ path, ...edit })),
  ...(later === undefined ? {} : { later: editing(path, later) })
})

/** A fix by the agent, which follows directions that reach it as guidance of the repository. */
export const fixedBy = (direction: Direction, runner: "rules" | "agent" | "rules_then_agent" = "agent") =>
  Effect.gen(function* () {
    const world = yield* Audited
    const { repository, tenant, unfixed } = world
    const { ref, locations } = unfixed.shift()!
    const path = locations![0]!.file_path
    const sql = yield* SqlClient.SqlClient
    yield* asOwner(sql`UPDATE workspaces SET fix_runner = ${runner} WHERE id = ${tenant.caller.workspace_id}`)
    const guidance = `scripted-agent: ${JSON.stringify(editing(path, direction))}`
    yield* Effect.flatMap(RepositoryTexts, (texts) => texts.setGuidance(tenant.path, guidance)).pipe(as(tenant))
    const before = branchesOf(world)
    const job = yield* ran(tenant, "fix", { ref })
    const number = Number(ref.slice("OBS-".length))
    const detail = yield* Effect.flatMap(Fixes, (fixes) => fixes.detail(number as never)).pipe(as(tenant))
    const branches = branchesOf(world)
      .filter((branch) => !before.includes(branch))
      .join()
    const [attempt] = detail.attempts
    return { job, path, branches, repository, attempt, status: detail.status }
  })
