import { isShell, optionHungry } from "../sinks/shells.ts"
import type { SinkRule } from "../TaintLanguage.ts"
import { ARGUMENT, COMMAND, SQL } from "../values/Value.ts"

const query = "a database query"
const shell = "a shell command"
const providers = "(?:Sql|Npgsql|MySql|Sqlite|SQLite|Oracle|OleDb|Odbc|SqlCe|Db|IDb|FbDb|Snowflake\\w*|DB2|SA|Ifx)"

export const csharpSql: ReadonlyArray<SinkRule> = [
  { kind: SQL, label: query, path: new RegExp(`^${providers}(?:Command|DataAdapter)$`), args: [0] },
  { kind: SQL, label: query, path: /\.CommandText=$/, args: [0] },
  {
    kind: SQL,
    label: query,
    path: /\.(?:FromSqlRaw|ExecuteSqlRaw|ExecuteSqlRawAsync|SqlQueryRaw|ExecuteQuery|CreateSQLQuery|CreateNativeQuery)$/,
    args: [0]
  },
  // Frameworks before Core took text; Core's methods of the same names bind an interpolated argument.
  {
    kind: SQL,
    label: query,
    path: /\.(?:ExecuteSqlCommand|ExecuteSqlCommandAsync|SqlQuery|FromSql|ExecuteSql|ExecuteSqlAsync|ExecuteStoreQuery|ExecuteStoreCommand)$/,
    args: [0],
    when: ({ isInterpolated }) => !isInterpolated(0)
  },
  {
    kind: SQL,
    label: query,
    path: /(?:^|\.)(?:Query|QueryAsync|QueryFirst\w*|QuerySingle\w*|QueryMultiple\w*|Execute|ExecuteAsync|ExecuteScalar\w*|ExecuteReader\w*|ExecuteNonQuery\w*|ExecuteDataTable|ExecuteDataset|ExecuteSql\w*|GetDataTable|GetDataSet|Fetch|FetchAsync|SqlList|SelectFmt|CreateQuery|CreateCommand|RunQuery|RunSql)$/,
    args: [0],
    needsText: true,
    when: ({ isInterpolated, callee }) => !(/(?:ExecuteSql|ExecuteSqlAsync)$/.test(callee) && isInterpolated(0))
  }
]

/** What a shell runs because of its arguments. */
const shellArguments = /^\s*"?(?:\/[cCkK]\b|-l?c\b|-[cC]ommand\b)/

export const csharpCommands: ReadonlyArray<SinkRule> = [
  {
    kind: COMMAND,
    label: shell,
    path: /^(?:System\.Diagnostics\.)?Process\.Start$|^ProcessStartInfo$/,
    args: [1],
    when: (call) => isShell(call.literal(0))
  },
  {
    kind: COMMAND,
    label: shell,
    path: /(?:ProcessStartInfo|StartInfo)(?:\(\))?\.Arguments=$/,
    args: [0],
    text: shellArguments
  },
  {
    kind: COMMAND,
    label: shell,
    path: /(?:ProcessStartInfo|StartInfo)(?:\(\))?\.Arguments=$/,
    args: [0],
    when: ({ held }) => isShell(held("FileName"))
  },
  {
    kind: COMMAND,
    label: shell,
    path: /(?:ProcessStartInfo|StartInfo)(?:\(\))?\.ArgumentList\.Add$/,
    args: [0],
    text: shellArguments
  },
  {
    kind: ARGUMENT,
    label: "the name of a program to run",
    path: /^(?:System\.Diagnostics\.)?Process\.Start$|^ProcessStartInfo$|(?:ProcessStartInfo|StartInfo)(?:\(\))?\.FileName=$/,
    args: [0]
  },
  {
    kind: ARGUMENT,
    label: "the argument line of a program",
    path: /^(?:System\.Diagnostics\.)?Process\.Start$|^ProcessStartInfo$/,
    args: [1],
    when: (call) => optionHungry.test(call.literal(0) ?? "")
  },
  {
    kind: ARGUMENT,
    label: "the argument line of a program",
    path: /(?:ProcessStartInfo|StartInfo)(?:\(\))?\.Arguments=$/,
    args: [0],
    when: ({ held }) => optionHungry.test(held("FileName") ?? "")
  }
]
