import type { SinkCall } from "../../TaintLanguage.ts"
import { SQL } from "../../values/Value.ts"
import { conditionStart, conditionText } from "../conditionText.ts"
import { CONDITION_TEXT, QUERY } from "../labels.ts"
import type { Model } from "../Model.ts"

const providers = "(?:Sql|Npgsql|MySql|Sqlite|SQLite|Oracle|OleDb|Odbc|SqlCe|Db|IDb|FbDb|Snowflake\\w*|DB2|SA|Ifx)"

/** The first that is done with the new command, apart from its parameters, is to give it another text. */
const isReplaced = ({ around, assignedTo }: SinkCall): boolean => {
  const name = assignedTo()
  if (!/^\w+$/.test(name)) return false
  const text = around()
  const made = text.search(new RegExp(`\\b${name}\\s*=\\s*new\\b`))
  const next = new RegExp(
    `\\b${name}\\.(?:CommandText\\s*=(?!=)|Execute\\w*\\()|[(,]\\s*${name}\\s*[,)]|\\breturn\\s+${name}\\b`
  )
  return made >= 0 && (next.exec(text.slice(made))?.[0].includes("CommandText") ?? false)
}

export const databases: Model = {
  name: "databases",
  mentions: conditionStart,
  sinks: [
    {
      kind: SQL,
      label: QUERY,
      path: new RegExp(`^${providers}(?:Command|DataAdapter)$`),
      args: [0],
      when: (call) => !isReplaced(call)
    },
    { kind: SQL, label: QUERY, path: /\.CommandText=$/, args: [0] },
    {
      kind: SQL,
      label: QUERY,
      path: /\.(?:FromSqlRaw|ExecuteSqlRaw|ExecuteSqlRawAsync|SqlQueryRaw|ExecuteQuery|CreateSQLQuery|CreateNativeQuery)$/,
      args: [0]
    },
    // Frameworks before Core took text; Core's methods of the same names bind an interpolated argument.
    {
      kind: SQL,
      label: QUERY,
      path: /\.(?:ExecuteSqlCommand|ExecuteSqlCommandAsync|SqlQuery|FromSql|ExecuteSql|ExecuteSqlAsync|ExecuteStoreQuery|ExecuteStoreCommand)$/,
      args: [0],
      when: ({ isInterpolated }) => !isInterpolated(0)
    },
    {
      kind: SQL,
      label: QUERY,
      path: /(?:^|\.)(?:Query|QueryAsync|QueryFirst\w*|QuerySingle\w*|QueryMultiple\w*|Execute|ExecuteAsync|ExecuteScalar\w*|ExecuteReader\w*|ExecuteNonQuery\w*|ExecuteDataTable|ExecuteDataset|ExecuteSql\w*|GetDataTable|GetDataSet|ExecuteCommand\w*|ExecuteQuery\w*|ExecSql\w*|Fetch|FetchAsync|SqlList|SelectFmt|CreateQuery|CreateCommand|RunQuery|RunSql)$/,
      args: [0],
      needsText: true,
      when: ({ isInterpolated, callee }) => !(/(?:ExecuteSql|ExecuteSqlAsync)$/.test(callee) && isInterpolated(0))
    },
    // Readers and adapters of a program's own are made with the statement.
    { kind: SQL, label: QUERY, path: /^[A-Z]\w*(?:Reader|Query|Adapter|DataSource)$/, args: [0], needsText: true },
    {
      kind: SQL,
      label: CONDITION_TEXT,
      path: /\.(?:Select|Update|Delete|Count|Find|Get|Fetch|Query|Search|Load)\w*$/,
      args: [0, 1, 2, 3, 4],
      text: conditionText
    }
  ]
}
