import { Effect } from "effect"
import { type Finding, proposeFixInProcess } from "../../engine/index.ts"
import type { ObservationNumber } from "../../schema/Observation.ts"
import { filesOf, scopeGate, sizeGate } from "../fixes/changeGates.ts"
import { failed, type Gate, isFailed, passed } from "../fixes/gates.ts"
import { type AgentFailed, AgentRunner } from "../ports/AgentRunner.ts"
import { type StageContext, StageFailed, type StageStopped } from "../ports/Workflow.ts"
import type { TreeFile, WorkTree } from "../ports/WorkTrees.ts"
import { AgentBriefs } from "./AgentBriefs.ts"
import { AuditSettings } from "./AuditSettings.ts"
import { hostFailed, scanFailed } from "./Scanning.ts"

export interface EditRequest {
  readonly context: StageContext
  readonly tree: WorkTree
  /** The commit that the finding is in. */
  readonly base: string
  /** The commit to edit. */
  readonly parent: string
  readonly number: ObservationNumber
  readonly finding: Finding
  readonly instructions: string | null
  readonly feedback: ReadonlyArray<Pick<Gate, "name" | "reason">>
}

export interface RunnerEdit {
  /** The gate `edit`, and others that failed already; where one failed there are no files. */
  readonly gates: ReadonlyArray<Gate>
  readonly files: ReadonlyArray<TreeFile>
  readonly summary: string
  /** What was edited without passing, as a unified diff. */
  readonly rejected?: string
}

const nothing = (...gates: ReadonlyArray<Gate>): RunnerEdit => ({ gates, files: [], summary: "" })
const noEdit = (reason: string) => nothing(failed("edit", "no_changes", reason))

const edited = (count: number) => passed("edit", `${count} ${count === 1 ? "file is" : "files are"} edited.`)

/** What proposes the edits of a fix. */
export class FixEdits extends Effect.Service<FixEdits>()("FixEdits", {
  effect: Effect.gen(function* () {
    const { limits, salt, advisories } = yield* AuditSettings
    const agents = yield* AgentRunner
    const briefs = yield* AgentBriefs

    /** The rule's own fixer, in a process of its own. */
    const byRules = Effect.fn("FixEdits.byRules")(function* ({ tree, parent, finding }: EditRequest) {
      const { rule_id, signatures, locations } = finding
      const source = { kind: "git", gitDir: tree.gitDir, commit: parent } as const
      const known = advisories === null ? {} : { advisories }
      const result = yield* proposeFixInProcess(
        { source, rule_id, finding: { signatures, locations }, salt, ...known },
        { limits }
      ).pipe(Effect.mapError(scanFailed))
      switch (result.status) {
        case "proposed":
          return {
            gates: [edited(result.files.length)],
            files: result.files.map(({ path, content }) => ({
              path,
              content: content === null ? null : Buffer.from(content, "base64")
            })),
            summary: result.summary
          }
        case "declined":
          return noEdit(`The fixer declines: ${result.reason}`)
        case "absent":
          return noEdit(`The rule ${rule_id} no longer matches there.`)
        case "no_fixer":
          return noEdit(`There is no fixer for the rule ${rule_id}; the setting fix_runner lets an agent try.`)
      }
    })

    /** The operator's coding agent, in a checkout of the commit. What it costs counts however it ends. */
    const byAgent = Effect.fn("FixEdits.byAgent")(function* (request: EditRequest) {
      const { context, tree, base, parent, number, finding, instructions, feedback } = request
      const brief = yield* briefs.write({ job: context.job, number, finding, commit: base, instructions, feedback })
      const folder = yield* Effect.mapError(tree.checkout(parent), hostFailed)
      const { cost_usd, summary } = yield* agents
        .run({ folder, brief, budgetUsd: Number.POSITIVE_INFINITY, timeout: "1 day" })
        .pipe(Effect.catchAll((failure) => Effect.zipRight(context.recordCost(failure.cost_usd), agentFailed(failure))))
      yield* context.recordCost(cost_usd)
      if (!(yield* tree.isIntact)) {
        return nothing(failed("scope", "quality_gate_failed", "The agent changed files outside of the work tree."))
      }
      const changes = yield* Effect.mapError(tree.changesIn(folder, parent), hostFailed)
      if (changes.length === 0) return noEdit("The agent changed nothing.")
      const gates = [edited(changes.length), scopeGate(changes, filesOf(finding)), sizeGate(changes)]
      const firstFailed = gates.findIndex(isFailed)
      // Files that did not pass are not handed on: they can be of any size.
      if (firstFailed !== -1) {
        const rejected = yield* Effect.mapError(tree.diffIn(folder, parent), hostFailed)
        return { ...nothing(...gates.slice(0, firstFailed + 1)), rejected }
      }
      const files = changes.map(({ path, content }): TreeFile => ({ path, content }))
      return { gates: gates.slice(0, 1), files, summary: summary ?? "An agent made the change." }
    })

    const edit = (
      runner: "rules" | "agent",
      request: EditRequest
    ): Effect.Effect<RunnerEdit, StageFailed | StageStopped> =>
      runner === "rules" ? byRules(request) : byAgent(request)

    return { edit }
  })
}) {}

const agentFailed = ({ kind, message }: AgentFailed) => new StageFailed({ failure_kind: kind, message })
