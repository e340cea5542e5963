import { posix } from "node:path"
import { baseName } from "../../core/text/paths.ts"
import type { FileSummary, Project } from "../../core/tool/AuditTool.ts"
import { dirname, joined } from "./packages.ts"

/** Import path -> folder, through the go.mod files of the repository. */
export class GoResolver {
  private readonly modules: ReadonlyArray<readonly [module: string, folder: string]>
  /** First source file of each folder: a package is one node, whichever of its files is imported. */
  private readonly first = new Map<string, string>()

  constructor(project: Project) {
    const modules: Array<readonly [string, string]> = []
    for (const { path, language, role } of project.files) {
      if (path === "go.mod" || path.endsWith("/go.mod")) {
        const name = /^module[ \t]+"?([^\s"]+)/m.exec(project.manifest(path) ?? "")?.[1]
        if (name !== undefined) modules.push([name, dirname(path)])
      } else if (language === "go" && role === "source") {
        const folder = dirname(path)
        const known = this.first.get(folder)
        if (known === undefined || path < known) this.first.set(folder, path)
      }
    }
    this.modules = modules.sort(([a], [b]) => b.length - a.length)
  }

  resolve(specifier: string): string | null {
    for (const [module, folder] of this.modules) {
      if (specifier !== module && !specifier.startsWith(`${module}/`)) continue
      const target = specifier === module ? folder : joined(folder, specifier.slice(module.length + 1))
      return this.first.get(target) ?? null
    }
    return null
  }
}

/** Class names -> files, by the package each file declares. */
export class JavaResolver {
  private readonly classes = new Map<string, string>()
  readonly packages = new Set<string>()

  constructor(facts: ReadonlyArray<FileSummary>, unitOf: (facts: FileSummary) => string | null) {
    for (const one of facts) {
      const unit = unitOf(one)
      if (unit === null) continue
      this.packages.add(unit)
      const name = baseName(one.path).replace(/\.java$/, "")
      const full = unit === "" ? name : `${unit}.${name}`
      if (!this.classes.has(full)) this.classes.set(full, one.path)
    }
  }

  resolve(specifier: string): string | null {
    // `a.b.C.D` and static members lie in the file of C.
    for (let name = specifier; name !== ""; name = name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : "") {
      const path = this.classes.get(name)
      if (path !== undefined) return path
    }
    return null
  }

  /** Package that an import takes something from; null for packages of others. */
  packageOf(specifier: string, isWhole: boolean): string | null {
    for (
      let name = isWhole ? specifier : specifier.replace(/\.[^.]*$/, "");
      name !== "";
      name = name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : ""
    ) {
      if (this.packages.has(name)) return name
    }
    return null
  }
}

export const resolveRuby = (project: Project, from: string, specifier: string): string | null => {
  const bases = specifier.startsWith(".")
    ? [posix.join(dirname(from), specifier)]
    : [specifier, `lib/${specifier}`, `app/${specifier}`]
  for (const base of bases) {
    const path = base.endsWith(".rb") ? base : `${base}.rb`
    if (project.has(path)) return path
  }
  return null
}

/** `crate::a::b::C` lies in src/a/b.rs or src/a/b/mod.rs, or further up where `b` is not a file. */
export const resolveRust = (project: Project, from: string, specifier: string): string | null => {
  const parts = specifier.split("::")
  const source = /^(.*?\/)?src\//.exec(from)
  if (source === null) return null
  const own = dirname(from)
  const isFolderModule = /\/(?:mod|lib|main)\.rs$/.test(from)
  const self = isFolderModule ? own : from.replace(/\.rs$/, "")
  const head = parts[0]
  if (head !== "crate" && head !== "self" && head !== "super") return null
  let folder = head === "crate" ? source[0].replace(/\/$/, "") : self
  let at = 1
  if (head === "super") folder = dirname(folder)
  while (parts[at] === "super") {
    folder = dirname(folder)
    at++
  }
  for (let end = parts.length; end > at; end--) {
    const base = joined(folder, parts.slice(at, end).join("/"))
    for (const path of [`${base}.rs`, `${base}/mod.rs`]) if (project.has(path) && path !== from) return path
  }
  return null
}
