import type { EmitAt, FileSummary, Match, Project } from "../../core/tool/AuditTool.ts"
import { KnownWords } from "../../languages/code/words.ts"
import { stemOf } from "../../structure/importGraph/importedWords.ts"
import { dirname, packagesAbove, packagesOf } from "../../structure/importGraph/packages.ts"
import { importMatch, type UnusedName } from "./imports.ts"
import type { PrivateName } from "./privates.ts"
import type { RuleId } from "./rules.ts"

export type Candidate = readonly [name: string, start: number, end: number, extra: string]

/** Candidates that other files may still use, the words of the imports of a file, and all its words. */
export interface DeadFacts {
  /** Private names. */
  readonly p?: ReadonlyArray<Candidate>
  /** Imports of a Python file. */
  readonly i?: ReadonlyArray<Candidate>
  /** Exports of a script. */
  readonly x?: ReadonlyArray<Candidate>
  readonly m: ReadonlyArray<string>
  readonly w: string
}

interface Known {
  readonly path: string
  readonly facts: DeadFacts
  readonly imported: ReadonlySet<string>
  readonly words: KnownWords
}

export const privateMatch = ({
  name,
  what,
  start,
  end,
  scope
}: Omit<PrivateName, "scope"> & { scope: string }): Match<RuleId> => ({
  rule: "unreferenced_private",
  start,
  end,
  message: `The ${what} \`${name}\` is not referenced anywhere else in this ${scope}.`,
  identifiers: [name.replace(/^#/, "")]
})

const extensionOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1)

const byKey = (files: ReadonlyArray<Known>, keyOf: (path: string) => string) => {
  const groups = new Map<string, Array<Known>>()
  for (const file of files) {
    const group = groups.get(keyOf(file.path))
    if (group === undefined) groups.set(keyOf(file.path), [file])
    else group.push(file)
  }
  return groups
}

const isNamedIn = (files: ReadonlyArray<Known>, self: Known, name: string): boolean =>
  files.some((file) => file !== self && file.words.has(name))

const reportPrivates = (files: ReadonlyArray<Known>, emit: EmitAt<RuleId>): void => {
  const go = byKey(
    files.filter(({ path }) => extensionOf(path) === "go"),
    dirname
  )
  const python = files.filter(({ path }) => extensionOf(path) === "py")
  for (const file of files) {
    for (const [name, start, end, what] of file.facts.p ?? []) {
      const isGo = extensionOf(file.path) === "go"
      const others = isGo ? (go.get(dirname(file.path)) ?? []) : python
      if (isNamedIn(others, file, name)) continue
      emit(file.path, privateMatch({ name, what, start, end, scope: isGo ? "package" : "repository" }))
    }
  }
}

/** Imported, or named as a part of what is imported: `utils.web.escape`. */
const isReached = ({ imported, words }: Known, { path }: Known): boolean =>
  imported.has(stemOf(path)) || words.has(stemOf(path))

/** Other files can take from a Python module what it imports itself. */
const reportImports = (files: ReadonlyArray<Known>, emit: EmitAt<RuleId>): void => {
  for (const file of files) {
    const candidates: ReadonlyArray<UnusedName> = (file.facts.i ?? []).map(([name, start, end, module]) => ({
      name,
      start,
      end,
      module
    }))
    if (candidates.length === 0) continue
    const importers = files.filter((other) => other !== file && isReached(other, file))
    for (const one of candidates) if (!isNamedIn(importers, file, one.name)) emit(file.path, importMatch(one))
  }
}

/** An application is started, and no other package imports it. */
const isApplication = (manifest: Readonly<Record<string, unknown>>): boolean =>
  manifest.private === true &&
  typeof manifest.scripts === "object" &&
  manifest.scripts !== null &&
  /"(?:start|serve|dev)"/.test(JSON.stringify(Object.keys(manifest.scripts))) &&
  ["main", "exports", "module", "types", "typings", "files", "workspaces", "publishConfig"].every(
    (key) => manifest[key] === undefined
  )

const script = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|html|mdx)$/

const reportExports = (files: ReadonlyArray<Known>, project: Project, emit: EmitAt<RuleId>): void => {
  if (!files.some(({ facts }) => facts.x !== undefined)) return
  // Files that are not read could import anything.
  if (project.files.some(({ path }) => /\.(?:svelte|astro|mdx|coffee)$/.test(path))) return
  const packages = packagesOf(project)
  const scripts = files.filter(({ path }) => script.test(path))
  for (const file of scripts) {
    const owner = packagesAbove(packages, file.path)[0]
    if (/(?:^|\/)(?:index|main|app|server)\.\w+$/.test(file.path)) continue
    if (file.facts.x === undefined || owner === undefined || !isApplication(owner.manifest)) continue
    // A file that no other file imports is started, or found by its path.
    if (!scripts.some((other) => other !== file && other.imported.has(stemOf(file.path)))) continue
    for (const [name, start, end] of file.facts.x) {
      if (isNamedIn(scripts, file, name)) continue
      emit(file.path, {
        rule: "unused_export",
        start,
        end,
        message: `\`${name}\` is exported, but no other file of the application refers to it.`,
        identifiers: [name]
      })
    }
  }
}

export const finish = (
  summaries: ReadonlyArray<FileSummary<DeadFacts>>,
  project: Project,
  emit: EmitAt<RuleId>
): void => {
  const files = summaries.map(
    ({ path, facts }): Known => ({ path, facts, imported: new Set(facts.m), words: new KnownWords(facts.w) })
  )
  reportPrivates(files, emit)
  reportImports(
    files.filter(({ path }) => extensionOf(path) === "py"),
    emit
  )
  reportExports(files, project, emit)
}
