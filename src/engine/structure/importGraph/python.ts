import type { Project } from "../../core/tool/AuditTool.ts"
import type { ImportFact } from "./ImportFacts.ts"
import { dirname, joined } from "./packages.ts"

export interface PythonTarget {
  readonly path: string
  /** A name is taken from inside the module, so the module must have got as far as that name. */
  readonly needsName: boolean
}

/** Modules of the repository by name: packages, src layouts and folders of scripts. */
export class PythonResolver {
  private readonly has: (path: string) => boolean
  /** First segment of a module's name -> folders in which it lies. */
  private readonly roots = new Map<string, Array<string>>()
  private readonly names = new Set<string>()

  constructor(project: Project) {
    this.has = project.has
    for (const { path, language } of project.files) {
      if (language !== "python") continue
      let folder = dirname(path)
      let top = path.slice(folder === "" ? 0 : folder.length + 1).replace(/\.pyi?w?$/, "")
      while (folder !== "" && project.has(joined(folder, "__init__.py"))) {
        top = folder.slice(folder.lastIndexOf("/") + 1)
        folder = dirname(folder)
      }
      if (top === "__init__") continue
      const known = this.roots.get(top)
      if (known === undefined) this.roots.set(top, [folder])
      else if (!known.includes(folder) && known.length < 50) known.push(folder)
      for (const segment of path.split("/")) this.names.add(segment.replace(/\.pyi?w?$/, ""))
    }
  }

  /** Whether any folder or file of the repository goes by this name: then it is not a dependency. */
  isLocal(name: string): boolean {
    return this.names.has(name)
  }

  resolve(from: string, { specifier, names }: ImportFact): ReadonlyArray<PythonTarget> {
    const base = this.baseOf(from, specifier)
    if (base === null) return []
    const module = this.moduleAt(base)
    if (names.length === 0) return module === null ? [] : [{ path: module, needsName: false }]
    const found: Array<PythonTarget> = []
    let needsModule = false
    for (const name of names) {
      const inner = name === "*" ? null : this.moduleAt(joined(base, name))
      if (inner !== null) found.push({ path: inner, needsName: false })
      else needsModule = true
    }
    if (needsModule && module !== null) found.push({ path: module, needsName: true })
    return found
  }

  private moduleAt(base: string): string | null {
    for (const path of [`${base}.py`, joined(base, "__init__.py")]) if (this.has(path)) return path
    return null
  }

  private baseOf(from: string, specifier: string): string | null {
    const dots = /^\.*/.exec(specifier)![0].length
    const rest = specifier.slice(dots).trim().replaceAll(".", "/")
    if (dots > 0) {
      let folder = dirname(from)
      for (let level = 1; level < dots; level++) {
        if (folder === "") return null
        folder = dirname(folder)
      }
      return rest === "" ? (folder === "" ? null : folder) : joined(folder, rest)
    }
    const roots = this.roots.get(rest.split("/", 1)[0]!) ?? []
    // The nearest root that holds the module; a sibling script counts like a package beside the file.
    let best: string | null = null
    let bestShared = -1
    for (const root of roots) {
      const base = joined(root, rest)
      if (this.moduleAt(base) === null && !this.has(joined(base, "__init__.py"))) continue
      const shared = sharedFolders(root, from)
      if (shared > bestShared) {
        bestShared = shared
        best = base
      }
    }
    return best
  }
}

const sharedFolders = (root: string, path: string): number => {
  if (root === "") return 0
  const [a, b] = [root.split("/"), path.split("/")]
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  return shared
}
