import { Effect } from "effect"
import { Secrets } from "../../engine/index.ts"
import type { WorkspaceId } from "../../schema/Ids.ts"
import type { FixRunner } from "../../schema/Setting.ts"
import { filesOfAll, scopeGate, sizeGate } from "../fixes/changeGates.ts"
import { type Gate, isFailed } from "../fixes/gates.ts"
import type { StageContext } from "../ports/Workflow.ts"
import { type TreeFile, type WorkTree, WorkTrees } from "../ports/WorkTrees.ts"
import { FixSettings } from "../settings/FixSettings.ts"
import { FixChecks } from "./FixChecks.ts"
import { FixEdits } from "./FixEdits.ts"
import type { Compared, Edited, Prepared, RoundEnd, Subject } from "./fixData.ts"
import { hostFailed } from "./Scanning.ts"

export interface EditRound {
  readonly prepared: Prepared
  /** The mirror. */
  readonly gitDir: string
  readonly subjects: ReadonlyArray<Subject>
  readonly runner: "rules" | "agent"
  /** Why the round before did not pass. */
  readonly feedback: RoundEnd["feedback"]
  /** What an agent may spend; null where only the installation limits it. */
  readonly budgetUsd: number | null
}

export interface CheckRound {
  readonly prepared: Prepared
  /** The mirror. */
  readonly gitDir: string
  readonly edited: Edited
  readonly base: Compared
}

const runnersNamed: Readonly<Record<FixRunner, ReadonlyArray<"rules" | "agent">>> = {
  rules: ["rules"],
  agent: ["agent"],
  rules_then_agent: ["rules", "agent"]
}

/** The newest edit, for people: also one that did not pass. */
const publish = (context: StageContext, diff: string) =>
  context.artifact.publish("fix_diff", "fix.diff", "text/x-diff; charset=utf-8", Secrets.redactCredentials(diff))

/** Rounds of a fix: an edit, and the gates that it has to pass. */
export class FixRounds extends Effect.Service<FixRounds>()("FixRounds", {
  effect: Effect.gen(function* () {
    const trees = yield* WorkTrees
    const edits = yield* FixEdits
    const checks = yield* FixChecks
    const settings = yield* FixSettings

    /** Who edits, in order. */
    const runnersOf = (workspace: WorkspaceId) =>
      Effect.map(settings.runnerOf(workspace), (runner) => runnersNamed[runner])

    const opened = (mirror: string) => Effect.mapError(trees.open(mirror), hostFailed)

    const proposedIn = (tree: WorkTree, { parent, at }: Prepared, files: ReadonlyArray<TreeFile>) =>
      Effect.mapError(tree.commit({ parent, files, message: "Proposed fix", at }), hostFailed)

    /** The edit of a runner, and the gates that need nothing but the edit. */
    const edit = Effect.fn("FixRounds.edit")(function* (context: StageContext, round: EditRound) {
      const { prepared, subjects, gitDir, runner, feedback, budgetUsd } = round
      const { base } = prepared
      const tree = yield* opened(gitDir)
      const request = { context, tree, prepared, subjects, feedback, budgetUsd }
      const { gates: first, files, summary, rejected } = yield* edits.edit(runner, request)
      if (rejected !== undefined) yield* publish(context, rejected)
      if (first.some(isFailed)) return { files: [], summary, runner, diff: "", gates: first } satisfies Edited
      const commit = yield* proposedIn(tree, prepared, files)
      const changes = yield* Effect.mapError(tree.changes(base, commit), hostFailed)
      const diff = yield* Effect.mapError(tree.diff(base, commit), hostFailed)
      yield* publish(context, diff)
      const scope = scopeGate(changes, filesOfAll(subjects))
      const gates: ReadonlyArray<Gate> = isFailed(scope) ? [...first, scope] : [...first, scope, sizeGate(changes)]
      return { files, summary, runner, diff, gates } satisfies Edited
    }, Effect.scoped)

    const check = Effect.fn("FixRounds.check")(function* (context: StageContext, round: CheckRound) {
      const { prepared, gitDir, edited, base } = round
      const tree = yield* opened(gitDir)
      const head = yield* proposedIn(tree, prepared, edited.files)
      return yield* checks.evaluate({ context, tree, base: prepared.base, head, edited, compared: base })
    }, Effect.scoped)

    return { runnersOf, edit, check }
  })
}) {}
