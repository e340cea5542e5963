import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { CommandLines } from "../../schema/RepositoryCommands.ts"
import { Instant } from "../../schema/Text.ts"
import { firstRow, run } from "../support/rows.ts"
import { storableText } from "../support/storable.ts"

const StoredCommands = Schema.Struct({ ...CommandLines.fields, updated_at: Instant })

interface Key {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
}

const stored = (line: string | null) => (line === null ? null : storableText(line))

export class RepositoryCommandsRepo extends Effect.Service<RepositoryCommandsRepo>()("RepositoryCommandsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const find = ({ workspace_id, repository_id }: Key) =>
      firstRow(
        StoredCommands,
        sql`SELECT format, build, lint, test, updated_at FROM repository_commands
            WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id}`
      )

    /** Others that change the commands of the repository wait until the transaction ends. */
    const lock = ({ workspace_id, repository_id }: Key) =>
      run(sql`SELECT 1 FROM repositories
          WHERE workspace_id = ${workspace_id} AND id = ${repository_id} FOR NO KEY UPDATE`)

    const put = ({
      workspace_id,
      repository_id,
      lines,
      at
    }: Key & { readonly lines: CommandLines; readonly at: string }) =>
      run(sql`INSERT INTO repository_commands (repository_id, workspace_id, format, build, lint, test, updated_at)
          VALUES (${repository_id}, ${workspace_id}, ${stored(lines.format)}, ${stored(lines.build)},
            ${stored(lines.lint)}, ${stored(lines.test)}, ${at})
          ON CONFLICT (repository_id) DO UPDATE SET format = excluded.format, build = excluded.build,
            lint = excluded.lint, test = excluded.test, updated_at = excluded.updated_at`)

    return { find, lock, put }
  })
}) {}
