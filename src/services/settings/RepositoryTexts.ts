import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { fullSlugOf, type RepositoryPath } from "../../schema/Repository.ts"
import type { RepositoryGuidance, RepositoryText, ReviewInstructions } from "../../schema/Setting.ts"
import { Uuid } from "../../schema/Text.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { scanText } from "../context/secretScan.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { combined, inWords, readInstructions } from "../reviews/instructions.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { checkSeenText, textEtag } from "../support/textVersion.ts"
import { transactional } from "../support/transactional.ts"
import { checkInstructions } from "./checkInstructions.ts"
import { SettingsRepo } from "./SettingsRepo.ts"

/** Instructions of a workspace for working on one repository, and for reviewing it. */
export class RepositoryTexts extends Effect.Service<RepositoryTexts>()("RepositoryTexts", {
  effect: Effect.gen(function* () {
    const repo = yield* SettingsRepo
    const repositories = yield* Repositories
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const read = Effect.fnUntraced(function* (path: RepositoryPath, name: RepositoryText) {
      const { workspace_id } = yield* Caller
      const { id: repository_id, repo_name } = yield* repositories.find(path)
      const texts = yield* repo.ofRepository({ workspace_id, repository_id, lock: false })
      const changes = yield* repo.lastChanges({ workspace_id, repository_id })
      const change = changes.find((one) => one.name === name)
      return {
        repo_name,
        text: texts[name],
        etag: textEtag(texts[name]),
        changed_at: change?.changed_at ?? null,
        changed_by: change?.changed_by ?? null
      }
    })

    /** Replaces the whole; what looks like a secret is reported, a certain one rejected. */
    const write = Effect.fnUntraced(function* (
      path: RepositoryPath,
      name: RepositoryText,
      text: string,
      seen: string | undefined
    ) {
      const { workspace_id, actor } = yield* Caller
      const repository = yield* repositories.find(path)
      const repository_id = repository.id
      const value = text.trim() === "" ? "" : text
      const warnings = yield* scanText("text", value)
      const { [name]: prev } = yield* repo.ofRepository({ workspace_id, repository_id, lock: true })
      yield* checkSeenText(seen, yield* read(path, name))
      if (prev !== value) {
        yield* repo.setText({ workspace_id, repository_id, name, value })
        const [id, at] = [yield* newId(Uuid), yield* now]
        yield* repo.addChange({ id, workspace_id, repository_id, name, actor, prev, value, at })
        const object = { kind: "repository", ref: fullSlugOf(repository) } as const
        yield* auditLog.record({ object, before: { [name]: prev }, after: { [name]: value } })
      }
      return warnings.length === 0 ? {} : { secret_warnings: warnings }
    })

    const guidance = Effect.fn("RepositoryTexts.guidance")((path: RepositoryPath) => read(path, "guidance"))

    const setGuidance = Effect.fn("RepositoryTexts.setGuidance")(function* (
      path: RepositoryPath,
      text: string,
      seen?: string
    ) {
      const warnings = yield* write(path, "guidance", text, seen)
      return { ...(yield* guidance(path)), ...warnings } satisfies RepositoryGuidance
    }, inTransaction)

    const reviewInstructions = Effect.fn("RepositoryTexts.reviewInstructions")(function* (path: RepositoryPath) {
      const { workspace_id } = yield* Caller
      const { text: repository, ...details } = yield* read(path, "review_instructions")
      const { review_instructions: workspace } = yield* repo.ofWorkspace(workspace_id)
      const effective = [repository, workspace].filter((text) => text !== "").join("\n\n")
      const { directives } = directivesOf(repository, workspace)
      return { ...details, repository, workspace, effective, directives } satisfies ReviewInstructions
    })

    /** What directs reviews of a repository, and lines that do not though they mean to. Needs no caller: workers have none. */
    const reviewDirectives = Effect.fn("RepositoryTexts.reviewDirectives")(function* (of: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
    }) {
      const { review_instructions: repository } = yield* repo.ofRepository({ ...of, lock: false })
      const { review_instructions: workspace } = yield* repo.ofWorkspace(of.workspace_id)
      return directivesOf(repository, workspace)
    })

    const replaceInstructions = Effect.fnUntraced(function* (path: RepositoryPath, text: string, seen?: string) {
      const warnings = yield* write(path, "review_instructions", text, seen)
      return { ...(yield* reviewInstructions(path)), ...warnings } satisfies ReviewInstructions
    }, inTransaction)

    const setReviewInstructions = Effect.fn("RepositoryTexts.setReviewInstructions")(function* (
      path: RepositoryPath,
      text: string,
      seen?: string
    ) {
      yield* checkInstructions("text", text)
      return yield* replaceInstructions(path, text, seen)
    })

    return { guidance, setGuidance, reviewInstructions, reviewDirectives, setReviewInstructions }
  })
}) {}

const directivesOf = (repository: string, workspace: string) => {
  const [own, shared] = [readInstructions(repository), readInstructions(workspace)]
  return {
    directives: combined(own.directives, shared.directives),
    problems: [
      ...own.problems.map((problem) => `Repository, ${inWords(problem)}`),
      ...shared.problems.map((problem) => `Workspace, ${inWords(problem)}`)
    ]
  }
}
