import { at, code, type Item, plural, quoted } from "../Draft.ts"
import { type DescribedSetting, describedSettings } from "../documented/settings.ts"
import type { Survey } from "../Survey.ts"

const MAX_VARIABLES = 200

/** Set by systems, shells and platforms: they do not configure the program. */
const ambient =
  /^(?:PATH|HOME|USER|USERNAME|LOGNAME|SHELL|TERM|LANG|LANGUAGE|PWD|OLDPWD|TMP|TEMP|TMPDIR|HOSTNAME|COLUMNS|LINES|COMSPEC|APPDATA|LOCALAPPDATA|SYSTEMROOT|WINDIR|USERPROFILE|HOMEDRIVE|HOMEPATH|INIT_CWD)$/

export interface Variable {
  readonly name: string
  readonly required: boolean
  readonly fallback: string | null
  readonly file_path: string
  readonly line: number
  readonly reads: number
  /** Document or example file that mentions it. */
  readonly documented_in: string | null
  /** What a document says of it, in a table or a list. */
  readonly described: DescribedSetting | null
}

export const variablesIn = (survey: Survey): ReadonlyArray<Variable> => {
  const found = new Map<string, Variable>()
  const settings = describedSettings(survey)
  for (const { path, variables } of survey.source) {
    for (const { name, line, fallback, required } of variables) {
      if (ambient.test(name)) continue
      const known = found.get(name)
      if (known === undefined) {
        found.set(name, {
          name,
          required,
          fallback,
          file_path: path,
          line,
          reads: 1,
          documented_in: survey.mentioned.get(name) ?? null,
          described: settings.get(name) ?? null
        })
      } else {
        found.set(name, {
          ...known,
          required: known.required || required,
          fallback: known.fallback ?? fallback,
          reads: known.reads + 1
        })
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_VARIABLES)
}

const defaultOf = ({ required, fallback, described }: Variable): string => {
  if (required) return "required"
  if (fallback !== null) return `default ${code(fallback)}`
  const stated = described?.fallback ?? null
  return stated === null ? "no default beside the read" : `default ${stated}`
}

const documentation = ({ documented_in, described }: Variable): string => {
  if (described !== null) return `${quoted(described.text)} (${at(described)})`
  return documented_in === null ? "mentioned in no document" : `mentioned in ${code(documented_in)}`
}

export const variableItems = (variables: ReadonlyArray<Variable>): ReadonlyArray<Item> =>
  variables.map((variable) => {
    const { name, file_path, line, reads, described } = variable
    const times = reads === 1 ? "" : `, ${plural(reads, "read")}`
    const stated = described === null ? [] : [{ path: described.path, line: described.line, names: [name] }]
    return {
      text: `${code(name)}: ${defaultOf(variable)}; ${at({ path: file_path, line })}${times}; ${documentation(variable)}`,
      cites: [{ path: file_path, line, names: [name] }, ...stated]
    }
  })
