import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FileDescription, FileSummary } from "../../core/tool/AuditTool.ts"
import type { Ecosystem } from "../../dependencies/lockfiles/LockedPackage.ts"
import { imports } from "../../languages/syntax/vocabulary.ts"
import { isModuleOf } from "./pythonModules.ts"

/** A module that a file imports, and the names that the file takes from it. */
export type UsedModule = readonly [module: string, ...names: ReadonlyArray<string>]

/** Nodes in which a name is taken from an imported module: `yaml.load`, `_.template`, `ssh.Dial`, `time::now`. */
const memberKinds = ["member_expression", "attribute", "selector_expression", "scoped_identifier", "call"]

const ecosystemsBy: Readonly<Record<string, Ecosystem>> = {
  javascript: "npm",
  typescript: "npm",
  tsx: "npm",
  python: "PyPI",
  go: "Go",
  ruby: "RubyGems",
  rust: "crates.io"
}

/** The ecosystem whose packages a file's imports name; none where imports do not say which package they mean. */
export const ecosystemOfCode = (language: string): Ecosystem | null =>
  Object.hasOwn(ecosystemsBy, language) ? ecosystemsBy[language]! : null

/** Ecosystems whose packages no code uses without an import. */
const needsImport: ReadonlySet<Ecosystem> = new Set<Ecosystem>(["npm", "PyPI", "Go"])

const MAX_NAMES = 200

/** Modules from outside that a file imports, each with the names used of it. */
export const usedModules = (file: SourceFile): ReadonlyArray<UsedModule> | undefined => {
  const found = imports(file).filter(({ module }) => module !== "" && !/^[./#]/.test(module))
  if (found.length === 0) return undefined
  const names = new Map<string, Set<string>>()
  const locals = new Map<string, Set<string>>()
  for (const { module, names: taken } of found) {
    const known = names.get(module) ?? new Set()
    names.set(module, known)
    for (const { imported, local } of taken) {
      if (imported !== "*" && imported !== "default") known.add(imported)
      locals.set(local, known)
    }
  }
  addMembers(file, locals)
  return [...names].map(([module, known]) => [module, ...[...known].slice(0, MAX_NAMES)])
}

const addMembers = (file: SourceFile, locals: ReadonlyMap<string, Set<string>>): void => {
  const tree = file.tree
  if (tree === null || locals.size === 0) return
  for (const node of tree.of(...memberKinds)) {
    const [holder, name] = tree.namedChildren(node)
    if (holder === undefined || name === undefined || !tree.is(holder, ...holders)) continue
    const known = locals.get(tree.textOf(holder))
    if (known !== undefined && tree.is(name, ...members)) known.add(tree.textOf(name))
  }
}

const holders = ["identifier", "constant", "package_identifier"]
const members = ["property_identifier", "identifier", "field_identifier", "type_identifier"]

/** What the repository's own code uses of a package. */
export interface Usage {
  readonly paths: ReadonlyArray<string>
  readonly names: ReadonlySet<string>
  /** Those that files other than tests use. */
  readonly shippedNames: ReadonlySet<string>
  /** Only tests import it. */
  readonly isOnlyTested: boolean
}

type Described = Pick<FileDescription, "language" | "role">

interface Imported {
  readonly paths: Array<string>
  readonly names: Set<string>
  readonly shippedNames: Set<string>
  isOnlyTested: boolean
}

type Facts = FileSummary<ReadonlyArray<UsedModule>>

const packageIn = (ecosystem: Ecosystem, module: string): string => {
  if (ecosystem === "npm") return module.split("/", module.startsWith("@") ? 2 : 1).join("/")
  if (ecosystem === "PyPI") return module.split(".", 1)[0]!
  return ecosystem === "crates.io" ? module.split("::", 1)[0]!.replaceAll("_", "-") : module
}

/** Whether an imported module belongs to a package, whose registry may know it by another name than code does. */
const belongs = (ecosystem: Ecosystem, name: string, module: string): boolean => {
  switch (ecosystem) {
    case "PyPI":
      return isModuleOf(module, name)
    case "Go":
      return module === name || module.startsWith(`${name}/`)
    case "RubyGems":
      return rubyName(module.split("/", 1)[0]!) === rubyName(name) || rubyName(module) === rubyName(name)
    case "crates.io":
      return module === name.replaceAll("_", "-")
    default:
      return module === name || module === `@types/${name}`
  }
}

const rubyName = (text: string): string => text.toLowerCase().replace(/[-_/]/g, "")

const note = (usage: Imported, path: string, names: ReadonlyArray<string>, isShipped: boolean): void => {
  if (usage.paths.at(-1) !== path) usage.paths.push(path)
  if (isShipped) usage.isOnlyTested = false
  for (const one of names) {
    usage.names.add(one)
    if (isShipped) usage.shippedNames.add(one)
  }
}

/** Imports of all files by ecosystem and package as code writes it. */
export class ImportedPackages {
  private readonly known = new Map<Ecosystem, Map<string, Imported>>()

  constructor(facts: ReadonlyArray<Facts>, describe: (path: string) => Described | undefined) {
    for (const { path, facts: modules } of facts) {
      const file = describe(path)
      const ecosystem = file === undefined ? null : ecosystemOfCode(file.language)
      if (file === undefined || ecosystem === null) continue
      for (const [module, ...names] of modules) {
        note(this.importedAs(ecosystem, packageIn(ecosystem, module)), path, names, file.role !== "test")
      }
    }
  }

  private importedAs(ecosystem: Ecosystem, name: string): Imported {
    const packages = this.known.get(ecosystem) ?? new Map<string, Imported>()
    this.known.set(ecosystem, packages)
    const usage = packages.get(name) ?? { paths: [], names: new Set(), shippedNames: new Set(), isOnlyTested: true }
    packages.set(name, usage)
    return usage
  }

  /** Whether code imports one of these parts of a package; null where no code of the ecosystem was read. */
  importsAny(ecosystem: Ecosystem, modules: ReadonlyArray<string>): boolean | null {
    const packages = this.known.get(ecosystem)
    return packages === undefined ? null : modules.some((module) => packages.has(module))
  }

  /**
   * Null where nothing can be said: no code of this ecosystem was read, or its files use packages without an import (Ruby by
   * Bundler, Rust by whole paths).
   */
  usageOf(ecosystem: Ecosystem, name: string): Usage | null {
    const packages = this.known.get(ecosystem)
    if (packages === undefined) return null
    const found = [...packages].filter(([module]) => belongs(ecosystem, name, module)).map(([, usage]) => usage)
    if (found.length === 0 && !needsImport.has(ecosystem)) return null
    return {
      paths: [...new Set(found.flatMap(({ paths }) => paths))],
      names: new Set(found.flatMap(({ names }) => [...names])),
      shippedNames: new Set(found.flatMap(({ shippedNames }) => [...shippedNames])),
      isOnlyTested: found.length > 0 && found.every(({ isOnlyTested }) => isOnlyTested)
    }
  }
}
