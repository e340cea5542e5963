import { isFlag, isShell, optionHungry } from "../sinks/shells.ts"
import type { SinkCall, SinkRule } from "../TaintLanguage.ts"
import { ARGUMENT, COMMAND, SQL } from "../values/Value.ts"

const query = "a database query"
const shell = "a shell command"

/** A model, or what its query methods answer: classes of the standard library are none. */
const model =
  "(?!(?:File|Dir|IO|Array|Hash|Set|Struct|String|Range|Enumerator|JSON|YAML|CSV|Net|URI|CGI|ENV|Open3|Process|Kernel|Pathname|Regexp|Rails|Redis|Time|Date)\\b)(?:::)?[A-Z][\\w:]*(?:\\.\\w+[?!]?\\(\\))*"

/** `name = '...'`: written for conditions only, and a hash has no text. */
const condition = /(?:[=<>]|\b(?:like|ilike|in|between|is|regexp|match|similar to)\b)/i

export const rubySql: ReadonlyArray<SinkRule> = [
  {
    kind: SQL,
    label: query,
    path: new RegExp(`^${model}\\.(?:find_by_sql|count_by_sql)$`),
    args: [0]
  },
  {
    kind: SQL,
    label: query,
    path: /(?:^|\.)(?:execute|exec_query|exec_update|exec_delete|exec_insert|select_all|select_one|select_value|select_values|select_rows|find_by_sql|count_by_sql|exec|async_exec|query|prepare|fetch|run|execute_batch|get_first_value|get_first_row|insert|update|delete|<<)$/,
    args: [0],
    needsText: true
  },
  {
    kind: SQL,
    label: query,
    path: /^(?:ActiveRecord::Base|[A-Z][\w:]*)\.(?:connection|lease_connection)(?:\(\))?\.(?:execute|exec_query|select_all|select_one|select_value|select_values|select_rows)$/,
    args: [0]
  },
  {
    kind: SQL,
    label: query,
    path: /^(?:PG::Connection|PG\.connect|PG|Mysql2::Client|SQLite3::Database|TinyTds::Client)(?:\(\))?\.(?:exec|query|execute|async_exec|prepare|execute_batch|get_first_value|get_first_row)$/,
    args: [0]
  },
  { kind: SQL, label: "raw SQL", path: /^(?:Arel\.sql|Sequel\.lit|Arel::Nodes::SqlLiteral(?:\.new)?)$/, args: [0] },
  {
    kind: SQL,
    label: "a condition of a query",
    path: /(?:^|\.)(?:where|rewhere|not|find_by|find_by!|exists\?|having|delete_by|destroy_by|or_where|update_all|delete_all|destroy_all)$/,
    args: [0],
    text: condition
  },
  {
    kind: SQL,
    label: query,
    path: new RegExp(`^${model}\\.(?:joins|from|group|having|lock|select)$`),
    args: [0],
    text: /\S\s|\s\S/
  }
]

const runners =
  "(?:Kernel\\.|Process\\.|PTY\\.|POSIX::Spawn\\.)?(?:system|exec|spawn)|IO\\.popen|Open3\\.(?:capture2e?|capture3|popen2e?|popen3|pipeline\\w*)|PTY\\.spawn|Terrapin::CommandLine|Cocaine::CommandLine"

const isAlone = ({ count, holdsFields }: SinkCall): boolean => count === 1 && !holdsFields(0)

export const rubyCommands: ReadonlyArray<SinkRule> = [
  { kind: COMMAND, label: shell, path: new RegExp(`^(?:${runners})$`), args: [0], when: isAlone },
  // The first of two is the environment; the last may be options of a hash.
  {
    kind: COMMAND,
    label: shell,
    path: new RegExp(`^(?:${runners})$`),
    args: [1],
    when: ({ count, holdsFields }) => count === 2 && holdsFields(0) && !holdsFields(1)
  },
  // `IO.popen(command, "r")`.
  {
    kind: COMMAND,
    label: shell,
    path: /^IO\.popen$/,
    args: [0],
    when: (call) => call.count === 2 && !call.holdsFields(0) && /^[rwab+:\w-]*$/.test(call.literal(1) ?? "?")
  },
  {
    kind: COMMAND,
    label: shell,
    path: new RegExp(`^(?:${runners})$`),
    args: [2],
    when: (call) => isShell(call.literal(0)) && isFlag(call.literal(1))
  },
  { kind: COMMAND, label: shell, path: /^(?:`|Kernel\.`)$/, args: [0] },
  {
    kind: COMMAND,
    label: shell,
    path: /^(?:Kernel\.)?open$|^IO\.(?:read|readlines|foreach|write|binread)$/,
    args: [0],
    text: /^\s*\|/
  },
  {
    kind: ARGUMENT,
    label: "the name of a program to run",
    path: new RegExp(`^(?:${runners})$`),
    args: [0],
    when: ({ callee, count, holdsFields }) => count > 1 && !holdsFields(0) && callee !== "IO.popen"
  },
  {
    kind: ARGUMENT,
    label: "the options of a program",
    path: new RegExp(`^(?:${runners})$`),
    args: [1, 2, 3, 4, 5],
    when: (call) => optionHungry.test(call.literal(0) ?? "") && ![1, 2, 3, 4].some((i) => call.literal(i) === "--")
  }
]
