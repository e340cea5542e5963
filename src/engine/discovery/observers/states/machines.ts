import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Transition } from "../../Observed.ts"

const MAX_TABLE = 20_000

const wordsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/:(\w+)|["']([\w .-]{1,40})["']|(\w+)(?=:\s)|\.([A-Z]\w*)|\b([A-Z][A-Z0-9_]+)\b|\b(any)\b/g)].map(
    ([, symbol, text, key, member, constant, any]) => (symbol ?? text ?? key ?? member ?? constant ?? any)!
  )

const list = String.raw`(\[[^\]]{1,300}\]|\([^)]{1,300}\)|[^,\s)]{1,80})`

/** Name of what a match stands in: the last `event :pay` before it. */
const eventBefore = (text: string, at: number): string | undefined =>
  [...text.slice(Math.max(0, at - 600), at).matchAll(/\bevent\s+:(\w+)/g)].at(-1)?.[1]

/** aasm and state_machines of Ruby. */
const ruby = (file: SourceFile): ReadonlyArray<Transition> => {
  if (!/^[ \t]*(?:aasm\b|state_machine\b)/m.test(file.text)) return []
  const patterns = [
    new RegExp(
      String.raw`^[ \t]*transitions?\s*\(?\s*:?from(?::|\s*=>)\s*${list}\s*,\s*:?to(?::|\s*=>)\s*:(\w+)`,
      "gm"
    ),
    /^[ \t]*transition\s+(\[[^\]]{1,300}\]|:\w+|any)\s*=>\s*:(\w+)/gm,
    /^[ \t]*transition\s+(?!from:|to:|on:)(\w+:)\s*:(\w+)/gm
  ]
  return patterns.flatMap((pattern) =>
    [...file.text.matchAll(pattern)].map((match) => {
      const by = eventBefore(file.text, match.index)
      const line = file.line(match.index + match[0].search(/\S/))
      const from = wordsIn(`${match[1]!} `)
      return { of: "", field: "state", from, to: match[2]!, line, end: line, ...(by === undefined ? {} : { by }) }
    })
  )
}

const keyword = (name: string, body: string): string | undefined =>
  new RegExp(String.raw`["']?\b${name}["']?\s*[:=]\s*${list}`).exec(body)?.[1]

/** django-fsm and `transitions` of Python. */
const python = (file: SourceFile): ReadonlyArray<Transition> => {
  const found: Array<Transition> = []
  const add = (at: number, length: number, [field, source, target, by]: ReadonlyArray<string | undefined>) => {
    const from = source === undefined ? [] : source.includes("*") ? ["any"] : wordsIn(`${source} `)
    const [to] = target === undefined ? [] : wordsIn(`${target} `)
    if (to === undefined || from.length === 0) return
    const one = { of: "", field: field ?? "state", from, to, line: file.line(at), end: file.line(at + length - 1) }
    found.push(by === undefined ? one : { ...one, by })
  }
  for (const match of file.text.matchAll(
    /^[ \t]*@(?:fsm\.)?transition\(([^@]{5,400}?)\)\s*\n(?:[ \t]*@[^\n]*\n)*\s*(?:async )?def\s+(\w+)/gm
  )) {
    const body = match[1]!
    add(match.index + match[0].search(/\S/), match[0].trimEnd().length, [
      keyword("field", body),
      keyword("source", body),
      keyword("target", body),
      match[2]
    ])
  }
  if (!/\bfrom transitions\b|\bimport transitions\b/.test(file.text)) return found
  for (const match of file.text.matchAll(/\{([^{}]{10,300})\}|\.add_transition\(([^()]{5,300})\)/g)) {
    const body = (match[1] ?? match[2])!
    const [trigger, source, dest] = [keyword("trigger", body), keyword("source", body), keyword("dest", body)]
    if (dest !== undefined) add(match.index, match[0].length, [undefined, source, dest, trigger?.replace(/["']/g, "")])
    else if (match[2] !== undefined) {
      const [by, from, to] = body.split(/,\s*(?![^[]*\])/)
      add(match.index, match[0].length, [undefined, from, to, by?.trim().replace(/["']/g, "")])
    }
  }
  return found
}

/** Spring Statemachine: `.withExternal().source(S.OPEN).target(S.PAID).event(E.PAY)`. */
const java = (file: SourceFile): ReadonlyArray<Transition> =>
  [
    ...file.text.matchAll(
      /\.source\(\s*([\w.]{1,80})\s*\)\s*\.target\(\s*([\w.]{1,80})\s*\)(?:\s*\.event\(\s*([\w.]{1,80})\s*\))?/g
    )
  ].map((match) => {
    const last = (name: string) => name.replace(/^.*\./, "")
    const lines = { line: file.line(match.index), end: file.line(match.index + match[0].length - 1) }
    const one = { of: "", field: "state", from: [last(match[1]!)], to: last(match[2]!), ...lines }
    return match[3] === undefined ? one : { ...one, by: last(match[3]) }
  })

/** Offset behind the brace that closes the one at `open`. */
const closing = (text: string, open: number): number => {
  let depth = 0
  for (let i = open; i < Math.min(text.length, open + MAX_TABLE); i++) {
    if (text[i] === "{") depth++
    else if (text[i] === "}" && --depth === 0) return i + 1
  }
  return -1
}

/** Keys of an object and where their values begin, not those of objects in it. */
function* entriesIn(text: string, open: number): Generator<readonly [key: string, at: number]> {
  const end = closing(text, open)
  const key = /["']?([\w.-]+)["']?\s*:\s*/y
  for (let i = open + 1; i < end - 1; ) {
    if (text[i] === "{") {
      i = closing(text, i)
      continue
    }
    key.lastIndex = i
    const match = /[\s,{]/.test(text[i - 1]!) ? key.exec(text) : null
    if (match === null) i++
    else {
      i += match[0].length
      yield [match[1]!, i]
    }
  }
}

const objectAt = (text: string, at: number, name: string): number | null => {
  for (const [key, value] of entriesIn(text, at)) if (key === name && text[value] === "{") return value
  return null
}

const machine = /(?:\b(?:const|let|var)\s+(\w+)\s*=[^;\n]{0,120})?\bcreateMachine(?:<[^(]{0,200}>)?\(\s*(?=\{)/g

/** Where the events of a state begin and to which state each of them leads. */
function* eventsIn(text: string, on: number): Generator<readonly [event: string, to: string, at: number]> {
  for (const [event, at] of entriesIn(text, on)) {
    const to = /^(?:\{\s*)?(?:target:\s*)?["']#?\.?([\w.-]{1,60})["']/.exec(text.slice(at, at + 120))?.[1]
    if (to !== undefined) yield [event, to, at]
  }
}

function* movesOf(file: SourceFile, of: string, states: number): Generator<Transition> {
  const { text } = file
  for (const [state, at] of entriesIn(text, states)) {
    const on = text[at] === "{" ? objectAt(text, at, "on") : null
    if (on === null) continue
    for (const [by, to, end] of eventsIn(text, on))
      yield { of, field: "state", from: [state], to, line: file.line(at), end: file.line(end), by }
  }
}

/** XState: `createMachine({ states: { open: { on: { PAY: "paid" } } } })`. */
const script = (file: SourceFile): ReadonlyArray<Transition> =>
  [...file.text.matchAll(machine)].flatMap((match) => {
    const states = objectAt(file.text, match.index + match[0].length, "states")
    return states === null ? [] : [...movesOf(file, (match[1] ?? "").replace(/[mM]achine$/, ""), states)]
  })

/** What the tables of state machine libraries declare. */
export const machineTransitions = (file: SourceFile): ReadonlyArray<Transition> => {
  switch (file.language) {
    case "ruby":
      return ruby(file)
    case "python":
      return python(file)
    case "java":
    case "kotlin":
      return java(file)
    case "typescript":
    case "tsx":
    case "javascript":
      return script(file)
    default:
      return []
  }
}
