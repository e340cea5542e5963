import type { Survey } from "../../Survey.ts"
import { startsOwn } from "./ownPrograms.ts"

const main = /^(?:src\/|lib\/)?([A-Za-z_][\w/]*)\/__main__\.py$/

/** Packages of Python that are started by their name, in small letters. */
export const startedModules = (survey: Survey): ReadonlySet<string> =>
  new Set(survey.source.flatMap(({ path }) => main.exec(path)?.[1]?.replaceAll("/", ".").toLowerCase() ?? []))

const started =
  /^(?:(?:uv|poetry|pdm|pipenv|rye|hatch) run )?python[\d.]*\s+(?:-[uBE]\s+)*-m\s+([A-Za-z_][\w.]*)((?:\s.*)?)$/

/** Whether a line starts one of them: `python -m kettle serve`. */
export const startsModule = (line: string, modules: ReadonlySet<string>): boolean => {
  const [, name, rest] = started.exec(line) ?? []
  return name !== undefined && modules.has(name.toLowerCase()) && startsOwn(`${name}${rest}`, new Set([name]))
}
