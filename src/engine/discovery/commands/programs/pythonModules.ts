import type { Survey } from "../../Survey.ts"
import { isOfHelpers, mainFile } from "./mainModules.ts"
import { startsOwn } from "./ownPrograms.ts"

const module = /^(?:src\/|lib\/)?([A-Za-z_]\w*(?:\/\w+){1,6})\.py$/

/** Packages of Python, and modules that say what runs when they are started, by their names in small letters. */
export const startedModules = (survey: Survey): ReadonlySet<string> =>
  new Set(
    survey.source.flatMap(({ path, isEntryPoint }) => {
      const name = mainFile.exec(path)?.[1] ?? (isEntryPoint > 0 ? module.exec(path)?.[1] : undefined)
      return name === undefined || isOfHelpers.test(`${name}/`) ? [] : [name.replaceAll("/", ".").toLowerCase()]
    })
  )

const started =
  /^(?:(?:uv|poetry|pdm|pipenv|rye|hatch) run )?python[\d.]*\s+(?:-[uBE]\s+)*-m\s+([A-Za-z_][\w.]*)((?:\s.*)?)$/

/** Whether a line starts one of them: `python -m kettle serve`. */
export const startsModule = (line: string, modules: ReadonlySet<string>): boolean => {
  const [, name, rest] = started.exec(line) ?? []
  return name !== undefined && modules.has(name.toLowerCase()) && startsOwn(`${name}${rest}`, new Set([name]))
}
