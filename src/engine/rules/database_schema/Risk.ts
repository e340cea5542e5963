import { folderOf } from "../../core/text/paths.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import type { RuleId } from "./rules.ts"

/** Something a migration does. Whether it is reported is known once all migrations are. */
export interface Risk extends Pick<Match<RuleId>, "rule" | "start" | "end" | "message"> {
  /** Only where the database is PostgreSQL, as the project's dependencies say. */
  readonly onlyPostgres: boolean
}

export type Report = (risk: Risk) => void

/** What a migration folder is called by the tools that have one. */
const folder = /(?:^|\/)(?:migrations?|migrate|flyway|liquibase|changesets?|alembic\/versions|upgrades?|evolutions)\//i
const versioned = /(?:^|\/)[VU]\d[\d._]*__\w+\.sql$|\.up\.sql$/

/** A migration that others came before. */
export const isMigration = (path: string): boolean =>
  (folder.test(path) || versioned.test(path)) && !isFirst(path) && !isUndoing(path)

/** Which migrations run one after the other: those below one folder of migrations. */
export const seriesOf = (path: string): string => {
  const match = folder.exec(path)
  return match === null ? folderOf(path) : path.slice(0, match.index + match[0].length)
}

const isUndoing = (path: string): boolean =>
  /(?:[._-]|^|\/)(?:down|undo|rollback|revert)(?:\.\w+)?\.\w+$|(?:^|\/)U\d[\d._]*__/i.test(path)

/** The first one, and those that write the whole schema down: no one has data yet. */
const isFirst = (path: string): boolean => {
  const named = path.split("/").slice(-2).join("/")
  return /(?:^|\/)(?:V?0*1(?:[_.-]|\.\w+$))|(?:^|[/_.-])(?:init|initial|baseline|squashed|schema|structure|dump|install|bootstrap)(?:[_.-]|$)/i.test(
    named
  )
}
