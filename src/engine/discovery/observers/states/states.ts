import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Definition, States } from "../../Observed.ts"
import { languageName } from "../languageName.ts"
import { assignedStates } from "./assignedStates.ts"
import { constBlocks } from "./constBlocks.ts"
import { type Found, listedStates } from "./listedStates.ts"

const MAX_SETS = 120
const MAX_VALUES = 24

const enumBlocks: Partial<Record<string, RegExp>> = {
  prisma: /^enum\s+(\w+)\s*\{([^}]*)\}/gm,
  graphql: /^enum\s+(\w+)[^{\n]{0,100}\{([^}]*)\}/gm,
  proto: /^[ \t]*enum\s+(\w+)\s*\{([^}]*)\}/gm,
  typescript: /\benum\s+(\w+)\s*\{([^}]{1,2000})\}/g,
  tsx: /\benum\s+(\w+)\s*\{([^}]{1,2000})\}/g,
  java: /\benum\s+(\w+)[^{;]{0,120}\{([^;{}]{1,1500})[;}]/g,
  csharp: /\benum\s+(\w+)[^{;]{0,60}\{([^{}]{1,2500})\}/g,
  rust: /^[ \t]*(?:pub(?:\([\w:]+\))?\s+)?enum\s+(\w+)(?:<[^>{\n]{0,80}>)?\s*\{\n((?:[ \t]+[^\n]*\n|\n){1,80})/gm,
  c: /\benum\s+(\w+)\s*\{([^{}]{1,2500})\}/g,
  cpp: /\benum\s+(?:class\s+|struct\s+)?(\w+)\s*(?::\s*[\w:]+\s*)?\{([^{}]{1,2500})\}/g,
  kotlin: /\benum\s+class\s+(\w+)[^{;]{0,120}\{([^;{}]{1,1500})[;}]/g,
  python:
    /^[ \t]*class\s+(\w+)\([^)]{0,80}\b\w{0,30}(?:Enum|Choices|Flag)\b[^)]{0,40}\):[^\n]*\n((?:[ \t]+[^\n]*\n|\n){1,80})/gm,
  php: /\benum\s+(\w+)[^{]{0,80}\{([^{}]{1,1500})/g,
  Vala: /\benum\s+(\w+)\s*\{([^{};]{1,2500})[};]/g,
  Pascal: /^[ \t]{1,8}(\w{2,60})[ \t]*=[ \t]*\(([\w, \t\r\n]{3,1500})\);/gm,
  D: /\benum\s+(\w+)[^{;]{0,60}\{([^{}]{1,2500})\}/g,
  Haskell: /^data[ \t]+(\w+)[ \t\n]*=[ \t]*([A-Z][\w |\t\n]{1,600}?)(?=\n[^ \t]|\n\n|[ \t\n]deriving\b)/gm,
  OCaml: /^[ \t]*type[ \t]+(\w+)[ \t\n]*=[ \t\n|]*([A-Z][\w |\t\n]{1,600}?)(?=\n[^ \t]|\n\n)/gm
}

const unionPattern =
  /\b(?:type\s+(\w+)\s*=|(?:export\s+)?const\s+(\w+)\s*=\s*(?:Schema\.)?(?:[lL]iteral|oneOf|z\.enum|enum)\w*\(\[?)\s*((?:\|?\s*["'][\w./ -]{1,40}["']\s*[,|]?\s*){2,24})/g

const byLines = /^(?:python|rust|prisma|graphql|php|proto)$/

/** Values of a Python enumeration stand one level deeper than its head; what stands deeper belongs to a method. */
const ownLines = (body: string): string => {
  const indent = /^[ \t]+(?=\S)/m.exec(body)?.[0] ?? ""
  const own: Array<string> = []
  for (const line of body.split("\n")) {
    if (line.trim() !== "" && !line.startsWith(indent)) break
    if (!/^\s/.test(line.slice(indent.length))) own.push(line)
  }
  return own.join("\n")
}

const valuesIn = (language: string, body: string): ReadonlyArray<string> => {
  const plain = body.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"""[\s\S]*?"""/g, "").replace(/^\s*#(?!\[)[^\n]*/gm, "")
  const isOfAlternatives = /^(?:Haskell|OCaml)$/.test(language)
  const parts = byLines.test(language)
    ? (/^(?:python|rust)$/.test(language) ? ownLines(plain) : plain).split(/\n|;/)
    : plain.split(isOfAlternatives ? "|" : ",")
  // An alternative that holds something is no value.
  if (isOfAlternatives && parts.some((part) => /\S\s+\S/.test(part.trim()))) return []
  return parts
    .map((part) => {
      const text = part.replace(/#\[[^\]]*\]|\[[^\]]*\]|@\w+(?:\([^)]*\))?/g, "").trim()
      if (language === "php") return /^case\s+(\w+)/.exec(text)?.[1] ?? ""
      if (language === "python") return /^([A-Za-z]\w*)\s*=/.exec(text)?.[1] ?? ""
      if (language === "rust") return /^([A-Z]\w*)\s*(?:[,({=]|$)/.exec(text)?.[1] ?? ""
      return /^([A-Za-z_]\w*)\s*(?:=|\(|$)/.exec(text)?.[1] ?? ""
    })
    .filter((value) => value !== "" && !/^(?:option|reserved)$/.test(value))
}

/** Several constants that begin alike: `STATUS_OPEN`, `STATUS_CLOSED`. */
const prefixed: Partial<Record<string, RegExp>> = {
  ruby: /^[ \t]*((?:[A-Z]+_)*(?:STATUS|STATE|TYPE|KIND|ROLE|VISIBILITY|PRIORITY|LEVEL))_([A-Z]\w*)\s*=\s*(?:\d|["':])/gm,
  php: /^[ \t]*(?:final\s+)?(?:public\s+)?const\s+((?:[A-Z]+_)*(?:STATUS|STATE|TYPE|KIND|ROLE|VISIBILITY|PRIORITY|LEVEL))_([A-Z]\w*)\s*=\s*(?:\d|["'])/gm,
  python:
    /^[ \t]*((?:[A-Z]+_)*(?:STATUS|STATE|TYPE|KIND|ROLE|VISIBILITY|PRIORITY|LEVEL))_([A-Z]\w*)\s*=\s*(?:\d|["'])/gm,
  java: /^[ \t]*(?:public\s+)?static\s+final\s+\w+\s+((?:[A-Z]+_)*(?:STATUS|STATE|TYPE|KIND|ROLE))_([A-Z]\w*)\s*=/gm
}

const constantSets = (file: SourceFile): ReadonlyArray<Found> => {
  const pattern = prefixed[file.language]
  const sets = new Map<string, { readonly at: number; readonly values: Array<string> }>()
  for (const match of pattern === undefined ? [] : file.text.matchAll(pattern)) {
    const set = sets.get(match[1]!) ?? { at: match.index + match[0].search(/\S/), values: [] }
    sets.set(match[1]!, set)
    set.values.push(`${match[1]}_${match[2]}`)
  }
  return [...sets].map(([name, { at, values }]) => ({ name, at, values }))
}

/** Names of a block of Go's constants that are of a type: the type stands at the first, or at each. */
const goValues = (body: string, type: string): ReadonlyArray<string> => {
  let isOwn = false
  return body.split("\n").flatMap((line) => {
    const declared = /^\s*([A-Za-z]\w*)(?:\s+(\w+))?(?:\s*=\s*(.*))?$/.exec(line.replace(/\/\/.*$/, ""))
    if (declared === null) return []
    const [, name, of, value] = declared
    if (of !== undefined || value !== undefined) isOwn = of === type || (value ?? "").startsWith(`${type}(`)
    return isOwn ? [name!] : []
  })
}

/** Constants of a type that another file of the package declares: each, or the first, names it. */
const goSetsOfOthers = (file: SourceFile): ReadonlyArray<Found> =>
  constBlocks(file.text).flatMap(({ body, from }) => {
    const types = [...new Set([...body.matchAll(/^\s*\w+[ \t]+([A-Z]\w*)[ \t]*=/gm)].map(([, type]) => type!))]
    return types.flatMap((name) =>
      new RegExp(`^type\\s+${name}\\b`, "m").test(file.text)
        ? []
        : [{ name, at: from + Math.max(0, body.search(/^\s*\w/m)), values: goValues(body, name) }]
    )
  })

/** Constants of a type that stands for one of a few values, as Go has them: `const Open State = "open"`. */
const goSets = (file: SourceFile): ReadonlyArray<Found> => {
  const blocks = constBlocks(file.text)
  return [...file.text.matchAll(/^type\s+(\w+)\s+(?:string|u?int\d{0,2}|byte)\s*$/gm)].map(({ 1: name, index }) => {
    // Numbers without a type that are counted right below it.
    const below =
      /^type[^\n]*\n\s*const\s*\(\s*\w+\s*=\s*(?:1\s*<<\s*)?iota\b[^\n]*\n(?:\s*\w+\s*(?:\/\/[^\n]*)?\n)+\s*\)/.exec(
        file.text.slice(index, index + 2_000)
      )
    const single = [...file.text.matchAll(/^const\s+(\w+)\s+(\w+)\s*=/gm)].filter(([, , of]) => of === name)
    return {
      name: name!,
      at: index,
      values: [
        ...blocks.flatMap(({ body }) => goValues(body, name!)),
        ...single.map(([, value]) => value!),
        ...[...(below?.[0] ?? "").matchAll(/^\s+(\w+)\s*(?:=|$|\/\/)/gm)].map(([, value]) => value!)
      ]
    }
  })
}

const wordsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/["'`]([\w .-]{1,40})["'`]/g)].map(([, value]) => value!)

const railsValues = (body: string): ReadonlyArray<string> =>
  body.startsWith("%")
    ? body.slice(3).trim().split(/\s+/)
    : [...body.matchAll(/(?<!\w):(\w+)|(\w+):\s|["'](\w+)["']/g)].map(([, a, b, c]) => a ?? b ?? c!)

const pairs = (body: string): ReadonlyArray<string> =>
  [...body.matchAll(/[[(]\s*["']?([\w.-]+)["']?\s*,/g)].map(([, value]) => value!)

/** Names of an object whose values are texts or numbers. */
const keysIn = (body: string): ReadonlyArray<string> =>
  [...body.matchAll(/^\s*["']?(\w+)["']?\s*:\s*["'\d]|,\s*["']?(\w+)["']?\s*:\s*["'\d]/gm)].map(
    ([, first, next]) => first ?? next!
  )

/** How a column is given its values: the name in the first group, what lists the values in the second. */
const columnPatterns: ReadonlyArray<
  readonly [languages: RegExp, pattern: RegExp, values: (body: string) => ReadonlyArray<string>]
> = [
  [/^ruby$/, /^[ \t]*enum[ (]:?(\w+)(?::|,| =>)\s*([[{%][^\]}]{2,600})[\]}]/gm, railsValues],
  [
    /^python$/,
    /^[ \t]*(\w{3,60})_CHOICES\s*(?::[^=\n]+)?=\s*[[(]\s*((?:[[(][^()[\]]*(?:\([^()]*\)[^()[\]]*)?[\])],?\s*){2,24})[\])]/gm,
    pairs
  ],
  [
    /^python$/,
    /^[ \t]*([A-Z_]{0,40}(?:STATUS(?:ES)?|STATES?|STAGES?|PHASES?))\s*(?::[^=\n]+)?=\s*[[(]\s*((?:[[(][^()[\]]*(?:\([^()]*\)[^()[\]]*)?[\])],?\s*){2,24})[\])]/gm,
    pairs
  ],
  [
    /^python$/,
    /^[ \t]+(\w{3,60})\s*(?::[^=\n]+)?=\s*[^\n]{0,60}\bEnum\(\s*((?:["'][\w -]{1,40}["']\s*,\s*){2,24})/gm,
    wordsIn
  ],
  [/^python$/, /^[ \t]+(\w{3,60})\s*:\s*(?:Optional\[)?(?:\w+\.)?Literal\[([^\]]{2,600})\]/gm, wordsIn],
  // Schemas and migrations of Mongoose, Sequelize and Knex.
  [/^(?:javascript|typescript|tsx)$/, /^[ \t]*(\w{3,60}):\s*\{[^{}]{0,200}?\benum:\s*\[([^\]]{2,600})\]/gm, wordsIn],
  [/^(?:javascript|typescript)$/, /^[ \t]*(\w{3,60}):[^\n]{0,20}(?:\n[^\n]{0,60})?\bENUM\(([^)]{2,600})\)/gm, wordsIn],
  [/^(?:javascript|typescript)$/, /\.enu?m?\(\s*["'](\w{3,60})["'],\s*\[([^\]]{2,600})\]/g, wordsIn],
  [
    /^(?:typescript|tsx)$/,
    /^[ \t]+(?:readonly[ \t]+|public[ \t]+|private[ \t]+)?(\w{0,40}(?:[sS]tat(?:us|e)|[pP]hase|[sS]tage))[?!]?:\s*((?:\|?\s*["'][\w ./-]{1,40}["']\s*){2,24})/gm,
    wordsIn
  ],
  [
    /^(?:javascript|typescript|tsx)$/,
    /^(?:export[ \t]+)?const[ \t]+([A-Z]\w{0,40}(?:Stat(?:us|e|uses|es)|STAT(?:US|E|USES|ES)|Phases?|Stages?))\s*=\s*(?:Object\.freeze\(\s*)?\{((?:\s*["']?\w{1,60}["']?\s*:\s*(?:"[^"\n]{0,60}"|'[^'\n]{0,60}'|\d{1,9})\s*(?:,|(?=\}))){2,24})\s*\}/gm,
    keysIn
  ],
  [/^sql$/, /\bCREATE\s+TYPE\s+"?([\w.]+)"?\s+AS\s+ENUM\s*\(([^)]{2,1000})\)/gi, wordsIn],
  [/^sql$/, /^[ \t]*["`]?(\w+)["`]?\s+ENUM\s*\(([^)]{2,1000})\)/gim, wordsIn],
  [/./, /\bCHECK\s*\(\s*["`]?(\w+)["`]?\s+IN\s*\(([^)]{2,1000})\)/gi, wordsIn]
]

/** What Rails, Django and SQL declare beside the column. */
const columnSets = (file: SourceFile): ReadonlyArray<Found> => [
  ...columnPatterns.flatMap(([languages, pattern, valuesOf]) =>
    !languages.test(file.language)
      ? []
      : [...file.text.matchAll(pattern)].map((match) => ({
          name: match[1]!.replace(/^[A-Z_]+$/, (capitals) => capitals.toLowerCase()),
          at: match.index + match[0].search(/\S/),
          values: valuesOf(match[2]!)
        }))
  ),
  ...machineStates(file)
]

/** States of the state machines of Ruby. */
const machineStates = (file: SourceFile): ReadonlyArray<Found> => {
  if (file.language !== "ruby" || !/^[ \t]*(?:aasm\b|state_machine\b)/m.test(file.text)) return []
  const states = [...file.text.matchAll(/^[ \t]*state\s+:(\w+)/gm)]
  const [first] = states
  return first === undefined
    ? []
    : [{ name: "state", at: first.index + first[0].search(/\S/), values: states.map(([, name]) => name!) }]
}

/** `typedef enum { … } Name;` */
const typedefs = (file: SourceFile): ReadonlyArray<Found> =>
  !/^(?:c|cpp)$/.test(file.language)
    ? []
    : [...file.text.matchAll(/^typedef\s+enum\s*\w*\s*\{([^{}]{1,2500})\}\s*(\w+)\s*;/gm)].map((match) => ({
        name: match[2]!,
        at: match.index + match[0].lastIndexOf("}"),
        values: valuesIn("c", match[1]!)
      }))

const unions = (file: SourceFile): ReadonlyArray<Found> =>
  [...file.text.matchAll(unionPattern)].flatMap((match) => {
    const values = [...match[3]!.matchAll(/["']([^"']*)["']/g)].map(([, value]) => value!)
    // A union that goes on with something else is not closed by its literals.
    const rest = file.text.slice(match.index + match[0].length, match.index + match[0].length + 12)
    return /^\s*[|&]|^[A-Z{[]/.test(rest) ? [] : [{ name: (match[1] ?? match[2])!, at: match.index, values }]
  })

const enumerations = (file: SourceFile): ReadonlyArray<Found> => {
  const language = file.language === "text" ? (languageName(file) ?? "text") : file.language
  const pattern = enumBlocks[language]
  return [...(pattern === undefined ? [] : file.text.matchAll(pattern))].flatMap((match) => {
    const at = match.index + match[0].search(/\S/)
    const isCommented = /^\s*(?:\/\/|\*|#|--)/.test(file.lineText(file.line(at)))
    return isCommented ? [] : [{ name: match[1]!, at, values: valuesIn(language, match[2]!) }]
  })
}

/** The innermost type or table around a line, other than one of that name. */
const ownerAt = (
  line: number,
  name: string,
  owners: ReadonlyArray<{ readonly name: string; readonly line: number; readonly end: number }>
): string | null => {
  const around = owners.filter((owner) => owner.name !== name && owner.line <= line && owner.end >= line)
  return (
    around.reduce<(typeof around)[number] | null>(
      (best, owner) => (best === null || owner.end - owner.line < best.end - best.line ? owner : best),
      null
    )?.name ?? null
  )
}

const indentOf = (text: string): number => Math.max(0, text.search(/\S/))

/** A statement of SQL between code ends where its bracket closes; what a model has goes on to the next one. */
const endOfTable = (file: SourceFile, first: number, last: number): number => {
  const indent = indentOf(file.lineText(first))
  for (let line = first + 1; line <= last; line++) {
    const text = file.lineText(line)
    if (/^\s*\)\s*(?:[;"'`,]|$)/.test(text) && indentOf(text) <= indent) return line
  }
  return last
}

/** Closed sets of values: enums, unions of literals, constants that belong together. */
export const statesOf = (
  file: SourceFile,
  definitions: ReadonlyArray<Definition>,
  tables: ReadonlyArray<{ readonly name: string; readonly line: number }>
): ReadonlyArray<States> => {
  if (file.role !== "source") return []
  const found = [
    ...enumerations(file),
    ...typedefs(file),
    ...(/^(?:typescript|tsx|javascript)$/.test(file.language) ? unions(file) : []),
    ...(file.language === "go" ? [...goSets(file), ...goSetsOfOthers(file)] : []),
    ...constantSets(file),
    ...columnSets(file),
    ...listedStates(file),
    ...assignedStates(file)
  ]
  const owners = [
    ...definitions.filter(({ kind }) => kind === "type"),
    ...tables.map(({ name, line }, i) => ({
      name,
      line,
      end: endOfTable(file, line, (tables[i + 1]?.line ?? file.lineCount + 1) - 1)
    }))
  ]
  return found.slice(0, MAX_SETS).flatMap(({ name, at, values, owner: own }): ReadonlyArray<States> => {
    const unique = [...new Set(values)]
    if (unique.length < 2 || unique.length > MAX_VALUES || name.length > 80) return []
    const line = file.line(at)
    const owner = own ?? ownerAt(line, name, owners)
    return [owner === null ? { name, line, values: unique } : { name, line, values: unique, owner }]
  })
}
