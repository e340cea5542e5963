import { Effect, Option } from "effect"
import { refOf } from "../../schema/Observation.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller, callerOfJob } from "../access/Caller.ts"
import { OrganizationContext } from "../context/OrganizationContext.ts"
import { TeamContext } from "../context/TeamContext.ts"
import { Discoveries } from "../discovery/Discoveries.ts"
import { agentBrief, type BriefObservation, type BriefText } from "../fixes/agentBrief.ts"
import { CodeHost } from "../ports/CodeHost.ts"
import { type RunningJob, StageFailed } from "../ports/Workflow.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { RepositoryTexts } from "../settings/RepositoryTexts.ts"
import type { Subject } from "./fixData.ts"

export interface BriefInput {
  readonly job: RunningJob
  readonly subjects: ReadonlyArray<Subject>
  /** The commit that the findings are in. */
  readonly commit: string
  readonly instructions: string | null
  readonly feedback: ReadonlyArray<{ readonly name: string; readonly reason: string }>
}

/** Lines of code around a location. */
const around = 20
const maxFileBytes = 1024 * 1024
const maxEntries = 40

const repositoryDeleted = new StageFailed({
  failure_kind: "repo_unavailable",
  message: "The repository was deleted."
})

/** The briefs of agents: findings, and what the team knows. Each round has one of its own. */
export class AgentBriefs extends Effect.Service<AgentBriefs>()("AgentBriefs", {
  effect: Effect.gen(function* () {
    const host = yield* CodeHost
    const repositories = yield* Repositories
    const texts = yield* RepositoryTexts
    const organization = yield* OrganizationContext
    const context = yield* TeamContext
    const discoveries = yield* Discoveries

    const codeOf = Effect.fnUntraced(function* ({ job, subjects, commit }: BriefInput) {
      const locations = subjects.flatMap(({ finding }) => finding.locations)
      const paths = [...new Set(locations.map(({ file_path }) => file_path))]
      const files = yield* host.files({ repositoryId: job.repository_id, commit, paths, maxBytes: maxFileBytes })
      return locations.map(({ file_path, line_start, line_end }) => {
        const bytes = files.get(file_path)
        if (bytes === undefined) return { file_path, line_start, line_end, code: null }
        const lines = Buffer.from(bytes).toString("utf8").split("\n")
        const first_line = Math.max(1, line_start - around)
        const text = lines.slice(first_line - 1, line_end + around).join("\n")
        return { file_path, line_start, line_end, code: { first_line, text } }
      })
    })

    const rulesFor = Effect.fnUntraced(function* (path: RepositoryPath, file: string | undefined) {
      if (file === undefined) return []
      const { rules, directives } = yield* discoveries.rules(path, file)
      return [
        ...rules.map(({ origin, text }): BriefText => ({ title: origin, text })),
        ...directives.map(({ title, ref }): BriefText => ({ title: ref, text: title }))
      ]
    })

    const guidanceFor = Effect.fnUntraced(function* (path: RepositoryPath) {
      const { text: repository } = yield* texts.guidance(path)
      const { text: workspace } = yield* organization.get()
      const parts = [
        { title: "Guidance of the workspace", text: workspace },
        { title: "Guidance of the repository", text: repository }
      ]
      return parts.filter(({ text }) => text.trim() !== "")
    })

    const digestFor = Effect.fnUntraced(function* (path: RepositoryPath) {
      const { value } = yield* context.repositoryDigest(path, maxEntries)
      const entries = value?.entries ?? []
      return entries.map(({ key, kind, summary }): BriefText => ({ title: `${kind} ${key}`, text: summary }))
    })

    const write = Effect.fn("AgentBriefs.write")(
      function* (input: BriefInput) {
        const { job, subjects, instructions, feedback } = input
        const source = yield* repositories.sourceOf(job)
        if (Option.isNone(source)) return yield* repositoryDeleted
        const { path } = source.value
        const known = {
          rules: yield* rulesFor(path, subjects[0]?.finding.locations[0].file_path),
          context: yield* digestFor(path),
          guidance: yield* guidanceFor(path)
        }
        const ruleIds = new Set(subjects.map(({ finding }) => finding.rule_id))
        return agentBrief({
          observations: subjects.map(observationOf),
          evidence: [...ruleIds].map((id) => `The rule ${id} matches in the commit that is checked out here.`),
          locations: yield* codeOf(input),
          ...known,
          instructions,
          failed_gates: feedback
        })
      },
      // It was there a moment ago.
      Effect.catchTag("RepositoryNotFound", () => repositoryDeleted),
      (effect, { job }) => Effect.provideService(effect, Caller, callerOfJob(job.workspace_id))
    )

    return { write }
  })
}) {}

const observationOf = ({ number, finding }: Subject): BriefObservation => {
  const { tool, rule_id, title, description, suggested_change, steps } = finding
  const flow = steps.map(({ file_path, line, note }) => `${file_path}:${line ?? "?"} ${note}`).join("\n")
  return { ref: refOf(number), tool, rule_id, title, description, steps: flow === "" ? null : flow, suggested_change }
}
