import { roleOf } from "../../core/files/FileRole.ts"
import { folderOf } from "../../core/text/paths.ts"
import { auditTool } from "../../core/tool/AuditTool.ts"
import { lockfileFormat } from "../../dependencies/lockfiles/names.ts"
import { parseLockfile } from "../../dependencies/lockfiles/parseLockfile.ts"
import { copyleftRows, licenceConflicts } from "./licences.ts"
import { missingLockfiles } from "./lockfiles.ts"
import { rules } from "./rules.ts"
import { insecurePackages, insecureSettings, namesSources } from "./sources.ts"

/** Lock files count as generated, and requirements as prose: what matters is where they lie. */
const isOurs = (path: string): boolean => {
  const role = roleOf(`${folderOf(path)}x`)
  return role === "source" || role === "test"
}

export default auditTool({
  id: "supply_chain",
  suite: "full",
  kind: "advisory",
  domain: "security",
  category: "operations",
  priority: "P2",
  version: 1,
  rules,
  readsLockfiles: true,
  appliesTo: ({ path, role }) =>
    role !== "vendored" && isOurs(path) && (lockfileFormat(path) !== null || namesSources(path)),
  inspect: (file, emit) => {
    insecureSettings(file, emit)
    if (lockfileFormat(file.path) === null) return undefined
    const packages = parseLockfile(file.path, file.text)
    insecurePackages(packages, emit)
    return copyleftRows(packages)
  },
  finish: (facts, project, emit) => {
    missingLockfiles(project, emit)
    for (const { path, facts: rows } of facts) licenceConflicts(path, rows, project, emit)
  }
})
