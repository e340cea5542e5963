import { Effect } from "effect"
import { syntaxInProcess } from "../../engine/index.ts"
import { allGoneGate, newFindingsGate } from "../fixes/findingGates.ts"
import { failed, type Gate, isFailed, passed } from "../fixes/gates.ts"
import type { StageContext } from "../ports/Workflow.ts"
import type { WorkTree } from "../ports/WorkTrees.ts"
import { AuditSettings } from "./AuditSettings.ts"
import { FixCommands } from "./FixCommands.ts"
import type { Compared, Edited } from "./fixData.ts"
import { Scanning, scanFailed } from "./Scanning.ts"

export interface CheckRequest {
  readonly context: StageContext
  readonly tree: WorkTree
  readonly base: string
  /** The commit with the edit. */
  readonly head: string
  readonly edited: Edited
  readonly compared: Compared
}

/** The gates between an edit and its push. They end with the first that fails. */
export class FixChecks extends Effect.Service<FixChecks>()("FixChecks", {
  effect: Effect.gen(function* () {
    const { limits } = yield* AuditSettings
    const scanning = yield* Scanning
    const commands = yield* FixCommands

    const parseGate = Effect.fnUntraced(function* ({ tree, base, head, edited }: CheckRequest) {
      const paths = edited.files.map(({ path }) => path)
      const faults = yield* syntaxInProcess(
        { source: { kind: "git", gitDir: tree.gitDir, commit: head }, base, paths },
        { limits }
      ).pipe(Effect.mapError(scanFailed))
      if (faults.length === 0) return passed("parse", "Every edited file parses as well as before.")
      const named = faults.map(({ path, lines }) => (lines.length === 0 ? path : `${path}:${lines[0]}`)).join(", ")
      return failed("parse", "quality_gate_failed", `The edit leaves files that do not parse: ${named}.`)
    })

    const findingGates = Effect.fnUntraced(function* ({ context, tree, head, edited, compared }: CheckRequest) {
      const scan = yield* scanning.inspect(context, {
        gitDir: tree.gitDir,
        commit: head,
        suite: compared.suite,
        suggestions: false,
        focus: focusOf(compared, edited),
        spareCache: true
      })
      const findings = compared.subjects.map(({ finding }) => finding)
      const gone = allGoneGate(findings, compared.scan, scan)
      return isFailed(gone) ? [gone] : [gone, newFindingsGate(compared.scan, scan)]
    })

    /** Both processes at once: parsing takes one core for a moment, and nearly every edit parses. */
    const evaluate = Effect.fn("FixChecks.evaluate")(function* (request: CheckRequest) {
      const [parse, findings] = yield* Effect.all([parseGate(request), findingGates(request)], { concurrency: 2 })
      const gates: ReadonlyArray<Gate> = [parse, ...findings]
      const firstFailed = gates.findIndex(isFailed)
      return firstFailed === -1 ? [...gates, ...(yield* commands.evaluate(request))] : gates.slice(0, firstFailed + 1)
    })

    return { evaluate }
  })
}) {}

/** Files whose findings must not be hidden by the cap of a rule: in both scans the same. */
const focusOf = ({ subjects }: Compared, { files }: Edited) => [
  ...new Set([
    ...subjects.flatMap(({ finding }) => finding.locations.map(({ file_path }) => file_path)),
    ...files.map(({ path }) => path)
  ])
]
