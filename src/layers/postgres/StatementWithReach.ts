import pg from "pg"
import type { StatementMark } from "../../services/support/requestStatements.ts"

/** The driver knows `query_timeout` of one statement; its types do not. */
export type Statement = pg.QueryConfig & { readonly query_timeout?: number | undefined }

/** What the policies of row-level security compare rows with. */
export const statementOfReach = {
  name: "assay_reach",
  text: "SELECT set_config('assay.workspace', $1, false), set_config('assay.hidden', $2, false)"
}

export const valuesOfReach = ({ workspace, hidden }: StatementMark): ReadonlyArray<string> & Array<string> => [
  workspace,
  `{${hidden}}`
]

export const reachOf = ({ workspace, hidden }: StatementMark): string => `${workspace} ${hidden}`

/** The part of the driver's connection that a statement writes to; its types do not have it. */
export interface PreparedConnection {
  /** The statements that the server has prepared, by name. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  readonly bind: (config: { readonly statement: string; readonly values: ReadonlyArray<string> }) => void
  readonly execute: (config: object) => void
}

/**
 * Whether the reach can be sent together with the statement: the server has prepared the setting, and the statement is not
 * one of those without values, which the driver sends as plain text.
 */
export const followsReach = ({ parsedStatements }: PreparedConnection, { name, values }: Statement): boolean =>
  parsedStatements[statementOfReach.name] !== undefined && (name !== undefined || (values?.length ?? 0) > 0)

/** The methods of the driver's query that its types leave out. */
interface DriverQuery {
  readonly prepare: (connection: PreparedConnection) => void
  readonly handleDataRow: (message: unknown) => void
  readonly handleCommandComplete: (message: unknown, connection: unknown) => void
}

const driver = pg.Query.prototype as unknown as DriverQuery

/**
 * A statement that sets the connection's reach first, in the same message to the server: no round trip more. Both are one
 * implicit transaction, so that an error takes the reach back, too.
 */
export class StatementWithReach extends pg.Query {
  readonly query_timeout: number | undefined
  private readonly reach: ReadonlyArray<string>
  private isReachSet = false

  constructor(statement: Statement, reach: ReadonlyArray<string>) {
    super(statement)
    this.query_timeout = statement.query_timeout
    this.reach = reach
  }

  prepare(connection: PreparedConnection): void {
    connection.bind({ statement: statementOfReach.name, values: this.reach })
    connection.execute({})
    driver.prepare.call(this, connection)
  }

  /** The first row is that of the setting. */
  handleDataRow(message: unknown): void {
    if (this.isReachSet) driver.handleDataRow.call(this, message)
  }

  handleCommandComplete(message: unknown, connection: unknown): void {
    if (this.isReachSet) return driver.handleCommandComplete.call(this, message, connection)
    this.isReachSet = true
  }
}
