import { auditTool, type FileDescription, type FileSummary } from "../../core/tool/AuditTool.ts"
import { lockfileFormat } from "../../dependencies/lockfiles/names.ts"
import { rules } from "./rules.ts"
import { endedRuntimes, namesRuntime } from "./runtimes.ts"
import { ecosystemOfCode, ImportedPackages, type UsedModule, usedModules } from "./usage.ts"
import { type Row, rowsOf, vulnerableIn } from "./vulnerable.ts"

/** Of a file with versions what it locks, of a file with code what it imports. */
interface Facts {
  readonly rows?: ReadonlyArray<Row>
  readonly used?: ReadonlyArray<UsedModule>
}

const isCode = ({ language, role }: Pick<FileDescription, "language" | "role">): boolean =>
  (role === "source" || role === "test") && ecosystemOfCode(language) !== null

/** What the files left of one kind. */
const summariesOf = <K extends keyof Facts>(summaries: ReadonlyArray<FileSummary<Facts>>, key: K) =>
  summaries.flatMap(({ path, facts }): ReadonlyArray<FileSummary<NonNullable<Facts[K]>>> => {
    const own = facts[key]
    return own === undefined ? [] : [{ path, facts: own }]
  })

/** `go.sum` lists versions that no build uses. */
const isCompared = (path: string): boolean => {
  const format = lockfileFormat(path)
  return format !== null && format !== "gosum"
}

const isOf = ({ path, language, role }: FileDescription): boolean =>
  role !== "vendored" &&
  (isCompared(path) || language === "dockerfile" || namesRuntime(path) || isCode({ language, role }))

/** Compares locked versions with advisories. Advisories change by the day, so the cross-file pass runs every time. */
export default auditTool({
  id: "dependency_vulnerabilities",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P1",
  version: 4,
  rules,
  readsLockfiles: true,
  appliesTo: isOf,
  inspect: (file, emit): Facts | undefined => {
    if (namesRuntime(file.path)) endedRuntimes(file, emit)
    else if (isCode(file)) {
      const used = usedModules(file)
      return used === undefined ? undefined : { used }
    }
    if (file.language === "dockerfile") endedRuntimes(file, emit)
    const rows = isCompared(file.path) ? rowsOf(file.path, file.text) : undefined
    return rows === undefined ? undefined : { rows }
  },
  finish: (summaries, project, emit) => {
    const locked = summariesOf(summaries, "rows")
    if (locked.length === 0) return
    const files = new Map(project.files.map((file) => [file.path, file]))
    const imported = new ImportedPackages(summariesOf(summaries, "used"), (path) => files.get(path))
    for (const { path, facts: rows } of locked) vulnerableIn(path, rows, { project, imported, emit })
  }
})
