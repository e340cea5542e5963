import { addTo } from "../../../core/collections/lists.ts"
import { directoryOf, joined } from "../../../core/text/paths.ts"
import type { Survey } from "../../Survey.ts"
import { sectionsOf } from "../python.ts"
import { titleWords } from "./titleWords.ts"

export interface RustProgram {
  readonly command: string
  readonly folder: string
  readonly path: string
  readonly line: number
}

interface Crate {
  readonly folder: string
  readonly name: string
  /** The program that `cargo run` starts where there are several. */
  readonly preferred: string | undefined
  readonly findsPrograms: boolean
  /** Programs that the manifest lists, by the path of their source. */
  readonly listed: ReadonlyMap<string, string>
}

/** Help those who work on the repository. */
const isOfHelpers = /(?:^|\/)(?:xtasks?|tools?|tests?|examples?|bench\w*|fuzz)\//
const isHelper =
  /^(?:xtask|fuzz|bench|gen|test|example|build|dev)(?:$|[-_])|^(?:generate|create|make)[-_]|[-_](?:bench|test|gen)$/

type Lines = ReadonlyArray<readonly [line: number, text: string]>

const valueIn = (lines: Lines, key: string): string | undefined => {
  const pattern = new RegExp(`^${key}\\s*=\\s*["']?([\\w./-]{1,120})`)
  return lines.flatMap(([, text]) => pattern.exec(text)?.[1] ?? [])[0]
}

const crateOf = (survey: Survey, path: string, text: string): Crate => {
  const folder = directoryOf(path)
  const tables = sectionsOf(text)
  const own = tables.find(({ name }) => name === "package")?.lines ?? []
  const listed = tables
    .filter(({ name }) => name === "bin")
    .flatMap(({ lines }): ReadonlyArray<readonly [string, string]> => {
      const name = valueIn(lines, "name")
      if (name === undefined) return []
      const usual = [`src/bin/${name}.rs`, `src/bin/${name}/main.rs`].find((one) => survey.has(joined(folder, one)))
      return [[(valueIn(lines, "path") ?? usual ?? "src/main.rs").replace(/^\.\//, ""), name]]
    })
  return {
    folder,
    name: valueIn(own, "name") ?? "",
    preferred: valueIn(own, "default-run"),
    findsPrograms: valueIn(own, "autobins") !== "false",
    listed: new Map(listed)
  }
}

/** The name of a program by the place of its source: as the manifest lists it, or as Cargo finds it. */
const nameOf = ({ listed, findsPrograms, name }: Crate, below: string): string | undefined => {
  const stated = listed.get(below)
  if (stated !== undefined || !findsPrograms) return stated
  return below === "src/main.rs" ? name : /^src\/bin\/([\w-]+)(?:\/main)?\.rs$/.exec(below)?.[1]
}

/**
 * Of one crate its main program, or the only one; of several others the one with the name of the crate or the product. Cargo asks
 * which is meant where there are several and the manifest does not say it.
 */
const startOf = (
  crate: Crate,
  programs: ReadonlyArray<RustProgram & { readonly name: string }>,
  names: ReadonlySet<string>
): ReadonlyArray<RustProgram> => {
  const meant =
    programs.find(({ name }) => name === crate.preferred) ??
    programs.find(({ path }) => path === joined(crate.folder, "src/main.rs")) ??
    programs.find(({ name }) => name === crate.name || names.has(name.toLowerCase())) ??
    (programs.filter(({ name }) => !isHelper.test(name)).length === 1
      ? programs.find(({ name }) => !isHelper.test(name))
      : undefined)
  if (meant === undefined) return []
  const isUnclear = programs.length > 1 && crate.preferred !== meant.name && meant.name !== ""
  const { folder, path, line, name } = meant
  return [{ command: isUnclear ? `cargo run --bin ${name}` : "cargo run", folder, path, line }]
}

type Named = RustProgram & { readonly name: string }

/** The source of a program below the manifest of its crate, or alone. */
const programAt = (
  survey: Survey,
  crates: ReadonlyMap<string, Crate>,
  { path, isEntryPoint: line }: Survey["source"][number]
): Named | null => {
  if (line === 0 || !path.endsWith(".rs") || isOfHelpers.test(path)) return null
  const folder = survey.above(path, "Cargo.toml")
  const crate = folder === null ? undefined : crates.get(folder)
  if (crate === undefined) {
    const isMain = /(?:^|\/)src\/main\.rs$/.test(path)
    return isMain ? { command: "", folder: directoryOf(directoryOf(path)), path, line, name: "" } : null
  }
  const name = nameOf(crate, crate.folder === "" ? path : path.slice(crate.folder.length + 1))
  return name === undefined ? null : { command: "", folder: crate.folder, path, line, name }
}

const unknown = { name: "", preferred: undefined, findsPrograms: true, listed: new Map() }

/** Programs that Cargo starts, where a file of the sources says that it is one. */
export const rustPrograms = (survey: Survey): ReadonlyArray<RustProgram> => {
  const crates = new Map(
    survey
      .sourceTexts(/(?:^|\/)Cargo\.toml$/)
      .map(({ path, text }) => [directoryOf(path), crateOf(survey, path, text)] as const)
  )
  const byFolder = new Map<string, Array<Named>>()
  for (const file of survey.source) {
    const program = programAt(survey, crates, file)
    if (program !== null) addTo(byFolder, program.folder, program)
  }
  const names = titleWords(survey)
  return [...byFolder].flatMap(([folder, programs]) =>
    startOf(crates.get(folder) ?? { ...unknown, folder }, programs, names)
  )
}
