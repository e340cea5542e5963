import { addTo } from "../../core/collections/lists.ts"
import { directoryOf } from "../../core/text/paths.ts"
import { at, code, type Item, plural } from "../Draft.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { isOfBuild } from "./mainLanguages.ts"
import { isAside, storeItems, summaryItem } from "./stores.ts"

interface Place {
  readonly path: string
  readonly line: number
}

const verbs =
  "(?:save(?:_?all|Async)?!?|create(?:_or_update|Many|One)?!?|insert(?:_all|Many|One|OrIgnore)?!?|update(?:_all|_or_create|Many|One|OrCreate)?!?|upsert\\w*|delete(?:_all|Many|One|ById|All)?!?|destroy(?:_all)?!?|persist|bulk_\\w+|Exec(?:Context)?|Create|Save|Updates?|Delete|Insert|Put)"

/** Calls that store, change or remove something through a session, a repository, a connection or a set of objects. */
const storing = new RegExp(
  `(?:^|\\.|->|::)_?(?:db|DB|tx|Tx|[sS]ession|SESSION|em|entityManager|(?:connection|dataSource|AppDataSource|queryRunner)\\.manager|repo|\\w*[rR]epository|\\w*Repo|objects|[cC]ollection|prisma\\.\\w+|\\w*[dD]ao|\\w*[bB]ackend(?:\\.instance)?|\\w*[sS]torage|\\w*Mapper|_?[cC]ontext\\.[A-Z]\\w+)(?:\\.|->|::)${verbs}$`
)

/** A connection runs statements; to create or destroy one stores nothing, nor does to put one into a pool. */
const executing =
  /(?:^|\.|->|::)_?(?:(?:conn|connection)(?:\.|->|::)(?:insert\w*|update\w*|upsert\w*)|(?:conn|connection|pool)(?:\.|->|::)Exec(?:Context)?)$/

/** Of Active Record: these are called on the object itself. */
const active =
  /^(?:@\w+|self|[A-Z][\w:]*|[a-z]\w{3,})(?:\.\w+)*\.(?:save!?|update!?|update_attributes!?|update_columns?|destroy!?|destroy_all|delete_all|update_all|create!?|insert_all!?)$/

/** Text within an editor, of which the session is what it shows: `editor.session.insert`. */
const ofEditor = /(?:^|[._])(?:\w*[eE]ditor\w*|ace|monaco|code[mM]irror)\.(?:\w+\.)?\w+$/

const isMigration = (path: string): boolean =>
  /(?:^|\/)(?:db\/migrate|migrations?|alembic|flyway|liquibase|versions)\//i.test(path)

const written = (survey: Survey) => {
  const byTable = new Map<string, Array<Place>>()
  for (const file of survey.source) {
    if (!file.has("writes") || isMigration(file.path) || isAside(file.path) || file.language === "sql") continue
    for (const [table, line] of file.writes) addTo(byTable, table.toLowerCase(), { path: file.path, line })
  }
  return byTable
}

const declaredTables = (survey: Survey): ReadonlyMap<string, Place> => {
  const declared = new Map<string, Place>()
  for (const file of survey.source)
    for (const { name, as, line } of file.entities)
      if (/table/i.test(as) && !declared.has(name.toLowerCase()))
        declared.set(name.toLowerCase(), { path: file.path, line })
  return declared
}

/** Words of SQL about a table that is neither declared nor written elsewhere may be prose. */
const knownTables = (survey: Survey): ReadonlySet<string> => {
  const declared = declaredTables(survey)
  return new Set(
    [...written(survey)].flatMap(([table, places]) => (declared.has(table) || places.length > 1 ? [table] : []))
  )
}

/** Tables that the code writes by statements of its own, with those places. */
const tableItems = (survey: Survey): ReadonlyArray<Item> => {
  const declared = declaredTables(survey)
  const documents = new Set(
    survey.source.flatMap((file) =>
      file.entities.flatMap(({ name, as }) => (/^collection/.test(as) ? [name.toLowerCase()] : []))
    )
  )
  return [...written(survey)]
    .filter(([table, places]) => declared.has(table) || places.length > 1)
    .sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_TABLES)
    .map(([table, places]) => {
      const files = [...new Map(places.map((place) => [place.path, place])).values()]
      const made = declared.get(table)
      const more = files.length > 4 ? ` and ${files.length - 4} more files` : ""
      return {
        text: `${documents.has(table) ? "Collection" : "Table"} ${code(table)}${made === undefined ? "" : ` (declared at ${at(made)})`} is written by ${files.slice(0, 4).map(at).join(", ")}${more}`,
        cites: [...(made === undefined ? [] : [made]), ...files.slice(0, 4)].map(({ path, line }) => ({ path, line }))
      }
    })
}

const MAX_TABLES = 24
const MAX_FOLDERS = 8

/** What of Ruby is made, and stored nowhere. */
const isMade =
  /(?:^|::)(?:\w*Task|File|Dir|Thread|Logger|Struct|Tempfile|Digest|Class|Module|Process|OpenSSL)\.|(?:^|[.@])(?:watcher|digest|hmac|sha\d*|md5)\./

/** In C and C++ no mapper stores objects; what is called `db` there is the program's own. */
const isRecords = /^ActiveRecord|^document of a database/

/** Objects of Ruby store themselves where they are records. */
const hasRecords = (survey: Survey): boolean =>
  survey.source.some(
    (file) => file.language === "ruby" && file.has("entities") && file.entities.some(({ as }) => isRecords.test(as))
  )

const storesIn = (
  hasActive: boolean,
  file: ObservedFile
): ReadonlyArray<readonly [callee: string, count: number, line: number]> =>
  file.has("calls") && !isOfBuild(file.path) && !isAside(file.path) && !/^(?:c|cpp)$/.test(file.language)
    ? file.calls.filter(
        ([callee]) =>
          (storing.test(callee) && !ofEditor.test(callee)) ||
          executing.test(callee) ||
          (hasActive && file.language === "ruby" && active.test(callee) && !isMade.test(callee))
      )
    : []

/** Folders whose code stores something through an object, most places first. */
const folderItems = (survey: Survey): ReadonlyArray<Item> => {
  const folders = new Map<
    string,
    { count: number; readonly files: Array<Place & { readonly callee: string; readonly count: number }> }
  >()
  const hasActive = hasRecords(survey)
  for (const file of survey.source) {
    const stores = storesIn(hasActive, file)
    const [first] = stores
    if (first === undefined || isMigration(file.path)) continue
    const folder = directoryOf(file.path)
    const known = folders.get(folder) ?? { count: 0, files: [] }
    folders.set(folder, known)
    const count = stores.reduce((sum, [, times]) => sum + times, 0)
    known.count += count
    known.files.push({ path: file.path, line: first[2], callee: first[0], count })
  }
  return [...folders]
    .sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_FOLDERS)
    .map(([folder, { count, files }]) => {
      const shown = files.sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1)).slice(0, 4)
      return {
        text: `${code(folder === "" ? "." : folder)}: ${plural(count, "call")} that store or remove something, as in ${shown.map(({ callee, ...place }) => `${at(place)} (${code(callee)})`).join(", ")}`,
        cites: shown.map(({ path, line }) => ({ path, line }))
      }
    })
}

/** How many writes of tables and of stored objects each file has. */
const writesByFile = (survey: Survey): ReadonlyMap<string, number> => {
  const tables = knownTables(survey)
  const hasActive = hasRecords(survey)
  return new Map(
    survey.source.flatMap((file): ReadonlyArray<readonly [string, number]> => {
      if (isMigration(file.path) || isAside(file.path) || file.language === "sql") return []
      const statements = file.has("writes")
        ? file.writes.filter(([table]) => tables.has(table.toLowerCase())).length
        : 0
      const count = statements + storesIn(hasActive, file).reduce((sum, [, times]) => sum + times, 0)
      return count === 0 ? [] : [[file.path, count]]
    })
  )
}

/** Where state is written: the folders, then the statements, the objects that stand for what is stored, and files. */
export const stateItems = (survey: Survey): ReadonlyArray<Item> => [
  ...summaryItem(survey, writesByFile(survey)),
  ...tableItems(survey),
  ...folderItems(survey),
  ...storeItems(survey)
]
