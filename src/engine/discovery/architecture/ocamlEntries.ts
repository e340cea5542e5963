import { baseName, directoryOf, joined } from "../../core/text/paths.ts"
import { code } from "../Draft.ts"
import type { Survey } from "../Survey.ts"
import type { EntryPoint } from "./EntryPoint.ts"

const makefile = /^(?:src\/)?(?:GNUm|[Mm])akefile(?:\.in)?$/

/** A line that links a program, with what it is called: `ocamlopt -o kettle …`, `$(OCAMLOPT) $(FLAGS) -o $@ …`. */
const linking = /^\t.{0,160}?(?:\bocaml(?:opt|c)\b|\$[({]\w{0,12}OCAML(?:OPT|C)\w{0,8}[)}]).{0,200}?\s-o\s+(\S{1,40})/

interface Rule {
  readonly target: string
  readonly needs: string
}

const ruleOf = (line: string): Rule | null => {
  const [, target, needs] = /^([\w.$(){}/-]{1,60})[ \t]*:(?![:=])(.*)$/.exec(line) ?? []
  return target === undefined || needs === undefined ? null : { target, needs }
}

const MAX_PROGRAMS = 10

/** What variables of a Makefile hold. */
const variablesOf = (lines: ReadonlyArray<string>): ReadonlyMap<string, string> =>
  new Map(
    lines.flatMap((line): ReadonlyArray<readonly [string, string]> => {
      const [, name, value] = /^(\w{1,40})[ \t]*[:+?]?=(.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value]]
    })
  )

const MAX_DEPTH = 3
/** Variables that hold each other several times grow fast; the ends are kept, since the main module comes last. */
const MAX_WORDS = 20_000
const MAX_VALUE = 4000

/** The last file of object code in a list of words, with variables in their place: the main module comes last. */
const mainModule = (words: string, variables: ReadonlyMap<string, string>): string | undefined => {
  let text = words
  for (let depth = 0; depth < MAX_DEPTH; depth++)
    text = text
      .slice(0, MAX_WORDS)
      .replace(
        /\$[({](\w{1,40})(?::[^)}]{0,30})?[)}]/g,
        (_, name: string) => variables.get(name)?.slice(-MAX_VALUE) ?? ""
      )
  return [...text.matchAll(/([\w/-]{1,80})\.(?:cm[xo]|ml)(?![\w.])/g)].at(-1)?.[1]
}

const nameOf = (output: string): string => baseName(output).replace(/\.(?:opt|byte|native|exe)$/, "")

const programsIn = (survey: Survey, path: string, text: string): ReadonlyArray<EntryPoint> => {
  const lines = text.replace(/\\\n/g, " ").split("\n")
  const variables = variablesOf(lines)
  let rule: Rule | null = null
  return lines.flatMap((line): ReadonlyArray<EntryPoint> => {
    rule = line.startsWith("\t") ? rule : ruleOf(line)
    const output = linking.exec(line)?.[1]
    if (output === undefined) return []
    const { target, needs } = rule ?? { target: "", needs: "" }
    const main = mainModule(/\$[\^+<]/.test(line) ? needs : line, variables) ?? ""
    const file_path = joined(directoryOf(path), `${main}.ml`)
    if (!survey.has(file_path)) return []
    const name = nameOf(output === "$@" ? target : output)
    const what = /^[A-Za-z][\w-]{1,39}$/.test(name) ? `program ${code(name)}` : "program"
    return [{ file_path, line: survey.file(file_path)?.isEntryPoint || 1, why: `${what}, by ${path}` }]
  })
}

/** Programs of OCaml that a Makefile links. */
export const fromOcaml = (survey: Survey): ReadonlyArray<EntryPoint> =>
  survey.sourceTexts(makefile).flatMap(({ path, text }) => programsIn(survey, path, text).slice(0, MAX_PROGRAMS))
