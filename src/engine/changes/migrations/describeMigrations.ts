import { SourceFile } from "../../core/files/SourceFile.ts"
import { prepareGrammars } from "../../languages/tree/Grammar.ts"
import type { ChangedPaths, MigrationChange } from "../ChangeDescription.ts"
import type { Side } from "../publicApi/Side.ts"
import { codeMigration } from "./code.ts"
import { type Verdict, verdict } from "./Migration.ts"
import { sqlMigration } from "./sql.ts"

/** Folders that tools keep migrations in, and names that they give them. */
const folders =
  /(?:^|\/)(?:migrations?|migrate|db_migrations?|schema_migrations?|alembic\/versions|versions|changelogs?)\/|(?:^|\/)[VUR][\d._]*__[^/]+\.sql$|\.(?:up|down)\.sql$/i
const programs = /\.(?:rb|py|[cm]?[jt]s|php|cs|go|exs?|java|kt)$/i
const isSql = /\.sql$/i
/** Changes of a schema as data. */
const changeLogs = /(?:^|\/)(?:db\/)?changelogs?\/.*\.(?:xml|ya?ml|json)$|db\.changelog[\w.-]*\.(?:xml|ya?ml|json)$/i

/** The migrations that a change adds or edits. */
export const describeMigrations = async (
  head: Side,
  changes: ReadonlyArray<ChangedPaths>
): Promise<ReadonlyArray<MigrationChange>> => {
  const found: Array<MigrationChange> = []
  for (const { head: path } of changes) {
    if (path === null || !(folders.test(path) || changeLogs.test(path))) continue
    const described = await migrationOf(head, path)
    if (described === null) continue
    const { line, ...rest } = described
    found.push({ path, line_start: line, line_end: line, ...rest })
  }
  return found
}

const migrationOf = async (head: Side, path: string): Promise<Verdict | null> => {
  const file = await head.file(path)
  if (file === null || (file.role !== "source" && file.role !== "generated")) return null
  const { text } = file
  if (isSql.test(path)) {
    return sqlMigration({ path, text, has: (other) => head.has(other), read: (other) => head.text(other) })
  }
  if (changeLogs.test(path) && /databaseChangeLog|<changeSet\b/.test(text)) {
    return /<rollback\b|^\s*-?\s*rollback:|"rollback"/m.test(text)
      ? verdict("Liquibase", null, "has rollbacks, and not every change set needs one")
      : verdict("Liquibase", null, "names no rollback, and Liquibase makes some of them itself")
  }
  if (!programs.test(path)) return null
  const source = new SourceFile({ path, text })
  await prepareGrammars([source.language])
  const known = codeMigration(source)
  if (known !== null || !/\.(?:exs|java|kt)$/.test(path)) return known
  return /\b(?:use Ecto\.Migration|BaseJavaMigration)\b/.test(text)
    ? verdict(null, null, "is of no tool that is known here")
    : null
}
