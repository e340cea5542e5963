import { auditTool, type FileDescription } from "../../core/tool/AuditTool.ts"
import { lockfileFormat } from "../../dependencies/lockfiles/names.ts"
import { rules } from "./rules.ts"
import { endedRuntimes, namesRuntime } from "./runtimes.ts"
import { rowsOf, vulnerableIn } from "./vulnerable.ts"

/** `go.sum` lists versions that no build uses. */
const isCompared = (path: string): boolean => {
  const format = lockfileFormat(path)
  return format !== null && format !== "gosum"
}

const isOf = ({ path, language, role }: FileDescription): boolean =>
  role !== "vendored" && (isCompared(path) || language === "dockerfile" || namesRuntime(path))

/** Compares locked versions with advisories. Advisories change by the day, so the cross-file pass runs every time. */
export default auditTool({
  id: "dependency_vulnerabilities",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P1",
  version: 2,
  rules,
  readsLockfiles: true,
  appliesTo: isOf,
  inspect: (file, emit) => {
    endedRuntimes(file, emit)
    return isCompared(file.path) ? rowsOf(file.path, file.text) : undefined
  },
  finish: (facts, project, emit) => {
    for (const { path, facts: rows } of facts) vulnerableIn(path, rows, project, emit)
  }
})
