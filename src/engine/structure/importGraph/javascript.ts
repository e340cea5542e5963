import { posix } from "node:path"
import type { Project } from "../../core/tool/AuditTool.ts"
import { isRecord, parseConfiguration, textIn } from "./jsonc.ts"
import { dirname, joined, mappedTargets, type Package, packagesAbove, packagesOf } from "./packages.ts"

/** Where an import of JavaScript or TypeScript leads. */
export type Target =
  | { readonly kind: "file"; readonly path: string }
  /** Inside the repository, or made by a bundler, but to no file that is known. */
  | { readonly kind: "internal" }
  | { readonly kind: "package"; readonly name: string }

interface Paths {
  readonly folder: string
  readonly baseUrl: string | null
  readonly entries: ReadonlyArray<readonly [pattern: string, targets: ReadonlyArray<string>]>
}

const extensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".vue", ".svelte", ".json"]
const internal: Target = { kind: "internal" }

const packageName = (specifier: string): string =>
  specifier.startsWith("@") ? specifier.split("/", 2).join("/") : specifier.split("/", 1)[0]!

export class ScriptResolver {
  readonly packages: ReadonlyMap<string, Package>
  private readonly project: Project
  private readonly byName = new Map<string, Package>()
  private readonly pathsByFolder = new Map<string, Paths | null>()
  private readonly folders: ReadonlySet<string>
  /** Paths without extension: most guesses are turned down by one look here. */
  private readonly stems = new Set<string>()
  private readonly local = new Map<string, boolean>()

  constructor(project: Project) {
    this.project = project
    this.packages = packagesOf(project)
    for (const one of this.packages.values())
      if (one.name !== null && !this.byName.has(one.name)) this.byName.set(one.name, one)
    const folders = new Set<string>()
    for (const { path } of project.files) {
      const stem = path.replace(/(?:\.d)?\.\w+$/, "")
      this.stems.add(stem)
      for (let folder = dirname(path); folder !== "" && !folders.has(folder); folder = dirname(folder))
        folders.add(folder)
    }
    this.folders = folders
  }

  resolve(from: string, written: string): Target {
    const specifier = written.replace(/\?.*$/, "")
    if (specifier === "" || specifier.includes("!") || specifier.startsWith("/") || /^[a-z]+:/.test(specifier))
      return internal
    if (/^\.\.?(?:\/|$)/.test(specifier)) return this.found(this.probe(posix.join(dirname(from), specifier)))
    if (specifier.startsWith("#")) return this.throughImports(from, specifier)
    const aliased = this.throughPaths(from, specifier)
    if (aliased !== null) return aliased
    const name = packageName(specifier)
    const own = this.byName.get(name)
    if (own !== undefined) return this.found(this.insidePackage(own, specifier.slice(name.length + 1)))
    if (/^(?:@|~|@@|\$)\//.test(specifier) || specifier.startsWith("~") || specifier.startsWith("$"))
      return this.throughConvention(from, specifier)
    return this.looksLocal(from, name) ? internal : { kind: "package", name }
  }

  private found(path: string | null): Target {
    return path === null ? internal : { kind: "file", path }
  }

  private probe(base: string): string | null {
    if (base.startsWith("..")) return null
    const has = this.project.has
    if (!this.stems.has(base) && !this.folders.has(base) && !this.stems.has(base.replace(/\.\w+$/, ""))) return null
    if (has(base) && /\.\w+$/.test(base)) return base
    const swapped = /^(.*)\.([mc]?)jsx?$/.exec(base)
    if (swapped !== null) {
      for (const extension of [`.${swapped[2]}ts`, `.${swapped[2]}tsx`])
        if (has(swapped[1] + extension)) return swapped[1] + extension
    }
    for (const extension of extensions) if (has(base + extension)) return base + extension
    for (const extension of extensions)
      if (has(joined(base, `index${extension}`))) return joined(base, `index${extension}`)
    return null
  }

  /** A built path stands for the source it is built from. */
  private probeSource(folder: string, target: string): string | null {
    const path = posix.join(folder, target)
    const source = posix.join(
      folder,
      target
        .replace(/^(?:\.\/)?(?:dist|lib|build|out|es|esm|cjs)\/(?:(?:esm|cjs|types|mjs)\/)?/, "src/")
        .replace(/(?:\.d)?\.[mc]?[jt]sx?$/, "")
    )
    return this.probe(path) ?? this.probe(source)
  }

  private insidePackage({ folder, manifest }: Package, rest: string): string | null {
    const mapped = mappedTargets(manifest.exports, rest === "" ? "." : `./${rest}`)
    const main =
      rest === ""
        ? ["source", "module", "main", "types", "typings"].map((key) => textIn(manifest, key)).filter((m) => m !== null)
        : []
    for (const target of [...mapped, ...main]) {
      const path = this.probeSource(folder, target)
      if (path !== null) return path
    }
    const tail = rest === "" ? "index" : rest
    return (
      this.probe(joined(folder, tail)) ?? this.probe(joined(folder, `src/${tail}`)) ?? this.probeSource(folder, tail)
    )
  }

  private throughImports(from: string, specifier: string): Target {
    for (const { folder, manifest } of packagesAbove(this.packages, from)) {
      for (const target of mappedTargets(manifest.imports, specifier)) {
        if (!target.startsWith(".")) return { kind: "package", name: packageName(target) }
        const path = this.probeSource(folder, target)
        if (path !== null) return { kind: "file", path }
      }
    }
    return internal
  }

  /** `@/x` and `~/x` mean the source folder by convention, whatever bundler says so. */
  private throughConvention(from: string, specifier: string): Target {
    const rest = specifier.replace(/^[@~$]*\/?/, "")
    for (const { folder } of packagesAbove(this.packages, from)) {
      for (const root of ["src", "", "app"]) {
        const path = this.probe(posix.join(folder, root, rest))
        if (path !== null) return { kind: "file", path }
      }
    }
    return internal
  }

  /** A first segment that is a folder or file of the repository near the importing one is an alias that some tool knows. */
  private looksLocal(from: string, name: string): boolean {
    const folder = dirname(from)
    const key = `${folder}\n${name}`
    const known = this.local.get(key)
    if (known !== undefined) return known
    const above = [...packagesAbove(this.packages, from).map((one) => one.folder), ""]
    const places = above.flatMap((place) =>
      ["", "src", "app", "lib", "source", "client", "js"].map((root) => posix.join(place, root))
    )
    const answer = [folder, ...places].some((place) => this.exists(joined(place === "." ? "" : place, name)))
    this.local.set(key, answer)
    return answer
  }

  private exists(path: string): boolean {
    return this.folders.has(path) || this.stems.has(path)
  }

  private throughPaths(from: string, specifier: string): Target | null {
    const paths = this.pathsFor(dirname(from))
    if (paths === null) return null
    let matched = false
    for (const [pattern, targets] of paths.entries) {
      const star = pattern.indexOf("*")
      const [head, tail] = star < 0 ? [pattern, ""] : [pattern.slice(0, star), pattern.slice(star + 1)]
      const fits =
        star < 0
          ? specifier === pattern
          : specifier.length >= head.length + tail.length && specifier.startsWith(head) && specifier.endsWith(tail)
      if (!fits) continue
      matched = matched || pattern !== "*"
      const middle = specifier.slice(head.length, specifier.length - tail.length)
      for (const target of targets) {
        const path = this.probeSource(
          paths.folder,
          posix.join(
            paths.baseUrl ?? ".",
            target.replace("*", () => middle)
          )
        )
        if (path !== null) return { kind: "file", path }
      }
    }
    if (paths.baseUrl !== null) {
      const path = this.probe(posix.join(paths.folder, paths.baseUrl, specifier))
      if (path !== null) return { kind: "file", path }
    }
    return matched ? internal : null
  }

  private pathsFor(folder: string): Paths | null {
    const known = this.pathsByFolder.get(folder)
    if (known !== undefined) return known
    let found: Paths | null = null
    for (const name of ["tsconfig.json", "jsconfig.json"]) found ??= this.readPaths(joined(folder, name), 0)
    if (found === null && folder !== "") found = this.pathsFor(dirname(folder))
    this.pathsByFolder.set(folder, found)
    return found
  }

  private readPaths(path: string, depth: number): Paths | null {
    if (!this.project.has(path) || depth > 6) return null
    const config = parseConfiguration(this.project.manifest(path))
    if (config === null) return null
    const folder = dirname(path)
    const options = isRecord(config.compilerOptions) ? config.compilerOptions : {}
    const baseUrl = textIn(options, "baseUrl")
    if (isRecord(options.paths)) {
      const entries = Object.entries(options.paths).map(
        ([pattern, targets]) => [pattern, Array.isArray(targets) ? targets.map(String) : []] as const
      )
      return { folder, baseUrl, entries }
    }
    const bases = (Array.isArray(config.extends) ? config.extends : [config.extends]).filter(
      (base) => typeof base === "string" && base.startsWith(".")
    )
    for (const base of bases) {
      const target = posix.join(folder, String(base))
      const inherited = this.readPaths(target.endsWith(".json") ? target : `${target}.json`, depth + 1)
      if (inherited !== null) return baseUrl === null ? inherited : { ...inherited, folder, baseUrl }
    }
    return baseUrl === null ? null : { folder, baseUrl, entries: [] }
  }
}
