import type { SourceFile } from "../../core/files/SourceFile.ts"

/** What a program must be given: the name of one of its commands, or something else. */
export type Asked = "" | "command" | "arguments"

type Reading = (text: string) => Asked

const MAX_BLOCK = 6_000

/** From a brace on what stands in it; cut after some lines. */
const blockAt = (text: string, from: number): string => {
  let depth = 0
  const start = text.indexOf("{", from)
  if (start < 0) return ""
  for (let at = start; at < text.length && at < start + MAX_BLOCK; at++) {
    if (text[at] === "{") depth++
    else if (text[at] === "}" && --depth === 0) return text.slice(start + 1, at)
  }
  return text.slice(start + 1, start + MAX_BLOCK)
}

/** What stands in a block itself, and not in a block of its own. */
const outermost = (block: string): string => {
  let depth = 0
  let text = ""
  for (const character of block) {
    if (character === "}") depth--
    if (depth === 0) text += character
    if (character === "{") depth++
  }
  return text
}

/** Ends or explains itself where it was given too little. */
const leaves =
  /usage|help|\bexit\b|\bdie\b|\bFatal\w*\(|\bpanic\(|\breturn\b[ \t]*(?:\(?-?\d+\)?|EXIT_\w+)?[ \t]*(?:;|\n|$)/i
const MAX_BRANCH = 300

/** What is done where a test holds. */
const branchAfter = (text: string): string => {
  const end = text.search(/^\s*\{/.test(text) ? /\}/ : /;/)
  return end < 0 ? text : text.slice(0, end + 1)
}

const depthOf = (text: string): number => text.split("{").length - text.split("}").length

/** In the body of the main function itself: what is tested deeper belongs to one of several ways to use the program. */
const leavesMain = (text: string, main: RegExp, test: RegExp): Asked => {
  const start = text.search(main)
  if (start < 0) return ""
  const body = text.slice(start, start + MAX_BLOCK)
  const isLeft = ({ index, 0: { length } }: RegExpExecArray): boolean =>
    depthOf(body.slice(0, index)) === 1 &&
    leaves.test(branchAfter(body.slice(index + length, index + length + MAX_BRANCH)))
  return [...body.matchAll(test)].some(isLeft) ? "arguments" : ""
}

/** The same of languages that mark a branch by indentation or `end`. */
const leavesAfter = (text: string, test: RegExp): boolean =>
  [...text.matchAll(test)].some(({ index, 0: { length } }) => {
    const after = text.slice(index + length, index + length + MAX_BRANCH)
    return leaves.test(after.split(/\n\s*\n|\bel(?:se|if|sif)\b|\bend\b/, 1)[0]!)
  })

const ofC: Reading = (text) =>
  leavesMain(
    text,
    /^[ \t]*(?:[A-Z_]+[ \t]+)?(?:(?:int|void|auto)\s+)?main\s*\(/m,
    /\bif\s*\(\s*\(?\s*argc\s*(?:<\s*[2-9]|<=\s*[1-9]|==\s*1|!=\s*[2-9])\s*\)/g
  )

const fieldOfClap = /^[ \t]*(?:pub(?:\([a-z]+\))?\s+)?[a-z_]\w*\s*:\s*([\w:]+)/

interface Field {
  readonly attributes: string
  readonly type: string
}

/** Fields of a structure, each with the lines above it that say how it is given. */
const fieldsIn = (block: string): ReadonlyArray<Field> => {
  const fields: Array<Field> = []
  let attributes = ""
  for (const line of block.split("\n")) {
    const type = fieldOfClap.exec(line)?.[1]
    if (type === undefined) {
      if (!/^\s*\/\//.test(line)) attributes += `${line}\n`
      continue
    }
    fields.push({ attributes, type })
    attributes = ""
  }
  return fields
}

const isNamedField = /\b(?:long|short|from_global|skip|flatten)\b/
const isOptional = /\bdefault_value\w*\b|\bnum_args\s*=\s*0|\brequired\s*=\s*false|\benv\b/

const askedByField = ({ attributes, type }: Field): Asked => {
  const isLeft = /(?:^|::)Option$/.test(type)
  if (/\bsubcommand\b/.test(attributes)) return isLeft ? "" : "command"
  if (isNamedField.test(attributes) || isOptional.test(attributes) || isLeft) return ""
  if (/(?:^|::)Vec$/.test(type)) return /\brequired\b/.test(attributes) ? "arguments" : ""
  return type === "bool" || !/#\[(?:arg|clap|structopt)\b/.test(attributes) ? "" : "arguments"
}

const first = (asked: ReadonlyArray<Asked>): Asked =>
  asked.find((one) => one === "command") ?? asked.find((one) => one !== "") ?? ""

const parserOfRust =
  /#\[derive\([^)]{0,200}\b(?:Parser|StructOpt)\b[^)]{0,200}\)\][^{}]{0,1500}?\bstruct\s+\w+[^{;]{0,80}\{/g

const ofRust: Reading = (text) => {
  if (
    /\.(?:subcommand_required|arg_required_else_help)\(true\)|\b(?:SubcommandRequired|ArgRequired)ElseHelp\b/.test(text)
  )
    return "command"
  return first(
    [...text.matchAll(parserOfRust)].flatMap(({ index, 0: { length } }) =>
      fieldsIn(blockAt(text, index + length - 1)).map(askedByField)
    )
  )
}

const commandOfCobra = /\b(\w+)\s*(?::=|=)\s*&?cobra\.Command\s*\{/g

/** A command of Cobra that is executed and does nothing by itself prints its help. */
const ofCobra: Reading = (text) =>
  first(
    [...text.matchAll(commandOfCobra)].map(({ index, 0: { length }, 1: name }): Asked => {
      const own = outermost(blockAt(text, index + length - 1))
      const isRoot = new RegExp(`\\b${name}\\.Execute(?:Context|C)?\\(`).test(text)
      if (!isRoot) return ""
      if (!/\bRunE?\s*:/.test(own) && !new RegExp(`\\b${name}\\.RunE?\\s*=`).test(text)) return "command"
      return /\bArgs\s*:\s*cobra\.(?:ExactArgs|MinimumNArgs)\([1-9]/.test(own) ? "arguments" : ""
    })
  )

const ofKong: Reading = (text) => {
  if (!/\bkong\.(?:Parse|New|Must)\(/.test(text) || !/`[^`\n]*\bcmd:""/.test(text)) return ""
  return /`[^`\n]*\bcmd:""[^`\n]*\bdefault:"|`[^`\n]*\bdefault:"(?:1|withargs)"[^`\n]*\bcmd:""/.test(text)
    ? ""
    : "command"
}

/** A program of Kingpin or Fisk with commands ends with its usage without one of them, unless one is the default. */
const ofKingpin: Reading = (text) => {
  const isProgram =
    /\b(?:kingpin|fisk)\.New\w*\(/.test(text) ||
    (/\bkingpin\.(?:MustParse|Parse)\(/.test(text) && /\bkingpin\.Command\(/.test(text))
  if (!isProgram || !/\.Command\(|\bMustParseWithUsage\(/.test(text)) return ""
  return /\.Default\(\)/.test(text) ? "" : "command"
}

/** An application of urfave/cli that has commands and does nothing by itself prints its help. */
const ofUrfave: Reading = (text) =>
  first(
    [...text.matchAll(/&?\bcli\.App\s*\{/g)].map(({ index, 0: { length } }): Asked => {
      const own = outermost(blockAt(text, index + length - 1))
      const isIdle = /\bCommands\s*:/.test(own) && !/\b(?:Action|DefaultCommand)\s*:/.test(own)
      return isIdle && !/\.(?:Action|DefaultCommand)\s*=/.test(text) ? "command" : ""
    })
  )

const ofGo: Reading = (text) => {
  const asked = first([ofCobra(text), ofKong(text), ofKingpin(text), ofUrfave(text)])
  if (asked !== "" || !/^func main\(\)/m.test(text)) return asked
  return leavesMain(
    text,
    /^func main\(\)/m,
    /\bif\s+(?:len\((?:os\.Args\)\s*(?:<\s*[2-9]|<=\s*[1-9]|==\s*1|!=\s*[2-9])|flag\.Args\(\)\)\s*(?:<\s*[1-9]|==\s*0|!=\s*[1-9]))|flag\.NArg\(\)\s*(?:<\s*[1-9]|==\s*0|!=\s*[1-9]))(?=\s*\{)/g
  )
}

/** A positional of `argparse` that may not be left out. */
const positional = /\.add_argument\(\s*["'][a-z][\w-]*["']([^()]{0,300})\)/gi

const ofPython: Reading = (text) => {
  if (/\.add_subparsers\([^()]{0,300}\brequired\s*=\s*True/.test(text)) return "command"
  if (/\bno_args_is_help\s*=\s*True/.test(text) && /\bTyper\(/.test(text)) return "command"
  if (/\badd_subparsers\(/.test(text)) {
    const isHelped =
      /\bif not (?:hasattr\(\w+,|\w+\.(?:\w*command|cmd|func|action|subparser\w*)\b)|\.(?:\w*command|cmd|func) is None\b/g
    return leavesAfter(text, isHelped) ? "command" : ""
  }
  if (/@click\.group\(|^@(?:\w+\.)?group\(/m.test(text))
    return /\binvoke_without_command\s*=\s*True/.test(text) ? "" : "command"
  const isGiven = [...text.matchAll(positional)].some(
    ([, rest = ""]) => !/\bnargs\s*=\s*["'][?*]|\bdefault\s*=/.test(rest)
  )
  if (isGiven && /\.parse_(?:known_)?args\(/.test(text)) return "arguments"
  return leavesAfter(text, /^(?: {0,4}|\t?)if\s+\(?len\(sys\.argv\)\s*(?:<\s*[2-9]|<=\s*[1-9]|==\s*1|!=\s*[2-9])/gm)
    ? "arguments"
    : ""
}

/** What it does where it was given nothing: what a test of its arguments says, a command that is the usual one, or an action. */
const actsAlone = (text: string): boolean => {
  const before = text.slice(0, text.search(/\.command\s*\(/))
  return (
    /\.(?:action|arguments?)\s*\(/.test(before) ||
    /^\s{0,4}program\s{0,9}\.(?:action|arguments?)\s*\(|\bisDefault\s*:\s*true|\.command\s*\(\s*["'`]\*/m.test(text) ||
    (/\b(?:argv(?:\.slice\(2\))?|args)\.length\b/.test(text) && !/\.(?:help|outputHelp)\(/.test(text))
  )
}

/** A program of Commander that has commands and does nothing by itself prints its help. */
const ofCommander: Reading = (text) => {
  const isProgram = /["']commander["']/.test(text) && /\.parse(?:Async)?\s*\(/.test(text)
  return isProgram && /\.command\s*\(\s*["'`]\w/.test(text) && !actsAlone(text) ? "command" : ""
}

const ofNode: Reading = (text) => {
  if (/\.demandCommand\((?:\)|[1-9])/.test(text)) return "command"
  const asked = ofCommander(text)
  if (asked !== "") return asked
  return leavesMain(
    `{\n${text}`,
    /^\{/,
    /^if\s*\(\s*(?:process\.argv\.length\s*(?:<\s*[3-9]|<=\s*[2-9]|={2,3}\s*2|!={1,2}\s*[3-9])|!\s*process\.argv\.slice\(2\)\.length)\s*\)/gm
  )
}

const ofJava: Reading = (text) =>
  leavesMain(text, /\bstatic void main\s*\(/, /\bif\s*\(\s*arg[sv]?\.length\s*(?:<\s*[1-9]|==\s*0|!=\s*[1-9])\s*\)/g)

const ofRuby: Reading = (text) =>
  leavesAfter(text, /^ {0,4}if\s+ARGV\.(?:empty\?|(?:length|size|count)\s*(?:<\s*[1-9]|==\s*0|!=\s*[1-9]))/gm)
    ? "arguments"
    : ""

const readings: Readonly<Record<string, Reading>> = {
  c: ofC,
  cpp: ofC,
  rust: ofRust,
  go: ofGo,
  python: ofPython,
  javascript: ofNode,
  typescript: ofNode,
  java: ofJava,
  ruby: ofRuby
}

/** What the program of a file must be given so that it does more than to explain itself. */
export const askedArguments = ({ role, language, text }: SourceFile): Asked =>
  role === "source" ? (readings[language]?.(text) ?? "") : ""
