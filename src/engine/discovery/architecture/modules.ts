import { addTo } from "../../core/collections/lists.ts"
import { baseName, directoryOf, joined } from "../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../structure/importGraph/jsonc.ts"
import type { ObservedFile } from "../Observed.ts"
import { resolvedPath, type Survey } from "../Survey.ts"

const scriptEnds = ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts", ".vue", "/index.ts", "/index.tsx", "/index.js"]

/** Which file or folder of the repository an import means; null for what lies outside of it. */
export class Modules {
  private readonly survey: Survey
  /** Folders by the name that their manifest gives them. */
  private readonly packages = new Map<string, string>()
  /** Folders of importable Python packages and of Java packages, by their last part. */
  private readonly folders = new Map<string, Array<string>>()
  /** PHP namespaces and the folders that hold them. */
  private readonly namespaces: Array<readonly [prefix: string, folder: string]> = []
  private readonly goModules: Array<readonly [module: string, folder: string]> = []

  constructor(survey: Survey) {
    this.survey = survey
    for (const { path, text } of survey.texts(/(?:^|\/)package\.json$/)) {
      const name = parseConfiguration(text)?.name
      if (typeof name === "string" && !this.packages.has(name)) this.packages.set(name, directoryOf(path))
    }
    for (const { path, text } of survey.texts(/(?:^|\/)go\.mod$/)) {
      const module = /^module\s+(\S+)/m.exec(text)?.[1]
      if (module !== undefined) this.goModules.push([module, directoryOf(path)])
    }
    this.goModules.sort((a, b) => b[0].length - a[0].length)
    for (const { path, text } of survey.texts(/(?:^|\/)composer\.json$/)) this.addNamespaces(directoryOf(path), text)
    const holding = new Set(
      survey.source.filter(({ path }) => /\.(?:py|java|kt|scala)$/.test(path)).map(({ path }) => directoryOf(path))
    )
    for (const folder of holding) addTo(this.folders, baseName(folder), folder)
  }

  private addNamespaces(folder: string, text: string): void {
    const autoload = parseConfiguration(text)?.autoload
    const spaces = isRecord(autoload) ? autoload["psr-4"] : null
    if (!isRecord(spaces)) return
    for (const [prefix, target] of Object.entries(spaces))
      if (typeof target === "string") this.namespaces.push([prefix, joined(folder, target.replace(/^\.?\/|\/+$/g, ""))])
  }

  resolve(file: ObservedFile, module: string): string | null {
    switch (file.language) {
      case "typescript":
      case "tsx":
      case "javascript":
        return this.script(file, module)
      case "python":
        return this.python(file, module)
      case "go":
        return this.go(module)
      case "java":
        return this.dotted(module.replace(/\.(?:\*|[A-Z]\w*(?:\.\w+)*)$/, ""))
      case "rust":
        return this.rust(file, module)
      case "php":
        return this.php(module)
      default:
        return null
    }
  }

  private script(file: ObservedFile, module: string): string | null {
    if (!module.startsWith(".")) {
      const name = /^@[^/]+\/[^/]+|^[^/]+/.exec(module)?.[0] ?? module
      return this.packages.get(name) ?? null
    }
    const path = resolvedPath(directoryOf(file.path), module)
    const found =
      scriptEnds.find((end) => this.survey.has(path + end)) ??
      (this.survey.has(path.replace(/\.js$/, ".ts")) ? "" : undefined)
    return found === undefined ? null : path + found
  }

  private python(file: ObservedFile, module: string): string | null {
    const dots = /^\.+/.exec(module)?.[0].length ?? 0
    const parts = module
      .slice(dots)
      .split(".")
      .filter((part) => part !== "")
    if (dots === 0) return this.dotted(module)
    let folder = directoryOf(file.path)
    for (let up = 1; up < dots; up++) folder = directoryOf(folder)
    const path = joined(folder, ...parts)
    return this.survey.has(`${path}.py`) ? `${path}.py` : this.survey.hasFolder(path) ? path : null
  }

  /** `shop.cart.prices` is a folder, or a file in one, whose path ends so. */
  private dotted(module: string): string | null {
    const parts = module.split(".")
    for (let length = parts.length; length > 0; length--) {
      const path = parts.slice(0, length).join("/")
      const found = this.folders
        .get(parts[length - 1]!)
        ?.find((folder) => folder === path || folder.endsWith(`/${path}`))
      if (found === undefined) continue
      const file = joined(found, `${parts[length] ?? ""}.py`)
      return length < parts.length && this.survey.has(file) ? file : found
    }
    return null
  }

  private go(module: string): string | null {
    const own = this.goModules.find(([name]) => module === name || module.startsWith(`${name}/`))
    return own === undefined ? null : joined(own[1], module.slice(own[0].length + 1))
  }

  private rust(file: ObservedFile, module: string): string | null {
    const crate = this.survey.above(file.path, "Cargo.toml")
    const parts = module.split("::").map((part) => part.trim())
    if (crate === null || parts[0] !== "crate") return null
    const inside = joined(crate, "src", parts[1] ?? "")
    return this.survey.has(`${inside}.rs`) ? `${inside}.rs` : this.survey.hasFolder(inside) ? inside : null
  }

  private php(module: string): string | null {
    const own = this.namespaces.find(([prefix]) => module.replace(/^\\/, "").startsWith(prefix))
    return own === undefined ? null : joined(own[1], ...module.replace(/^\\/, "").slice(own[0].length).split("\\"))
  }
}
