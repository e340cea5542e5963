import { at, code, type Item, plural } from "../Draft.ts"
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
}

export const variablesIn = (survey: Survey): ReadonlyArray<Variable> => {
  const found = new Map<string, Variable>()
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
          documented_in: survey.mentioned.get(name) ?? null
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

export const variableItems = (variables: ReadonlyArray<Variable>): ReadonlyArray<Item> =>
  variables.map(({ name, required, fallback, file_path, line, reads, documented_in }) => {
    const need = required ? "required" : fallback === null ? "no default beside the read" : `default ${code(fallback)}`
    const documentation = documented_in === null ? "mentioned in no document" : `mentioned in ${code(documented_in)}`
    const times = reads === 1 ? "" : `, ${plural(reads, "read")}`
    return {
      text: `${code(name)}: ${need}; ${at({ path: file_path, line })}${times}; ${documentation}`,
      cites: [{ path: file_path, line, names: [name] }]
    }
  })
