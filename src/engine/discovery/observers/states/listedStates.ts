import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { constBlocks } from "./constBlocks.ts"

/** A set of values that was found in a text, before it is known what it is of. */
export interface Found {
  readonly name: string
  readonly at: number
  readonly values: ReadonlyArray<string>
  /** What it is of, where that is not what it is declared in. */
  readonly owner?: string
}

const MAX_BODY = 1_500

/** A name that says of a list what its values are: `serverStates`, `JOB_STATUSES`. */
const named = String.raw`(\w{0,40}(?:[sS]tatus(?:es)?|[sS]tates?|[pP]hases?|[sS]tages?|STATUS(?:ES)?|STATES?|PHASES?|STAGES?))`

interface ListHead {
  readonly languages: RegExp
  /** Up to the bracket that opens the list. */
  readonly head: RegExp
  readonly close: string
}

const listHeads: ReadonlyArray<ListHead> = [
  {
    languages: /^go$/,
    head: new RegExp(
      String.raw`^[ \t]{0,8}(?:var[ \t]+)?${named}[ \t]*:?=[ \t]*(?:map\[string\](?:struct\{\}|[\w.]{1,40})|\[\]string)\{`,
      "gm"
    ),
    close: "}"
  },
  {
    languages: /^python$/,
    head: /^[ \t]{0,8}([A-Z\d_]{0,40}(?:STATUS(?:ES)?|STATES?|PHASES?|STAGES?))[ \t]*(?::[^=\n]{1,60})?=[ \t]*(?:frozenset\(|set\()?\(?\[/gm,
    close: "]"
  },
  {
    languages: /^python$/,
    head: /^[ \t]{0,8}([A-Z\d_]{0,40}(?:STATUS(?:ES)?|STATES?|PHASES?|STAGES?))[ \t]*(?::[^=\n]{1,60})?=[ \t]*(?:frozenset\()?\{/gm,
    close: "}"
  },
  {
    languages: /^python$/,
    head: /^[ \t]{0,8}([A-Z\d_]{0,40}(?:STATUS(?:ES)?|STATES?|PHASES?|STAGES?))[ \t]*(?::[^=\n]{1,60})?=[ \t]*\(/gm,
    close: ")"
  },
  {
    languages: /^(?:javascript|typescript|tsx)$/,
    head: new RegExp(
      String.raw`^[ \t]{0,4}(?:export[ \t]+)?(?:const|let|var)[ \t]+${named}[ \t]*(?::[^=\n]{1,60})?=[ \t]*(?:Object\.freeze\()?(?:new Set\()?\[`,
      "gm"
    ),
    close: "]"
  },
  {
    languages: /^rust$/,
    head: /^[ \t]{0,4}(?:pub(?:\([\w:]{1,40}\))?[ \t]+)?(?:const|static)[ \t]+([A-Z\d_]{0,40}(?:STATUS(?:ES)?|STATES?|PHASES?|STAGES?))[ \t]*:[^=\n]{1,60}=[ \t]*&?\[/gm,
    close: "]"
  }
]

/** A list of some of the states: those that are final, or from which something may be done. */
const isOfSome =
  /^_?(?:final|finished|terminal|end(?:ed)?|done|closed|opened|open|active|inactive|live|dead|error|failed|failure|success(?:ful)?|pending|running|retry|retriable|allowed|next|previous|initial|start|stop|bad|good|ok|un|non|not|default|ignored?|skip|wait|busy|idle|stable|transient|visible|hidden|current|new|old|http|us)/i

/** A text, with what it stands for where the list is a map. */
const entry = /^["'`]([\w .-]{1,40})["'`]\s*(?::\s*[^:]{1,80})?$/

const withoutComments = (body: string): string => body.replace(/(?:\/\/|#)[^\n]*/g, "")

const entriesIn = (body: string): ReadonlyArray<string> => {
  const parts = withoutComments(body)
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  const values = parts.map((part) => entry.exec(part)?.[1])
  return values.every((value) => value !== undefined) ? values : []
}

/** Lists and maps that are named after states: `var serverStates = map[string]int{"up": 1, "down": 2}`. */
const lists = (file: SourceFile): ReadonlyArray<Found> =>
  listHeads
    .filter(({ languages }) => languages.test(file.language))
    .flatMap(({ head, close }) =>
      [...file.text.matchAll(head)].flatMap((match) => {
        const from = match.index + match[0].length
        const body = file.text.slice(from, from + MAX_BODY)
        const end = body.indexOf(close)
        const name = match[1]!.replace(/^_?(?:all|valid|known|possible)_?(?=[A-Z])/i, "")
        return end < 0 || isOfSome.test(name)
          ? []
          : [{ name: nameOfList(name), at: match.index + match[0].search(/\S/), values: entriesIn(body.slice(0, end)) }]
      })
    )

/** `JOB_STATUSES` lists what "job_status" may be, `serverStates` what "serverState" may be. */
const nameOfList = (name: string): string =>
  name.replace(/^[A-Z\d_]+$/, (capitals) => capitals.toLowerCase()).replace(/(?<=status)es$|(?<=e)s$/i, "")

const classOfStates =
  /^class[ \t]+(\w{0,40}(?:Status|State|Phase|Stage)(?:es|s)?)(?:\([ \t]*(?:object|str|int)?[ \t]*\))?[ \t]*:[^\n]*\n((?:[ \t]+[^\n]*\n|\n){1,60})/gm
const constant = /^([A-Za-z]\w{0,40})[ \t]*(?::[ \t]*\w{1,40}[ \t]*)?=[ \t]*(?:-?\d{1,12}|["'][^"'\n]{0,60}["'])$/

/** A class of Python that has nothing but constants in it: `class WagonStatus: empty = 1`. */
const classes = (file: SourceFile): ReadonlyArray<Found> =>
  file.language !== "python"
    ? []
    : [...file.text.matchAll(classOfStates)].map(({ 1: name, 2: body, index }) => {
        const lines = body!
          .replace(/"""[\s\S]{0,600}?"""/g, "")
          .split("\n")
          .map((line) => line.replace(/#.*$/, "").trim())
          .filter((line) => line !== "")
        const values = lines.map((line) => constant.exec(line)?.[1])
        return { name: name!, at: index, values: values.every((value) => value !== undefined) ? values : [] }
      })

const optionOfState =
  /["']--?(status|state|phase|stage)["'][^()\n]{0,120}(?:\n[^()\n]{0,120}){0,4}?\b(?:choices[ \t]*=|type[ \t]*=[ \t]*(?:click\.)?Choice\()[ \t\n]{0,40}[[(]([^\][()]{2,400})[\])]/g

/** What an option of the command line takes for a status, as argparse and click have it. */
const options = (file: SourceFile): ReadonlyArray<Found> =>
  file.language !== "python"
    ? []
    : [...file.text.matchAll(optionOfState)].map((match) => ({
        name: match[1]!,
        at: match.index,
        values: entriesIn(match[2]!).filter((value) => value.toLowerCase() !== "all")
      }))

const grouped = (
  matches: Iterable<RegExpExecArray>,
  valueOf: (match: RegExpExecArray) => string
): ReadonlyArray<Found> => {
  const sets = new Map<string, { readonly at: number; readonly values: Array<string> }>()
  for (const match of matches) {
    const set = sets.get(match[1]!) ?? { at: match.index + match[0].search(/\S/), values: [] }
    sets.set(match[1]!, set)
    set.values.push(valueOf(match))
  }
  return [...sets].map(([name, { at, values }]) => ({ name, at, values }))
}

const namesOfStates = /^([A-Z\d_]{0,40}(?:STATUS|STATE|PHASE|STAGE))_[A-Z\d]\w*$/

/** Constants of C that begin alike, as macros or in an enumeration without a name; and the enumeration of one field. */
const ofC = (file: SourceFile): ReadonlyArray<Found> => {
  if (!/^(?:c|cpp)$/.test(file.language)) return []
  const macros =
    /^#[ \t]{0,8}define[ \t]{1,8}([A-Z\d_]{0,40}(?:STATUS|STATE|PHASE|STAGE))_([A-Z\d]\w{0,60})[ \t]{1,40}(?:\(?-?\d|\(?'|\(?1[ \t]*<<)/gm
  const enumerations = /^([ \t]*)enum\s{0,8}\{([^{}]{1,2500})\}\s{0,8}(\w{0,60})\s{0,8};/gm
  return [
    ...grouped(file.text.matchAll(macros), ([, name, rest]) => `${name}_${rest}`),
    ...[...file.text.matchAll(enumerations)].flatMap((match): ReadonlyArray<Found> => {
      const values = valuesOfC(match[2]!)
      const starts = new Set(values.map((value) => namesOfStates.exec(value)?.[1]))
      const [start] = starts
      const name = match[3] === "" ? (starts.size === 1 ? start : undefined) : match[1] === "" ? undefined : match[3]
      return name === undefined ? [] : [{ name, at: match.index + match[1]!.length, values }]
    })
  ]
}

const valuesOfC = (body: string): ReadonlyArray<string> =>
  withoutComments(body.replace(/\/\*[^*]{0,400}\*\//g, ""))
    .split(",")
    .flatMap((part) => /^\s*([A-Za-z_]\w{0,60})\s*(?:=|$)/.exec(part)?.[1] ?? [])

/** Constants of Go without a type that begin alike: `statusIdle = iota`, `statusBusy`. */
const ofGo = (file: SourceFile): ReadonlyArray<Found> =>
  file.language !== "go"
    ? []
    : constBlocks(file.text).flatMap(({ body, from }) =>
        grouped(
          body.matchAll(
            /^\t(\w{0,40}(?:[sS]tate|[sS]tatus|[pP]hase))_?([A-Z]\w{0,60})(?:[ \t]*=[ \t]*(?:iota|\d{1,6}|"[\w .-]{1,40}"))?[ \t]*(?:\/\/[^\n]*)?$/gm
          ),
          ([, name, rest]) => `${name}${rest}`
        ).map((one) => ({ ...one, at: from + one.at }))
      )

/** Each comment once, however many begin in it. */
const withoutBlocks = (body: string): string =>
  body
    .split("/*")
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf("*/") + 2)))
    .join(" ")

/** A class of Java that has nothing but texts, one for each value: `class Result { public static final String DONE = "done"; … }`. */
const ofJava = (file: SourceFile): ReadonlyArray<Found> =>
  file.language !== "java" && !file.path.endsWith(".mdo")
    ? []
    : [
        ...file.text.matchAll(
          /\b(?:class|interface)\s{1,8}(\w{0,40}(?:Status|State|Result|Outcome|Phase|Type|Kind))\s{0,8}\{([^{}]{1,4000})\}/g
        )
      ].flatMap(({ index, 1: name, 2: body }) => {
        const statements = withoutBlocks(body!)
          .replace(/\/\/[^\n]*/g, "")
          .split(";")
          .map((part) => part.trim())
          .filter((part) => part !== "")
        const values = statements.map(
          (part) => /^(?:public\s+)?(?:static\s+)?(?:final\s+)?String\s+\w+\s*=\s*"([\w .-]{1,40})"$/.exec(part)?.[1]
        )
        return values.every((value) => value !== undefined) ? [{ name: name!, at: index, values }] : []
      })

/** States that are listed where no type declares them. */
export const listedStates = (file: SourceFile): ReadonlyArray<Found> => [
  ...lists(file),
  ...options(file),
  ...classes(file),
  ...ofC(file),
  ...ofGo(file),
  ...ofJava(file)
]
