import { addTo } from "../core/collections/lists.ts"
import type { Language } from "../core/files/Language.ts"
import { compareText } from "../core/text/compareText.ts"
import { baseName, directoryOf, joined } from "../core/text/paths.ts"
import type { ObservedFile } from "./Observed.ts"

export interface Commit {
  readonly id: string
  readonly subject: string
  /** Seconds since 1970. */
  readonly at: number
  readonly author: string
  readonly changes: ReadonlyArray<{ readonly status: "A" | "M" | "D"; readonly path: string }>
}

/** One commit's tree as discovery sees it: what was observed, and how to ask for it. */
export class Survey {
  /** Ordered by path. */
  readonly files: ReadonlyArray<ObservedFile>
  readonly source: ReadonlyArray<ObservedFile>
  readonly tests: ReadonlyArray<ObservedFile>
  /** Newest first; empty where there is no history beyond one commit. */
  readonly commits: ReadonlyArray<Commit>
  /** Everything in the tree, also what was not read. */
  private readonly paths: ReadonlySet<string>
  /** Files that lie at the root or one folder down. */
  private readonly atRoot: ReadonlyArray<string>
  private readonly folders = new Set<string>()
  private readonly byPath: ReadonlyMap<string, ObservedFile>
  private readonly byName = new Map<string, Array<string>>()
  private readonly foldersByName = new Map<string, Array<string>>()
  private readonly likeness = new Map<string, boolean>()
  private readonly names = new Set<string>()
  /** Packages that source files import: of npm by their name, of Python by their module. */
  private readonly packages = new Set<string>()
  /** Files that were read as a whole, those nearest to the root first. */
  private readonly documents: ReadonlyArray<ObservedFile>
  readonly mentioned = new Map<string, string>()

  constructor(files: ReadonlyArray<ObservedFile>, paths: Iterable<string>, commits: ReadonlyArray<Commit>) {
    this.files = files
    this.source = files.filter(({ role }) => role === "source")
    this.tests = files.filter(({ role }) => role === "test")
    this.commits = commits
    this.paths = new Set(paths)
    this.byPath = new Map(files.map((file) => [file.path, file]))
    this.atRoot = [...this.paths].filter((path) => path.split("/", 3).length < 3).sort(compareText)
    for (const path of this.paths) this.place(path)
    for (const file of files) this.name(file)
    this.documents = files
      .filter((file) => file.has("text") && file.role !== "fixture" && file.role !== "example")
      .map((file) => ({ file, depth: file.path.split("/").length }))
      .sort((a, b) => a.depth - b.depth || compareText(a.file.path, b.file.path))
      .map(({ file }) => file)
  }

  private place(path: string): void {
    for (
      let end = path.lastIndexOf("/");
      end > 0 && !this.folders.has(path.slice(0, end));
      end = path.lastIndexOf("/", end - 1)
    ) {
      const folder = path.slice(0, end)
      this.folders.add(folder)
      addTo(this.foldersByName, baseName(folder), folder)
    }
    addTo(this.byName, baseName(path), path)
  }

  private name({ definitions, imports, calls, mentions, path, role, language }: ObservedFile): void {
    const written = [...definitions.map(({ name }) => name), ...calls.map(([callee]) => callee)]
    for (const name of written) for (const part of name.split(/[.:#>\\-]+/)) this.names.add(part)
    for (const { names, module } of imports) {
      for (const name of names) this.names.add(name)
      if (role === "source") this.packages.add(packageOf(language, module))
    }
    for (const name of mentions) if (!this.mentioned.has(name)) this.mentioned.set(name, path)
  }

  has(path: string): boolean {
    return this.paths.has(path)
  }

  /** Whether any path matches. */
  hasLike(pattern: RegExp): boolean {
    const known = this.likeness.get(pattern.source)
    if (known !== undefined) return known
    let found = false
    for (const path of this.paths) {
      found = pattern.test(path)
      if (found) break
    }
    this.likeness.set(pattern.source, found)
    return found
  }

  /** Of the files at the root one whose name matches. */
  rootFile(pattern: RegExp): string | undefined {
    return this.atRoot.find((path) => pattern.test(path))
  }

  /** The nearest folder above a path that has a file of this name. */
  above(path: string, name: string): string | null {
    for (let folder = directoryOf(path); ; folder = directoryOf(folder)) {
      if (this.paths.has(joined(folder, name))) return folder
      if (folder === "") return null
    }
  }

  hasFolder(path: string): boolean {
    return this.folders.has(path.replace(/\/+$/, ""))
  }

  /** A file or folder by its path, or by the end of its path as people write it. */
  resolves(written: string): boolean {
    const path = written
      .replace(/^\.?\//, "")
      .replace(/\/+$/, "")
      .replace(/:\d+$/, "")
    if (this.paths.has(path) || this.folders.has(path)) return true
    const name = baseName(path)
    return [this.byName, this.foldersByName].some((known) =>
      known.get(name)?.some((other) => other.endsWith(`/${path}`))
    )
  }

  imports(packageName: string): boolean {
    return this.packages.has(packageName)
  }

  knowsName(name: string): boolean {
    return this.names.has(name)
  }

  file(path: string): ObservedFile | null {
    return this.byPath.get(path) ?? null
  }

  /** Files that were read as a whole and whose path matches, those nearest to the root first. */
  texts(pattern: RegExp): ReadonlyArray<{ readonly path: string; readonly text: string }> {
    return this.documents.flatMap((file) => {
      const text = pattern.test(file.path) ? file.text : null
      return text === null ? [] : [{ path: file.path, text }]
    })
  }

  /** The readme at the root. */
  get readme(): { readonly path: string; readonly text: string } | undefined {
    return this.texts(/^readme(?:\.\w+)?$/i)[0]
  }

  /** Of these, what is neither an example's, a test's, nor anyone else's. */
  sourceTexts(pattern: RegExp): ReturnType<Survey["texts"]> {
    return this.texts(pattern).filter(({ path }) => this.isOfSources(path))
  }

  /** Cargo writes the manifest of what it publishes again, and says that it is generated: what was written by hand is not in the way. */
  isOfSources(path: string): boolean {
    const role = this.file(path)?.role
    return role === "source" || (role === "generated" && /(?:^|\/)Cargo\.toml$/.test(path))
  }
}

/** `@scope/name/deep` is of `@scope/name`, `django.db` of `django`. */
const packageOf = (language: Language, module: string): string =>
  language === "python" ? module.split(".")[0]!.toLowerCase() : (/^@[^/]+\/[^/]+|^[^/]+/.exec(module)?.[0] ?? module)

/** Line of the first match in a text, from 1; null when nothing matches. */
export const lineOf = (text: string, pattern: RegExp | string): number | null => {
  const at = typeof pattern === "string" ? text.indexOf(pattern) : text.search(pattern)
  return at < 0 ? null : text.slice(0, at).split("\n").length
}

/** A relative path seen from a folder. */
export const resolvedPath = (folder: string, relative: string): string => {
  const parts = folder === "" ? [] : folder.split("/")
  for (const part of relative.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== ".") parts.push(part)
  }
  return parts.join("/")
}

/** `typescript` and `tsx` are spoken of as one. */
export const languageTitles: Partial<Record<Language, string>> = {
  typescript: "TypeScript",
  tsx: "TypeScript",
  javascript: "JavaScript",
  python: "Python",
  go: "Go",
  java: "Java",
  ruby: "Ruby",
  php: "PHP",
  csharp: "C#",
  rust: "Rust",
  shell: "Shell",
  c: "C",
  cpp: "C++",
  kotlin: "Kotlin",
  scala: "Scala",
  swift: "Swift",
  vue: "Vue",
  sql: "SQL",
  html: "HTML",
  css: "CSS",
  scss: "Sass",
  terraform: "Terraform",
  dockerfile: "Dockerfile",
  graphql: "GraphQL",
  proto: "Protocol Buffers",
  prisma: "Prisma",
  make: "Make"
}
