import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { fullSlugOf, type RepositoryPath } from "../../schema/Repository.ts"
import {
  type CommandLines,
  type CommandName,
  type RepositoryCommands as Commands,
  commandNames,
  type SetRepositoryCommands
} from "../../schema/RepositoryCommands.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { Repositories } from "./Repositories.ts"
import { RepositoryCommandsRepo } from "./RepositoryCommandsRepo.ts"

/** The command lines that fixes of a repository are checked with. Whether they run is the operator's decision. */
export class RepositoryCommands extends Effect.Service<RepositoryCommands>()("RepositoryCommands", {
  effect: Effect.gen(function* () {
    const repo = yield* RepositoryCommandsRepo
    const repositories = yield* Repositories
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const get = Effect.fn("RepositoryCommands.get")(function* (path: RepositoryPath) {
      const { workspace_id } = yield* Caller
      const { id: repository_id, repo_name } = yield* repositories.find(path)
      const stored = yield* repo.find({ workspace_id, repository_id })
      return {
        repo_name,
        ...linesOf(Option.getOrElse(stored, () => ({}))),
        updated_at: Option.match(stored, { onNone: () => null, onSome: ({ updated_at }) => updated_at })
      } satisfies Commands
    })

    /** Replaces all of them. */
    const set = Effect.fn("RepositoryCommands.set")(function* (path: RepositoryPath, request: SetRepositoryCommands) {
      const { workspace_id } = yield* Caller
      const repository = yield* repositories.find(path)
      const repository_id = repository.id
      yield* repo.lock({ workspace_id, repository_id })
      const before = yield* of({ workspace_id, repository_id })
      const after = linesOf(request)
      if (commandNames.some((name) => before[name] !== after[name])) {
        yield* repo.put({ workspace_id, repository_id, lines: after, at: yield* now })
        yield* auditLog.record({ object: { kind: "repository", ref: fullSlugOf(repository) }, before, after })
      }
      return yield* get(path)
    }, inTransaction)

    /** Needs no caller: workers have none. */
    const of = Effect.fn("RepositoryCommands.of")(
      (key: { readonly workspace_id: WorkspaceId; readonly repository_id: RepositoryId }) =>
        Effect.map(repo.find(key), (stored) => linesOf(Option.getOrElse(stored, () => ({}))))
    )

    return { get, set, of }
  })
}) {}

const lineOf = (line: string | null | undefined): string | null =>
  line === null || line === undefined || line.trim() === "" ? null : line

const linesOf = ({ format, build, lint, test }: { readonly [Name in CommandName]?: string | null }): CommandLines => ({
  format: lineOf(format),
  build: lineOf(build),
  lint: lineOf(lint),
  test: lineOf(test)
})
