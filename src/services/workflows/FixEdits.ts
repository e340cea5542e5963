import { Effect } from "effect"
import { type Finding, proposeFixInProcess } from "../../engine/index.ts"
import { failed, type Gate, passed } from "../fixes/gates.ts"
import type { StageContext } from "../ports/Workflow.ts"
import type { TreeFile, WorkTree } from "../ports/WorkTrees.ts"
import { AuditSettings } from "./AuditSettings.ts"
import { scanFailed } from "./Scanning.ts"

export interface EditRequest {
  readonly context: StageContext
  readonly tree: WorkTree
  /** The commit to edit. */
  readonly parent: string
  readonly finding: Finding
}

export interface RunnerEdit {
  /** The gate `edit`; where it failed there are no files. */
  readonly gate: Gate
  readonly files: ReadonlyArray<TreeFile>
  readonly summary: string
}

const nothing = (reason: string): RunnerEdit => ({
  gate: failed("edit", "no_changes", reason),
  files: [],
  summary: ""
})

/** What proposes the edits of a fix. */
export class FixEdits extends Effect.Service<FixEdits>()("FixEdits", {
  effect: Effect.gen(function* () {
    const { limits, salt, advisories } = yield* AuditSettings

    /** The rule's own fixer, in a process of its own. */
    const byRules = Effect.fn("FixEdits.byRules")(function* ({ tree, parent, finding }: EditRequest) {
      const { rule_id, signatures, locations } = finding
      const result = yield* proposeFixInProcess(
        {
          source: { kind: "git", gitDir: tree.gitDir, commit: parent },
          rule_id,
          finding: { signatures, locations },
          salt,
          ...(advisories === null ? {} : { advisories })
        },
        { limits }
      ).pipe(Effect.mapError(scanFailed))
      switch (result.status) {
        case "proposed":
          return {
            gate: passed(
              "edit",
              `${result.files.length === 1 ? "One file is" : `${result.files.length} files are`} edited.`
            ),
            files: result.files.map(({ path, content }) => ({
              path,
              content: content === null ? null : Buffer.from(content, "base64")
            })),
            summary: result.summary
          }
        case "declined":
          return nothing(`The fixer declines: ${result.reason}`)
        case "absent":
          return nothing(`The rule ${rule_id} no longer matches there.`)
        case "no_fixer":
          return nothing(`There is no fixer for the rule ${rule_id}; set fix_runner to "agent" for an agent to try.`)
      }
    })

    return { byRules }
  })
}) {}
