import { SqlClient } from "@effect/sql"
import { Data, Effect } from "effect"

/** The database's address leads to a pooler that shares sessions, or that drops what a connection asks for at its start. */
export class SessionsShared extends Data.TaggedError("SessionsShared")<{ readonly message: string }> {}

const wayOut =
  "Point DATABASE_URL at PostgreSQL itself: Assay has pools of its own, bounded for each process (docs/sizing.md)."

const sharedSessions = `A pooler in transaction or statement mode shares this database's sessions between clients. Assay keeps in its sessions which workspace's rows they see, listens in them, and holds locks: rows would be shown to others. ${wayOut}`

const droppedOptions = `A pooler drops the options that Assay starts its connections with, such as the role that row-level security binds. ${wayOut}`

interface Session {
  readonly pid: number
  readonly started: string | null
}

const statement = "SELECT pg_backend_pid() AS pid, current_setting('assay.session', true) AS started"

const session = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* sql.reserve
  const [row] = yield* connection.execute(statement, [], undefined)
  return row as Session
})

export const problemOf = (first: Session, second: Session): string | null => {
  if (first.pid === second.pid) return sharedSessions
  return first.started === "own" ? null : droppedOptions
}

/** A statement that this connection has not prepared yet is there already. */
const isPreparedByAnother = ({ cause }: { readonly cause?: unknown }) =>
  typeof cause === "object" && cause !== null && "code" in cause && cause.code === "42P05"

/**
 * What is wrong with the connections of a pool of two or more; null where each has a session of its own. While both are
 * open two connections to PostgreSQL never have the same process, and a pooler gives the one that became idle last.
 */
export const sessionsProblem = Effect.all([session, session]).pipe(
  Effect.map(([first, second]) => problemOf(first, second)),
  Effect.catchIf(isPreparedByAnother, () => Effect.succeed(sharedSessions)),
  Effect.scoped
)

export const requireOwnSessions = Effect.flatMap(sessionsProblem, (message) =>
  message === null ? Effect.void : Effect.fail(new SessionsShared({ message }))
)
