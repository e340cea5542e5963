import { addTo } from "../../core/collections/lists.ts"
import { directoryOf } from "../../core/text/paths.ts"
import { at, code, type Item } from "../Draft.ts"
import { dependenciesOf, type Unit, unitsOf } from "../profile/manifests.ts"
import { lineOf, resolvedPath, type Survey } from "../Survey.ts"

interface Use {
  readonly to: Unit
  readonly line: number
}

const MAX_UNITS = 30

/** Another unit that a build file names by its place: `project(":core")`, a path, a reference of a project file. */
const places: ReadonlyArray<readonly [file: RegExp, place: RegExp]> = [
  [/\.gradle(?:\.kts)?$/, /project\(\s*["']:([\w:./-]+)["']\s*\)/g],
  [/Cargo\.toml$/, /path\s*=\s*"([^"]+)"/g],
  [/\.csproj$/, /<ProjectReference\s+Include="([^"]+)"/g],
  [/go\.mod$/, /=>\s*(\.\.?\/\S+)/g]
]

const folderMeant = (manifest: string, written: string): string => {
  if (/\.gradle/.test(manifest)) return written.replaceAll(":", "/")
  const path = resolvedPath(directoryOf(manifest), written.replaceAll("\\", "/"))
  return /\.csproj$/.test(path) ? directoryOf(path) : path
}

const usesOf = (
  survey: Survey,
  unit: Unit,
  byName: ReadonlyMap<string, Unit>,
  byFolder: ReadonlyMap<string, Unit>,
  named: ReadonlyMap<string, ReadonlyArray<{ readonly name: string; readonly line: number }>>
): ReadonlyArray<Use> => {
  const text = survey.file(unit.file_path)?.text ?? ""
  const byPlace = places
    .filter(([file]) => file.test(unit.file_path))
    .flatMap(([, place]) =>
      [...text.matchAll(place)].map((match) => ({
        to: byFolder.get(folderMeant(unit.file_path, match[1]!)),
        line: lineOf(text, match[0]) ?? 1
      }))
    )
  const byDependency = (named.get(unit.file_path) ?? []).map(({ name, line }) => ({ to: byName.get(name), line }))
  const seen = new Set<string>([unit.folder])
  return [...byPlace, ...byDependency].flatMap(({ to, line }) => {
    if (to === undefined || seen.has(to.folder)) return []
    seen.add(to.folder)
    return [{ to, line }]
  })
}

/** The parts that have a manifest of their own, and which of the others each of them needs. */
export const unitItems = (survey: Survey): ReadonlyArray<Item> => {
  const units = unitsOf(survey)
  const byName = new Map(units.map((unit) => [unit.name, unit]))
  const byFolder = new Map(units.map((unit) => [unit.folder, unit]))
  const named = new Map<string, Array<{ readonly name: string; readonly line: number }>>()
  for (const { path, name, line } of dependenciesOf(survey)) addTo(named, path, { name, line })
  return units.slice(0, MAX_UNITS).map((unit) => {
    const uses = usesOf(survey, unit, byName, byFolder, named)
    const needs =
      uses.length === 0
        ? ""
        : `; needs ${uses
            .slice(0, 10)
            .map(({ to, line }) => `${code(to.name)} (line ${line})`)
            .join(", ")}`
    return {
      text: `${code(unit.name)} in ${code(unit.folder === "" ? "." : unit.folder)} (${at({ path: unit.file_path, line: 1 })})${needs}`,
      cites: [
        { path: unit.file_path, line: 1 },
        ...uses.slice(0, 10).map(({ line }) => ({ path: unit.file_path, line }))
      ]
    }
  })
}
