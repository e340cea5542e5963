import { at, code, type Guide, type Item } from "../Draft.ts"
import type { ObservedFile } from "../Observed.ts"
import { inPart, namedAddition } from "./recipeParts.ts"
import { calledName, ownRegisters, type Place, registeredNoun } from "./registeredFamilies.ts"

const MIN_CALLS = 4
const MAX_GUIDES = 2

interface Register extends Place {
  readonly written: string
  readonly count: number
}

const keepMost = (found: Map<string, Register>, name: string, one: Register): void => {
  if (one.count > (found.get(name)?.count ?? MIN_CALLS - 1)) found.set(name, one)
}

const guideOf = (noun: string, { file, line, written, count }: Register, declared: Place): Guide => {
  const cites = [{ path: file.path, line }]
  const own = { path: declared.file.path, line: declared.line }
  const steps: ReadonlyArray<Item> = [
    { text: `Call ${code(written)} in ${at(cites[0]!)}, beside the ${count} calls that are there.`, cites },
    { text: `What it is given is declared at ${at(own)}.`, cites: [own] }
  ]
  return {
    ...namedAddition(noun),
    description: `${count} are made known in ${at(cites[0]!)}.`,
    items: inPart("Steps", steps)
  }
}

/** How another part is added where one file makes all of them known with a function of the program's own. */
export const registeredCalls = (files: ReadonlyArray<ObservedFile>): ReadonlyArray<Guide> => {
  const own = ownRegisters(files)
  const most = new Map<string, Register>()
  for (const file of own.size === 0 ? [] : files)
    for (const [written, count, line] of file.has("calls") ? file.calls : []) {
      const name = calledName(written)
      if (own.has(name)) keepMost(most, name, { file, line, written, count })
    }
  return [...most]
    .sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_GUIDES)
    .map(([name, found]) => guideOf(registeredNoun(name)!, found, own.get(name)!))
}
