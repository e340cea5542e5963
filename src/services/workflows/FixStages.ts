import { Effect, Option, Schema } from "effect"
import { refOf } from "../../schema/Observation.ts"
import { FixPrs } from "../fixes/FixPrs.ts"
import { type FailedGate, failed, type Gate, isFailed, passed } from "../fixes/gates.ts"
import { CodeHost } from "../ports/CodeHost.ts"
import { type Stage, type StageContext, StageFailed, type StageStopped, stage } from "../ports/Workflow.ts"
import { FixRounds } from "./FixRounds.ts"
import { FixSubjects } from "./FixSubjects.ts"
import {
  compared,
  type Edited,
  editOf,
  outputOf,
  type Prepared,
  preparedFix,
  RoundEnd,
  type Subject
} from "./fixData.ts"
import { Scanning } from "./Scanning.ts"

/** Edits of one job at most: the first, and two after gates that failed. */
const maxRounds = 3

/** What differs between a fix with a pull request of its own and a step of a mission. */
export interface FixKind {
  /** What an agent may spend now; null where only the installation limits it. */
  readonly budgetLeft: (context: StageContext) => Effect.Effect<number | null>
  /** Whether there is nothing to do, rather than a failure, once none of the findings is there any more. */
  readonly endsWithoutFindings: boolean
}

/** An edit that passed its gates. */
export interface FixProposal {
  readonly round: number
  readonly prepared: Prepared
  readonly subjects: ReadonlyArray<Subject>
  readonly edited: Edited
}

type Target = Prepared["targets"][number]

const stageOf = (name: "edit" | "check", round: number) => (round === 1 ? name : `${name}_${round}`)

const unused = { state: "unused", feedback: [] } as const

const StillPresent = Schema.Struct({ reason: Schema.String, present: Schema.Boolean })

/** The stages from the finding to an edit that passed its gates; what is fixed comes from the stage `prepare`. */
export class FixStages extends Effect.Service<FixStages>()("FixStages", {
  effect: Effect.gen(function* () {
    const host = yield* CodeHost
    const scanning = yield* Scanning
    const prs = yield* FixPrs
    const subjects = yield* FixSubjects
    const rounds = yield* FixRounds

    const keyOf = ({ job }: StageContext, { attempt_id }: Target) => ({
      workspace_id: job.workspace_id,
      id: attempt_id
    })

    /** The mirror that was prepared, where it is on this machine; a stage may run on another one. */
    const mirrorOf = Effect.fnUntraced(function* (
      { job }: StageContext,
      { mirror, base, parent, branch, pushed }: Prepared
    ) {
      const isHere = yield* Effect.forEach([base, parent], (commit) => host.has({ gitDir: mirror, commit }))
      if (isHere.every(Boolean)) return mirror
      if (pushed === null) return (yield* scanning.mirrorOf(job)).gitDir
      return (yield* scanning.revisionOf(job, { kind: "branch", name: branch })).gitDir
    })

    /** Ends the job; the attempts end with it. */
    const failWith = ({ name, failure_kind, reason }: FailedGate) =>
      new StageFailed({ failure_kind, message: `The gate ${name} failed. ${reason}` })

    const decline = (context: StageContext, targets: ReadonlyArray<Target>, reason: string) =>
      context.commit(
        Effect.forEach(targets, (target) => prs.ended(keyOf(context, target), "declined", reason), { discard: true })
      )

    const of = (kind: FixKind) => {
      /** In the job's events and with the attempts. */
      const report = (
        context: StageContext,
        { targets }: Prepared,
        round: number,
        gates: ReadonlyArray<Gate>
      ): Effect.Effect<void, StageStopped> =>
        Effect.gen(function* () {
          const shown = gates.map(({ name, result, reason }) => ({ name, result, reason }))
          yield* Effect.forEach(shown, context.gate, { discard: true })
          const ofAttempts = targets.flatMap((target) => shown.map((gate) => ({ target, gate })))
          yield* context.commit(
            Effect.forEach(ofAttempts, ({ target, gate }) => prs.gate(keyOf(context, target), { ...gate, round }), {
              discard: true
            })
          )
        })

      const stillPresent = stage("still_present", (context) =>
        Effect.gen(function* () {
          const prepared = yield* preparedFix(context)
          const { targets, base } = prepared
          const gitDir = yield* mirrorOf(context, prepared)
          const numbers = targets.map(({ number }) => number)
          const found = yield* subjects.find(context, { numbers, gitDir, commit: base })
          const present = new Set(found.subjects.map(({ number }) => number))
          const absent = targets.filter(({ number }) => !present.has(number))
          const at = `at commit ${base.slice(0, 12)}`
          if (targets.length > 0 && present.size === 0) {
            const gone = targets.length === 1 ? "The finding is" : "The findings are"
            const gate = failed("still_present", "no_changes", `${gone} no longer there ${at}.`)
            yield* report(context, prepared, 1, [gate])
            yield* decline(context, absent, gate.reason)
            return yield* kind.endsWithoutFindings
              ? Effect.succeed({ reason: gate.reason, present: false })
              : failWith(gate)
          }
          yield* compared.write(context, found)
          yield* decline(context, absent, `The finding is no longer there ${at}.`)
          const gate = passed("still_present", presence(found.subjects, absent))
          yield* report(context, prepared, 1, [gate])
          return { reason: gate.reason, present: true }
        })
      )

      const endOf = (context: StageContext, name: "edit" | "check", round: number) =>
        outputOf(context, stageOf(name, round), RoundEnd)

      /** What the round before left open; nothing where this round is not needed. */
      const opening = Effect.fnUntraced(function* (context: StageContext, round: number) {
        if (round === 1) {
          const { present } = yield* outputOf(context, "still_present", StillPresent)
          return present ? Option.some<RoundEnd["feedback"]>([]) : Option.none()
        }
        const { state, feedback } = yield* endOf(context, "check", round - 1)
        return state === "open" ? Option.some(feedback) : Option.none()
      })

      /** A round that failed: an agent, where one takes part, gets the reason; else the attempts end. */
      const settle = Effect.fnUntraced(function* (
        context: StageContext,
        prepared: Prepared,
        round: number,
        gate: FailedGate
      ): Effect.fn.Return<RoundEnd, StageFailed | StageStopped> {
        if (round < maxRounds && prepared.runners.includes("agent")) {
          return { state: "open", feedback: [{ name: gate.name, reason: gate.reason }] } as const
        }
        if (gate.name === "edit") yield* decline(context, prepared.targets, gate.reason)
        return yield* failWith(gate)
      })

      const moneyFor = Effect.fnUntraced(function* (context: StageContext, runner: "rules" | "agent") {
        if (runner === "rules") return null
        const usd = yield* kind.budgetLeft(context)
        if (usd === null || usd > 0) return usd
        return yield* new StageFailed({ failure_kind: "budget_exceeded", message: "The budget is used up." })
      })

      /** Of an edit or of gates: what the next stage starts from. */
      const ended = (
        context: StageContext,
        prepared: Prepared,
        round: number,
        gates: ReadonlyArray<Gate>,
        state: "proposed" | "passed"
      ): Effect.Effect<RoundEnd, StageFailed | StageStopped> => {
        const gate = gates.find(isFailed)
        return gate === undefined ? Effect.succeed({ state, feedback: [] }) : settle(context, prepared, round, gate)
      }

      const edit = (round: number) =>
        stage(stageOf("edit", round), (context) =>
          Effect.gen(function* () {
            const feedback = yield* opening(context, round)
            if (Option.isNone(feedback)) return unused
            const prepared = yield* preparedFix(context)
            const gitDir = yield* mirrorOf(context, prepared)
            const base = yield* compared.read(context)
            const runner = runnerOf(prepared, round)
            const budgetUsd = yield* moneyFor(context, runner)
            const { subjects } = base
            const request = { prepared, subjects, gitDir, runner, feedback: feedback.value, budgetUsd } as const
            const edited = yield* rounds.edit(context, request)
            yield* report(context, prepared, round, edited.gates)
            yield* editOf(round).write(context, edited)
            return yield* ended(context, prepared, round, edited.gates, "proposed")
          })
        )

      const check = (round: number) =>
        stage(stageOf("check", round), (context) =>
          Effect.gen(function* () {
            const start = yield* endOf(context, "edit", round)
            if (start.state !== "proposed") return start
            const prepared = yield* preparedFix(context)
            const gitDir = yield* mirrorOf(context, prepared)
            const edited = yield* editOf(round).read(context)
            const base = yield* compared.read(context)
            const gates = yield* rounds.check(context, { prepared, gitDir, edited, base })
            yield* report(context, prepared, round, gates)
            yield* editOf(round).write(context, { ...edited, gates: [...edited.gates, ...gates] })
            return yield* ended(context, prepared, round, gates, "passed")
          })
        )

      /** The edit that passed all gates so far, with what describes it; none where no finding was there any more. */
      const proposal = Effect.fnUntraced(function* (context: StageContext) {
        const { reason, present } = yield* outputOf(context, "still_present", StillPresent)
        if (!present) return Option.none<FixProposal>()
        const prepared = yield* preparedFix(context)
        for (let round = 1; round <= maxRounds; round++) {
          const { state } = yield* endOf(context, "check", round)
          if (state !== "passed") continue
          const { subjects } = yield* compared.read(context)
          const edited = yield* editOf(round).read(context)
          const gates = [passed("still_present", reason), ...edited.gates]
          return Option.some<FixProposal>({ round, prepared, subjects, edited: { ...edited, gates } })
        }
        return yield* Effect.dieMessage("A fix is pushed without a round that passed.")
      })

      const stages: ReadonlyArray<Stage> = [
        stillPresent,
        ...Array.from({ length: maxRounds }, (_, index) => [edit(index + 1), check(index + 1)]).flat()
      ]
      return { stages, report, proposal }
    }

    return { of, mirrorOf, runnersOf: rounds.runnersOf }
  })
}) {}

const runnerOf = ({ runners }: Prepared, round: number) => (round === 1 ? (runners[0] ?? "rules") : "agent")

/** What the gate says of findings that are there, and of those that are not. */
const presence = (subjects: ReadonlyArray<Subject>, absent: ReadonlyArray<Target>): string => {
  const [first] = subjects
  if (first === undefined) return "There is no finding to be fixed."
  const { rule_id, locations } = first.finding
  const { file_path, line_start } = locations[0]
  const match = `The rule ${rule_id} matches at ${file_path}:${line_start}.`
  const others = subjects.length === 1 ? "" : ` ${subjects.length} findings are there.`
  return `${match}${others}${absent.length === 0 ? "" : ` No longer there: ${absent.map(({ number }) => refOf(number)).join(", ")}.`}`
}
