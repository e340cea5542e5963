import { addTo } from "../../core/collections/lists.ts"
import { baseName, directoryOf } from "../../core/text/paths.ts"
import { code } from "../Draft.ts"
import { nounKey } from "../domain/Noun.ts"
import type { Definition, ObservedFile } from "../Observed.ts"
import type { Family, Sibling } from "./Family.ts"

const MIN_FILES = 4
const MAX_PER_FILE = 2
const MAX_WORDS = 2

/** `RegisterModule`, `register_codec`: the function says what is made known. */
const registers = /^[rR]egister_?([A-Z]?[a-z]\w{2,30})$/

/** What programs make known to a library or to the machine, rather than parts of themselves to each other. */
const isOfLibraries =
  /^(?:all|routes?|handlers?|flags?|metrics?|types?|scheme|servers?|services?|callbacks?|listeners?|observers?|events?|components?|partials?|hooks?|fonts?|cleanup|class|with|for|from|to|options?|settings?|signals?|user|account|device|client|blueprints?|urls?|views?|models?|admin)/i

/** What a function of this name makes known, where that is a part of the program; null for others. */
export const registeredNoun = (name: string): string | null => {
  const found = registers.exec(name)?.[1]
  const noun = found === undefined ? "" : nounKey(found)
  const words = noun.split(" ")
  // What happened is counted rather than made known: `RegisterFailedUpdate`.
  const isHappening = words.length > MAX_WORDS || (words.length > 1 && /.(?:ed|ful)$/.test(words[0]!))
  return noun === "" || isHappening || isOfLibraries.test(noun) ? null : noun
}

/** What a call names, without what it is a member of. */
export const calledName = (written: string): string => written.split(/[.:>-]+/).at(-1)!

export interface Place {
  readonly file: ObservedFile
  readonly line: number
}

/** Functions of the program that make a part of it known, with where each is declared. */
export const ownRegisters = (files: ReadonlyArray<ObservedFile>): ReadonlyMap<string, Place> => {
  const own = new Map<string, Place>()
  for (const file of files)
    for (const { kind, name, line } of file.declared) {
      const last = name.split(/[.:#]+/).at(-1)!
      if (kind === "function" && registeredNoun(last) !== null && !own.has(last)) own.set(last, { file, line })
    }
  return own
}

interface Call {
  readonly name: string
  readonly written: string
  readonly line: number
}

/** A function that runs when its module is loaded, or none at all. */
const isAtLoad = (functions: ReadonlyArray<Definition>, line: number): boolean =>
  functions.every((one) => /^_?init$/.test(one.name) || line < one.line || line > one.end)

const callsIn = (file: ObservedFile): ReadonlyArray<Call> => {
  if (!file.has("calls")) return []
  const found = file.calls.flatMap(([written, count, line]) => {
    const name = calledName(written)
    return count <= MAX_PER_FILE && registers.test(name) ? [{ name, written, line }] : []
  })
  if (found.length === 0) return []
  const functions = file.definitions.filter(({ kind }) => kind === "function")
  return found.filter(({ line }) => isAtLoad(functions, line))
}

/** Each in a folder of its own below one, or all of them in one. */
const largestFolder = (
  members: ReadonlyArray<Sibling>,
  folderOf: (path: string) => string
): readonly [folder: string, members: ReadonlyArray<Sibling>] => {
  const byFolder = new Map<string, Array<Sibling>>()
  for (const one of members) addTo(byFolder, folderOf(one.file.path), one)
  return [...byFolder].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))[0]!
}

/** Modules that make themselves known to the program when they are loaded, with a function of the program's own. */
export const registeredFamilies = (files: ReadonlyArray<ObservedFile>): ReadonlyArray<Family> => {
  const byFunction = new Map<string, Array<Sibling & { readonly written: string }>>()
  const own = ownRegisters(files)
  for (const file of files)
    for (const { name, written, line } of callsIn(file)) addTo(byFunction, name, { name, written, line, file })
  return [...byFunction].flatMap(([name, calls]): ReadonlyArray<Family> => {
    const noun = registeredNoun(name)
    if (noun === null || !own.has(name) || calls.length < MIN_FILES) return []
    const [, together] = largestFolder(calls, directoryOf)
    const [above, apart] = largestFolder(calls, (path) => directoryOf(directoryOf(path)))
    const isApart = together.length < MIN_FILES
    const found = isApart ? apart : together
    if (found.length < MIN_FILES) return []
    const members = found.map(({ line, file }) => ({
      name: isApart ? baseName(directoryOf(file.path)) : baseName(file.path).replace(/\.\w+$/, ""),
      line,
      file
    }))
    const shape = `a module that calls ${code(calls[0]!.written)} when it is loaded`
    return [{ noun, shape, base: null, members, ...(isApart ? { above } : {}) }]
  })
}
