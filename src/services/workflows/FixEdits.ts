import { Effect } from "effect"
import { proposeFixInProcess } from "../../engine/index.ts"
import { refOf } from "../../schema/Observation.ts"
import { filesOfAll, scopeGate, sizeGate } from "../fixes/changeGates.ts"
import { failed, type Gate, isFailed, passed } from "../fixes/gates.ts"
import { type AgentFailed, AgentRunner } from "../ports/AgentRunner.ts"
import { type StageContext, StageFailed, type StageStopped } from "../ports/Workflow.ts"
import type { TreeFile, WorkTree } from "../ports/WorkTrees.ts"
import { AgentBriefs } from "./AgentBriefs.ts"
import { AuditSettings } from "./AuditSettings.ts"
import type { Prepared, Subject } from "./fixData.ts"
import { hostFailed, scanFailed } from "./Scanning.ts"

export interface EditRequest {
  readonly context: StageContext
  readonly tree: WorkTree
  readonly prepared: Prepared
  readonly subjects: ReadonlyArray<Subject>
  readonly feedback: ReadonlyArray<Pick<Gate, "name" | "reason">>
  /** What an agent may spend; null where only the installation limits it. */
  readonly budgetUsd: number | null
}

export interface RunnerEdit {
  /** The gate `edit`, and others that failed already; where one failed there are no files. */
  readonly gates: ReadonlyArray<Gate>
  readonly files: ReadonlyArray<TreeFile>
  readonly summary: string
  /** What was edited without passing, as a unified diff. */
  readonly rejected?: string
}

type ProposedFix = Effect.Effect.Success<ReturnType<typeof proposeFixInProcess>>

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
    const proposalFor = ({ tree }: EditRequest, commit: string, { finding }: Subject) => {
      const { rule_id, signatures, locations } = finding
      const source = { kind: "git", gitDir: tree.gitDir, commit } as const
      const known = advisories === null ? {} : { advisories }
      return proposeFixInProcess(
        { source, rule_id, finding: { signatures, locations }, salt, ...known },
        { limits }
      ).pipe(Effect.mapError(scanFailed))
    }

    /** What the fixers before have made, as a commit. */
    const soFar = ({ tree, prepared: { parent, at } }: EditRequest, files: ReadonlyMap<string, TreeFile>) =>
      files.size === 0
        ? Effect.succeed(parent)
        : Effect.mapError(tree.commit({ parent, at, files: [...files.values()], message: "Proposed fix" }), hostFailed)

    /** One finding after the other, each in what the fixers before have made. */
    const byRules = Effect.fn("FixEdits.byRules")(function* (request: EditRequest) {
      const { subjects } = request
      const files = new Map<string, TreeFile>()
      const summaries = new Set<string>()
      for (const subject of lastFirst(subjects)) {
        const result = yield* proposalFor(request, yield* soFar(request, files), subject)
        // A fixer before has corrected this one, too.
        if (result.status === "absent" && files.size > 0) continue
        if (result.status !== "proposed") return noEdit(rejectionOf(result, subject, subjects.length > 1))
        for (const file of result.files) files.set(file.path, treeFileOf(file))
        summaries.add(result.summary)
      }
      return files.size === 0
        ? noEdit("There is no finding that a fixer could fix; the setting fix_runner lets an agent try.")
        : { gates: [edited(files.size)], files: [...files.values()], summary: [...summaries].join(" ") }
    })

    /** The operator's coding agent, in a checkout of the commit. What it costs counts however it ends. */
    const byAgent = Effect.fn("FixEdits.byAgent")(function* (request: EditRequest) {
      const { context, tree, prepared, subjects, feedback, budgetUsd } = request
      const { base, parent, instructions } = prepared
      const brief = yield* briefs.write({ job: context.job, subjects, commit: base, instructions, feedback })
      const folder = yield* Effect.mapError(tree.checkout(parent), hostFailed)
      const { cost_usd, summary } = yield* agents
        .run({ folder, brief, budgetUsd: budgetUsd ?? Number.POSITIVE_INFINITY, timeout: "1 day" })
        .pipe(Effect.catchAll((failure) => Effect.zipRight(context.recordCost(failure.cost_usd), agentFailed(failure))))
      yield* context.recordCost(cost_usd)
      if (!(yield* tree.isIntact)) {
        return nothing(failed("scope", "quality_gate_failed", "The agent changed files outside of the work tree."))
      }
      const changes = yield* Effect.mapError(tree.changesIn(folder, parent), hostFailed)
      if (changes.length === 0) return noEdit("The agent changed nothing.")
      const gates = [edited(changes.length), scopeGate(changes, filesOfAll(subjects)), sizeGate(changes)]
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

const treeFileOf = ({ path, content }: { readonly path: string; readonly content: string | null }): TreeFile => ({
  path,
  content: content === null ? null : Buffer.from(content, "base64")
})

/** By location from the end: what comes before stays where it is while a fixer edits. */
const lastFirst = (subjects: ReadonlyArray<Subject>) =>
  [...subjects].sort((a, b) => b.finding.locations[0].line_start - a.finding.locations[0].line_start)

const rejectionOf = (
  result: Exclude<ProposedFix, { readonly status: "proposed" }>,
  { number, finding }: Subject,
  isNamed: boolean
): string => {
  const reason =
    result.status === "declined"
      ? `The fixer declines: ${result.reason}`
      : result.status === "absent"
        ? `The rule ${finding.rule_id} no longer matches there.`
        : `There is no fixer for the rule ${finding.rule_id}; the setting fix_runner lets an agent try.`
  return isNamed ? `${refOf(number)}: ${reason}` : reason
}
