import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { AuditActor } from "../../schema/AuditLog.ts"
import { type JobId, MissionId, MissionStepId, RepositoryId, UserId, WorkspaceId } from "../../schema/Ids.ts"
import {
  type LeftOut,
  MissionNumber,
  MissionStatus,
  MissionStep,
  type MissionStepStatus,
  WaitingKind
} from "../../schema/Mission.ts"
import { Amount, Count, JsonObject } from "../../schema/Text.ts"
import { firstRow, onlyRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { storableText } from "../support/storable.ts"
import type { MissionChange, StepChange } from "./transitions.ts"

/** A mission of a workspace. */
export interface MissionKey {
  readonly workspace_id: WorkspaceId
  readonly id: MissionId
}

/** What decides on the next change of a mission. Money is in US dollars to nine decimals. */
export const MissionState = Schema.Struct({
  id: MissionId,
  workspace_id: WorkspaceId,
  repository_id: RepositoryId,
  number: MissionNumber,
  title: Schema.String,
  status: MissionStatus,
  goal: JsonObject,
  limits_md: Schema.NullOr(Schema.String),
  budget_usd: Amount,
  spent_usd: Amount,
  reserved_usd: Amount,
  branch: Schema.NullOr(Schema.String),
  base_commit: Schema.NullOr(Schema.String),
  pr_url: Schema.NullOr(Schema.String),
  pr_number: Schema.NullOr(Count),
  waiting_kind: Schema.NullOr(WaitingKind),
  plan_version: Count,
  version: Count,
  created_by: AuditActor,
  requested_by: UserId
})
export type MissionState = typeof MissionState.Type

/** A step as work on it needs it. */
export const StepRow = Schema.Struct({
  ...MissionStep.fields,
  reserved_usd: Amount,
  answer: Schema.NullOr(Schema.String)
})
export type StepRow = typeof StepRow.Type

export interface NewMission extends MissionKey {
  readonly repository_id: RepositoryId
  readonly number: MissionNumber
  readonly title: string
  readonly goal: JsonObject
  readonly goal_md: string
  readonly limits_md: string | null
  readonly budget_usd: number
  readonly created_by: AuditActor
  readonly requested_by: UserId
  readonly at: string
}

export interface NewStep {
  readonly id: MissionStepId
  readonly position: number
  readonly title: string
  readonly brief_md: string
  readonly estimate_usd: number
  /** Numbers of the observations and issues that it is about. */
  readonly observations: ReadonlyArray<number>
  readonly issues: ReadonlyArray<number>
}

export interface Waiting {
  readonly kind: WaitingKind
  readonly message: string
}

/** What a change of a mission writes beside its status. */
export interface MissionFields {
  readonly waiting: Waiting | null
  readonly ended_because: string | null
}

export interface NewEvent {
  readonly mission: Pick<MissionState, "id" | "workspace_id" | "repository_id">
  readonly at: string
  readonly actor: AuditActor
  readonly event: MissionChange | `step_${StepChange}` | "budget_raised" | "answered" | "pull_request_opened"
  readonly from_status: MissionStatus | null
  readonly to_status: MissionStatus
  readonly step_id: MissionStepId | null
  readonly note: string | null
}

/** What a change of a step writes. */
export interface StepFields {
  readonly status: MissionStepStatus
  readonly reserved_usd: number
  readonly cost_usd: number
  readonly job_id: JobId | null
  readonly commits: ReadonlyArray<string>
  readonly gates: MissionStep["gates"]
  readonly attempts: number
  readonly failure: string | null
  readonly answer: string | null
}

const Drawn = Schema.Struct({ number: MissionNumber })

/** Characters of a goal in words that are kept. */
const maxGoalText = 40_000

const storable = (text: string | null): string | null => (text === null ? null : storableText(text))

/** Missions, their plans, steps and events as they change. `MissionReadsRepo` has what lists and records show. */
export class MissionsRepo extends Effect.Service<MissionsRepo>()("MissionsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const drawNumber = (workspace_id: WorkspaceId) =>
      Effect.map(
        onlyRow(
          Drawn,
          sql`UPDATE workspaces SET next_mission = next_mission + 1 WHERE id = ${workspace_id}
            RETURNING next_mission - 1 AS number`
        ),
        ({ number }) => number
      )

    const insert = (mission: NewMission) =>
      run(sql`INSERT INTO missions (id, workspace_id, repository_id, number, title, goal, goal_md, limits_md, budget_usd,
            created_by, requested_by, created_at, updated_at)
          VALUES (${mission.id}, ${mission.workspace_id}, ${mission.repository_id}, ${mission.number}, ${mission.title},
            ${jsonb(mission.goal)}, ${storableText(mission.goal_md, maxGoalText)}, ${mission.limits_md}, ${mission.budget_usd},
            ${jsonb(mission.created_by)}, ${mission.requested_by}, ${mission.at}, ${mission.at})`)

    const states =
      sql.literal(`SELECT m.id, m.workspace_id, m.repository_id, m.number, m.title, m.status, m.goal, m.limits_md,
      m.budget_usd::float8 AS budget_usd, m.spent_usd::float8 AS spent_usd, m.reserved_usd::float8 AS reserved_usd, m.branch,
      m.base_commit, m.pr_url, m.pr_number, m.waiting_kind, m.plan_version, m.version, m.created_by, m.requested_by
      FROM missions m`)

    const find = ({ workspace_id, id }: MissionKey) =>
      firstRow(MissionState, sql`${states} WHERE m.workspace_id = ${workspace_id} AND m.id = ${id}`)

    /** Locked until the transaction ends: everything that changes a mission or its steps locks it first. */
    const lock = ({ workspace_id, id }: MissionKey) =>
      firstRow(
        MissionState,
        sql`${states} WHERE m.workspace_id = ${workspace_id} AND m.id = ${id} FOR NO KEY UPDATE OF m`
      )

    /** The same by number, of a repository that is registered. */
    const lockNumber = (request: { readonly workspace_id: WorkspaceId; readonly number: MissionNumber }) =>
      firstRow(
        MissionState,
        sql`${states} JOIN repositories r ON r.id = m.repository_id AND r.deleted_at IS NULL
          WHERE m.workspace_id = ${request.workspace_id} AND m.number = ${request.number}::bigint
          FOR NO KEY UPDATE OF m`
      )

    /** Whom it waits on: who submitted it, or every owner and admin once that person may not decide any more. */
    const deciders = ({ workspace_id, requested_by }: Pick<MissionState, "workspace_id" | "requested_by">) =>
      rows(
        Schema.Struct({ user_id: UserId, email: Schema.String }),
        sql`WITH able AS (
            SELECT m.user_id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
            WHERE m.workspace_id = ${workspace_id} AND m.role IN ('owner', 'admin'))
          SELECT user_id, email FROM able
          WHERE user_id = ${requested_by} OR NOT EXISTS (SELECT FROM able WHERE user_id = ${requested_by})
          ORDER BY user_id`
      )

    /** The mission and step that a job works on. */
    const ofJob = ({ workspace_id, job_id }: { readonly workspace_id: WorkspaceId; readonly job_id: JobId }) =>
      firstRow(
        Schema.Struct({ mission_id: MissionId, step_id: MissionStepId }),
        sql`SELECT mission_id, id AS step_id FROM mission_steps
          WHERE workspace_id = ${workspace_id} AND job_id = ${job_id}`
      )

    /** Steps of the plan that counts, in order. */
    const steps = ({ workspace_id, id }: MissionKey) =>
      rows(
        StepRow,
        sql`SELECT s.id, s.position, s.title, s.brief_md, s.status,
            ARRAY(SELECT 'OBS-' || l.number FROM mission_step_links l
              WHERE l.step_id = s.id AND l.kind = 'observation' ORDER BY l.number) AS observations,
            ARRAY(SELECT 'ISS-' || l.number FROM mission_step_links l
              WHERE l.step_id = s.id AND l.kind = 'issue' ORDER BY l.number) AS issues,
            s.estimate_usd::float8 AS estimate_usd, s.reserved_usd::float8 AS reserved_usd, s.cost_usd::float8 AS cost_usd,
            s.job_id, s.commits, s.gates, s.attempts, coalesce(s.skip_reason, s.failure) AS failure, s.answer
          FROM mission_steps s JOIN missions m ON m.id = s.mission_id AND m.plan_version = s.plan_version
          WHERE s.workspace_id = ${workspace_id} AND s.mission_id = ${id} ORDER BY s.position`
      )

    const setStatus = (
      change: MissionKey &
        MissionFields & { readonly status: MissionStatus; readonly final: boolean; readonly at: string }
    ) =>
      run(sql`UPDATE missions SET status = ${change.status}, updated_at = ${change.at}, version = version + 1,
          finished_at = ${change.final ? change.at : null}::timestamptz,
          ended_because = ${storable(change.ended_because)},
          waiting_kind = ${change.waiting?.kind ?? null}::text,
          waiting_message = ${storable(change.waiting?.message ?? null)}::text,
          waiting_since = ${change.waiting === null ? null : change.at}::timestamptz
          WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    const setMoney = (
      change: MissionKey & {
        readonly budget_usd: number
        readonly spent_usd: number
        readonly reserved_usd: number
        readonly at: string
      }
    ) =>
      run(sql`UPDATE missions SET budget_usd = ${change.budget_usd}, spent_usd = ${change.spent_usd},
          reserved_usd = ${change.reserved_usd}, updated_at = ${change.at}, version = version + 1
          WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    const setBranch = (
      change: MissionKey & { readonly branch: string; readonly base_commit: string; readonly at: string }
    ) =>
      run(sql`UPDATE missions SET branch = ${change.branch}, base_commit = ${change.base_commit}, updated_at = ${change.at},
          version = version + 1 WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    const setPullRequest = (
      change: MissionKey & { readonly pr_url: string; readonly pr_number: number | null; readonly at: string }
    ) =>
      run(sql`UPDATE missions SET pr_url = ${change.pr_url}, pr_number = ${change.pr_number}, updated_at = ${change.at},
          version = version + 1 WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    const setGoal = (
      change: MissionKey & {
        readonly goal: JsonObject
        readonly goal_md: string
        readonly limits_md: string | null
        readonly plan_version: number
      }
    ) =>
      run(sql`UPDATE missions SET goal = ${jsonb(change.goal)}, goal_md = ${storableText(change.goal_md, maxGoalText)},
          limits_md = ${change.limits_md}, plan_version = ${change.plan_version}
          WHERE workspace_id = ${change.workspace_id} AND id = ${change.id}`)

    const insertPlan = (plan: {
      readonly mission: Pick<MissionState, "id" | "workspace_id" | "repository_id">
      readonly version: number
      readonly goal: JsonObject
      readonly limits_md: string | null
      readonly left_out: ReadonlyArray<LeftOut>
      readonly submitted_by: AuditActor
      readonly at: string
    }) =>
      run(sql`INSERT INTO mission_plans (mission_id, version, workspace_id, repository_id, goal, limits_md, left_out,
            submitted_by, submitted_at)
          VALUES (${plan.mission.id}, ${plan.version}, ${plan.mission.workspace_id}, ${plan.mission.repository_id},
            ${jsonb(plan.goal)}, ${plan.limits_md}, ${jsonb(plan.left_out)}, ${jsonb(plan.submitted_by)}, ${plan.at})`)

    const decidePlan = (
      decision: MissionKey & {
        readonly plan_version: number
        readonly decision: "approved" | "sent_back"
        readonly by: AuditActor
        readonly reason: string | null
        readonly at: string
      }
    ) =>
      run(sql`UPDATE mission_plans SET decision = ${decision.decision}, decided_by = ${jsonb(decision.by)},
          decided_at = ${decision.at}, reason = ${decision.reason}
          WHERE workspace_id = ${decision.workspace_id} AND mission_id = ${decision.id}
            AND version = ${decision.plan_version}`)

    /** What is done goes on to the plan `to`, first in its order; how many steps that are. */
    const keepCompleted = (change: MissionKey & { readonly from: number; readonly to: number }) =>
      Effect.map(
        rows(
          Schema.Struct({ id: MissionStepId }),
          sql`UPDATE mission_steps s SET plan_version = ${change.to}, position = kept.position FROM (
              SELECT id, row_number() OVER (ORDER BY position) AS position FROM mission_steps
              WHERE workspace_id = ${change.workspace_id} AND mission_id = ${change.id}
                AND plan_version = ${change.from} AND status = 'completed') kept
            WHERE s.id = kept.id RETURNING s.id`
        ),
        (kept) => kept.length
      )

    const insertSteps = (
      mission: Pick<MissionState, "id" | "workspace_id" | "repository_id">,
      plan_version: number,
      planned: ReadonlyArray<NewStep>
    ) =>
      run(sql`
        WITH planned AS (
          SELECT * FROM jsonb_to_recordset(${jsonb(planned)}) AS p(id uuid, position integer, title text, brief_md text,
            estimate_usd numeric, observations jsonb, issues jsonb)
        ), inserted AS (
          INSERT INTO mission_steps (id, mission_id, plan_version, workspace_id, repository_id, position, title, brief_md,
            estimate_usd)
          SELECT p.id, ${mission.id}::uuid, ${plan_version}::integer, ${mission.workspace_id}::uuid,
            ${mission.repository_id}::uuid, p.position, p.title, p.brief_md, p.estimate_usd FROM planned p
          RETURNING id
        )
        INSERT INTO mission_step_links (step_id, kind, number, workspace_id, repository_id)
        SELECT i.id, link.kind, link.number, ${mission.workspace_id}::uuid, ${mission.repository_id}::uuid
        FROM inserted i JOIN planned p ON p.id = i.id, LATERAL (
          SELECT 'observation' AS kind, o.number::integer AS number FROM jsonb_array_elements_text(p.observations) o(number)
          UNION SELECT 'issue', i.number::integer FROM jsonb_array_elements_text(p.issues) i(number)) link`)

    const setStep = (
      step: MissionKey & StepFields & { readonly step_id: MissionStepId; readonly final: boolean; readonly at: string }
    ) =>
      run(sql`UPDATE mission_steps SET status = ${step.status}, reserved_usd = ${step.reserved_usd},
          cost_usd = ${step.cost_usd}, job_id = ${step.job_id}::uuid, commits = ${[...step.commits]}::text[],
          gates = ${jsonb(step.gates)}, attempts = ${step.attempts}, failure = ${storable(step.failure)}::text,
          answer = ${step.answer}::text,
          started_at = CASE WHEN ${step.status === "running"}::boolean THEN coalesce(started_at, ${step.at}) ELSE started_at END,
          finished_at = ${step.final ? step.at : null}::timestamptz
          WHERE workspace_id = ${step.workspace_id} AND mission_id = ${step.id} AND id = ${step.step_id}`)

    const setSkipReason = (step: MissionKey & { readonly step_id: MissionStepId; readonly reason: string }) =>
      run(sql`UPDATE mission_steps SET skip_reason = ${step.reason}
          WHERE workspace_id = ${step.workspace_id} AND mission_id = ${step.id} AND id = ${step.step_id}`)

    const addEvent = ({ mission, ...event }: NewEvent) =>
      run(sql`INSERT INTO mission_events (mission_id, workspace_id, repository_id, at, actor, event, from_status, to_status,
            step_id, note)
          VALUES (${mission.id}, ${mission.workspace_id}, ${mission.repository_id}, ${event.at}, ${jsonb(event.actor)},
            ${event.event}, ${event.from_status}, ${event.to_status}, ${event.step_id}, ${storable(event.note)})`)

    return {
      drawNumber,
      insert,
      find,
      lock,
      lockNumber,
      deciders,
      ofJob,
      steps,
      setStatus,
      setMoney,
      setBranch,
      setPullRequest,
      setGoal,
      insertPlan,
      decidePlan,
      keepCompleted,
      insertSteps,
      setStep,
      setSkipReason,
      addEvent
    }
  })
}) {}
