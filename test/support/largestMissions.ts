import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { maxMissionSteps } from "../../src/schema/Mission.ts"
import { jsonb } from "../../src/services/support/statements.ts"
import type { World } from "./samples.ts"

interface Longest {
  readonly rows: number
  readonly longText: (length: number) => string
}

const commits = Array.from({ length: 5 }, (_, n) => `${n}`.repeat(40))

/** Gives one mission as many steps as a plan may have, all missions the longest texts, and the list many of them. */
export const withLargestMissions = ({ owner, missions }: World, { rows, longText }: Longest) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const workspace = owner.workspace_id
    const read = missions.of.read.number
    const leftOut = Array.from({ length: 500 }, (_, n) => ({ ref: `OBS-${n}`, reason: longText(300) }))
    const gates = Array.from({ length: 10 }, (_, n) => ({
      name: `gate ${n}`,
      result: "failed",
      reason: longText(2000)
    }))
    yield* sql`
      INSERT INTO missions (id, workspace_id, repository_id, number, title, goal, goal_md, status, budget_usd,
        waiting_kind, waiting_message, waiting_since, created_by, requested_by, created_at, updated_at)
      SELECT gen_random_uuid(), workspace_id, repository_id, 100 + n, title, goal, '', status, budget_usd,
        waiting_kind, waiting_message, waiting_since, created_by, requested_by, created_at, updated_at
      FROM missions CROSS JOIN generate_series(1, ${rows}) n
      WHERE workspace_id = ${workspace} AND number = ${read}`
    yield* sql`
      UPDATE missions SET title = ${longText(200)}, branch = ${longText(255)}, pr_url = ${longText(2000)},
        waiting_message = CASE WHEN waiting_kind IS NULL THEN NULL ELSE ${longText(8000)} END
      WHERE workspace_id = ${workspace}`
    yield* sql`
      UPDATE missions SET goal_md = ${longText(16_384)}, limits_md = ${longText(16_384)}
      WHERE workspace_id = ${workspace} AND number < 100`
    yield* sql`
      INSERT INTO mission_steps (id, mission_id, plan_version, workspace_id, repository_id, position, title, brief_md,
        estimate_usd)
      SELECT gen_random_uuid(), s.mission_id, s.plan_version, s.workspace_id, s.repository_id, n, s.title, '', 0
      FROM mission_steps s JOIN missions m ON m.id = s.mission_id
        CROSS JOIN generate_series(2, ${maxMissionSteps}) n
      WHERE m.workspace_id = ${workspace} AND m.number = ${read}`
    yield* sql`
      UPDATE mission_steps s SET title = ${longText(300)}, brief_md = ${longText(20_000)}, commits = ${commits}::text[],
        gates = ${jsonb(gates)}, failure = ${longText(4000)}
      FROM missions m WHERE m.id = s.mission_id AND m.workspace_id = ${workspace} AND m.number = ${read}`
    yield* sql`
      INSERT INTO mission_step_links (step_id, kind, number, workspace_id, repository_id)
      SELECT s.id, kind, n, s.workspace_id, s.repository_id
      FROM mission_steps s JOIN missions m ON m.id = s.mission_id
        CROSS JOIN (VALUES ('observation'), ('issue')) k (kind) CROSS JOIN generate_series(1000, 1020) n
      WHERE m.workspace_id = ${workspace} AND m.number = ${read}`
    yield* sql`
      UPDATE mission_plans p SET left_out = ${jsonb(leftOut)}
      FROM missions m WHERE m.id = p.mission_id AND m.workspace_id = ${workspace} AND m.number = ${read}`
  }).pipe(Effect.orDie)

/** The calls of the tools with the largest answers. */
export const largestMissionCalls = (
  { missions }: World,
  { longText }: Pick<Longest, "longText">
): Readonly<Record<string, Record<string, unknown>>> => ({
  list_missions: { limit: 200 },
  list_missions_waiting_on_me: { limit: 200 },
  resubmit_mission: { ref: missions.of.resubmit.ref, limits_md: longText(16_384) }
})
