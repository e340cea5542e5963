import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { directoryOf } from "../../../core/text/paths.ts"
import type { EmitAt, FileSummary, Project } from "../../../core/tool/AuditTool.ts"
import type { ImportFact } from "../../../structure/importGraph/ImportFacts.ts"
import type { RuleId } from "../rules.ts"

const MAX_LOCATIONS = 50
const MIN_MODULES = 5
/** How many ES modules there must be for each file that still uses CommonJS. */
const MIN_RATIO = 3

/** An ES module, or where a file shows that it is CommonJS. */
export type ModuleSystemFacts = "esm" | readonly [start: number, end: number]

/** Tools load these in the way they know, and what is built twice is CommonJS on purpose. */
const isFree =
  /\.(?:cjs|mjs|cts|mts|d\.ts)$|(?:^|\/)(?:cjs|commonjs|umd|es5|node|bin|scripts?|tools?|build|config|webpack|blueprints|generators?|templates?)\/|(?:^|\/)\.|(?:config|conf|setup|rc|gulpfile|gruntfile|webpack[\w.-]*|knexfile|Gruntfile|Gulpfile)\.[jt]s$/

const exported = /^(?:module\.exports|exports\.\w+)\s*=/m

/** Which module system a file is written in; nothing for one that may choose freely, or shows none. */
export const moduleSystemFacts = (
  file: SourceFile,
  imports: ReadonlyArray<ImportFact>
): ModuleSystemFacts | undefined => {
  const { tree, path } = file
  if (tree === null || !/^(?:javascript|typescript|tsx)$/.test(file.language) || isFree.test(path)) return undefined
  if (tree.of("import_statement", "export_statement").length > 0) return "esm"
  const written = exported.exec(file.text)
  if (written !== null) return [written.index, written.index + written[0].length]
  const [first] = imports
  return first === undefined || !file.text.startsWith("require", first.start) ? undefined : [first.start, first.end]
}

/** Folder of the manifest that decides about a file, for each file once. */
const packageOf = (project: Project) => {
  const known = new Map<string, string | null>()
  const find = (folder: string): string | null => {
    const cached = known.get(folder)
    if (cached !== undefined) return cached
    const above = directoryOf(folder)
    const own = project.manifest(folder === "" ? "package.json" : `${folder}/package.json`) !== null
    const found = own ? folder : folder === "" ? null : find(above)
    known.set(folder, found)
    return found
  }
  return (path: string) => find(directoryOf(path))
}

interface Systems {
  modules: number
  readonly remaining: Array<{ readonly path: string; readonly start: number; readonly end: number }>
}

const systemsOf = (
  summaries: ReadonlyArray<FileSummary<ModuleSystemFacts>>,
  project: Project
): ReadonlyMap<string, Systems> => {
  const folderOf = packageOf(project)
  const packages = new Map<string, Systems>()
  for (const { path, facts } of summaries) {
    const folder = folderOf(path)
    // What lies beside the manifest is an entry or a setting, which tools load in the way they know.
    if (folder === null || path.lastIndexOf("/") <= folder.length) continue
    const systems = packages.get(folder) ?? { modules: 0, remaining: [] }
    packages.set(folder, systems)
    if (facts === "esm") systems.modules++
    else systems.remaining.push({ path, start: facts[0], end: facts[1] })
  }
  return packages
}

/** One suggestion for each package whose files are ES modules but for a few. */
export const reportModuleSystems = (
  summaries: ReadonlyArray<FileSummary<ModuleSystemFacts>>,
  project: Project,
  emit: EmitAt<RuleId>
): void => {
  for (const [folder, { modules, remaining }] of systemsOf(summaries, project)) {
    if (remaining.length === 0 || modules < Math.max(MIN_MODULES, MIN_RATIO * remaining.length)) continue
    const count = remaining.length === 1 ? "1 file is" : `${remaining.length.toLocaleString("en-US")} files are`
    const match = {
      rule: "module_system_migration",
      subject: `modules ${folder}`,
      title: "Migrate from CommonJS to ES modules",
      message: `${count} still written for CommonJS, and ${modules.toLocaleString("en-US")} files of the same package are ES modules.`
    } as const
    for (const { path, start, end } of remaining.slice(0, MAX_LOCATIONS)) emit(path, { ...match, start, end })
  }
}
