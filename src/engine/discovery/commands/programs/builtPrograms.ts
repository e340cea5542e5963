import { baseName, directoryOf, joined } from "../../../core/text/paths.ts"
import { lineOf, type Survey } from "../../Survey.ts"
import { isOfTests } from "./testFolders.ts"

/** A program that a build file of a language whose code is not read, or of a tool besides, says it makes. */
export interface BuiltProgram {
  readonly name: string
  readonly path: string
  readonly line: number
  /** Where it starts, as far as the file says so and it is there. */
  readonly start?: string | undefined
}

/** No stanza of a program is longer. */
const MAX_STANZA = 4_000

/** The text of a stanza of dune from its parenthesis to the one that closes it. */
const stanzaAt = (text: string, from: number): string => {
  let depth = 0
  for (let at = from; at < Math.min(text.length, from + MAX_STANZA); at++) {
    if (text[at] === "(") depth++
    else if (text[at] === ")" && --depth === 0) return text.slice(from, at + 1)
  }
  return text.slice(from, from + MAX_STANZA)
}

const listed = (stanza: string, field: string): ReadonlyArray<string> =>
  (new RegExp(`\\(${field}s?\\s+([^()]{1,400})\\)`).exec(stanza)?.[1] ?? "").split(/\s+/).filter((one) => one !== "")

/**
 * What dune makes: `(executable (name main) (public_name kettle))` starts in `main.ml` beside the file. One that is not installed is
 * the product's where nothing else is.
 */
const ofDune = (survey: Survey): ReadonlyArray<BuiltProgram> => {
  const all = survey
    .sourceTexts(/(?:^|\/)dune$/)
    .filter(({ path }) => !isOfTests(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^\s*\(executables?\b/gm)].flatMap((match) => {
        const stanza = stanzaAt(text, match.index + match[0].indexOf("("))
        const line = text.slice(0, match.index + match[0].length).split("\n").length
        const installed = listed(stanza, "public_name")
        return listed(stanza, "name").map((file, index) => {
          const name = installed[index]
          const start = [".ml", ".re"]
            .map((end) => joined(directoryOf(path), `${file}${end}`))
            .find((one) => survey.has(one))
          return { name: name ?? file, path, line, start, isInstalled: name !== undefined && name !== "-" }
        })
      })
    )
  const installed = all.filter(({ isInstalled }) => isInstalled)
  return (installed.length > 0 ? installed : all.filter(({ start }) => start !== undefined)).map(
    ({ name, path, line, start }) => ({ name, path, line, start })
  )
}

/** What LuaRocks puts on the path: `install = { bin = { kettle = "kettle.lua" } }`. */
const ofLuaRocks = (survey: Survey): ReadonlyArray<BuiltProgram> =>
  survey.sourceTexts(/^(?:rockspecs?\/)?[\w.-]+\.rockspec$/).flatMap(({ path, text }) => {
    const table = /\bbin\s*=\s*\{([^{}]{1,600})\}/.exec(text)?.[1] ?? ""
    return [...table.matchAll(/(?:\[?["']?([\w-]{1,40})["']?\]?\s*=\s*)?["']([\w./-]{1,80})["']/g)].map(
      ([, name, file]): BuiltProgram => ({
        name: name ?? baseName(file!).replace(/\.lua$/, ""),
        path,
        line: lineOf(text, file!) ?? 1,
        start: survey.has(file!) ? file : undefined
      })
    )
  })

/** A project of qmake makes a program of its own name, unless it names another one or makes a library. */
const ofQmake = (survey: Survey): ReadonlyArray<BuiltProgram> =>
  survey.sourceTexts(/^(?:src\/|app\/)?[\w.-]+\.pro$/).flatMap(({ path, text }): ReadonlyArray<BuiltProgram> => {
    // What other projects include has neither.
    if (/^\s*TEMPLATE\s*=\s*(?:lib|subdirs|aux)\b/m.test(text) || !/^\s*(?:SOURCES|TARGET)\b/m.test(text)) return []
    const target = /^\s*TARGET\s*=\s*"?([\w.-]{1,40})"?\s*$/m.exec(text)?.[1]
    const name = target ?? baseName(path).replace(/\.pro$/, "")
    return [{ name, path, line: target === undefined ? 1 : (lineOf(text, /^\s*TARGET\s*=/m) ?? 1) }]
  })

export const builtPrograms = (survey: Survey): ReadonlyArray<BuiltProgram> => [
  ...ofDune(survey),
  ...ofLuaRocks(survey),
  ...ofQmake(survey)
]

/** The word that a desktop or the system starts, without where it lies. */
const startedWord = /^Exec(?:Start)?\s*=\s*[-@+!:]*(?:\S*\/)?([A-Za-z][\w+.-]{1,39})(?=\s|$)/m

/** Runs what is named behind it. */
const isRunner =
  /^(?:sh|bash|env|python[\d.]*|perl|ruby|java|node|php|true|gjs|xterm|pkexec|sudo|systemctl|rm|mkdir|kill)$/

/** Names of the programs that entries for a desktop and units of systemd start. */
export const startedNames = (survey: Survey): ReadonlySet<string> =>
  new Set(
    survey.sourceTexts(/\.(?:desktop|service)(?:\.in){0,2}$/).flatMap(({ text }) => {
      const name = startedWord.exec(text)?.[1]
      return name === undefined || isRunner.test(name) ? [] : [name]
    })
  )
