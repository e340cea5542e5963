import { addTo } from "../../../core/collections/lists.ts"
import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Site } from "../../Observed.ts"
import { dispatchTables } from "./dispatchTables.ts"
import { loadedCommands } from "./loadedCommands.ts"
import { pointerTables } from "./pointerTables.ts"
import { readWords } from "./readWords.ts"
import { typedAlone } from "./typedAlone.ts"
import { typedMaps } from "./typedMaps.ts"

/** What a table of commands is called where it begins: `static const Command commands[] = {`, `COMMANDS = {`. Bounded, for lines of spaces. */
const tableHead =
  /^[ \t]{0,40}(?:[\w*<>[\]:,. ]{1,80}[ *])?[$%@]?(?:\w{1,40}::)?(\w{0,40}(?:commands?|cmds?|builtins?|dispatch(?:er)?|soap_?methods)(?:_?(?:table|tbl|map|list|handlers?|a|t))?)(?:\[\w*\])?[ \t]*(?::[^=\n]{1,60})?:?=[ \t]*(?:\n[ \t]*(?=\{))?(?:map\[string\][\w.*]+(?:\([^)\n]*\)[\w. ]*)?|new Map\()?[[{(][ \t]*(?:\/\/.*|#.*)?$|^(?:static\s|const\s|struct\s)[\w \t*]{1,60}?[ *](\w{0,40}(?:commands?|cmds?)(?:_?(?:table|list))?)\[\w*\][ \t]*=\s*\{[ \t]*$/gim

/** A row names a command and what does it: `{ "JOIN", IRC_JOIN, … }`, `_CMD("JOIN", IRC_JOIN)`, `"join": join`, `"join": {join, …}`, `{ name: "join", … }`; on lines of its own as well. */
const tableRow =
  /^\s*(?:(?:\w+\(|[{[(])\s*["']([A-Za-z][\w-]*)["']\s*,\s*(?:\w+\s*,\s*){0,2}?&?[A-Za-z_][\w.:>-]*\s*[,}\])]|["']?([A-Za-z][\w-]*)["']?\s*(?::|=>)\s*(?:(?:\\?&)?[A-Za-z_][\w.:>-]*|["'][A-Z]\w*["']),?\s*(?:\/\/.*|#.*)?$|[{(]\s*\.?["']?(?:[nN]ame|[cC]md|[cC]ommand|[vV]erb)["']?\s*[:=]\s*["']([A-Za-z][\w-]*)["']\s*,|"([A-Za-z][\w-]*)"\s*:\s*(?:&?[\w.]{1,40})?\{\s*(?:[A-Z]\w*\s*:\s*)?[A-Za-z_][\w.]*\s*,|"([A-Za-z][\w-]*)"\s*,\s*&?[A-Za-z_]\w*\s*,|\.?(?:[nN]ame|[cC]md|[cC]ommand|[vV]erb)\s*[:=]\s*["']([A-Za-z][\w-]*)["']\s*,?\s*$)/

const MIN_ROWS = 4
const MAX_ROWS = 400

const switchHead =
  /^[ \t]*switch[ \t]{0,8}\(?[ \t]{0,8}([\w.$[\]>()-]{0,40}(?:(?:[cC]ommand|[cC]md|[vV]erb)s?(?![a-z])|argv\[[\d]\]|[aA]rgs\[[01]\]|[aA]rg\([01]\))[\w.[\]()]{0,30}?)[ \t]{0,8}\)?\s{0,8}\{/gm

const switchCase = /^\s*case\s+["']([A-Za-z][\w-]+)["'](?:\s*,\s*["'][\w-]+["'])*\s*:/

const MIN_CASES = 3

const typedName = "(?:[cC]ommand|COMMAND|[cC]md|CMD|[vV]erb(?!os))"

const caseHead = new RegExp(
  String.raw`^[ \t]*case[ \t]+(ARGV(?:\.shift|\.first|\[0\])|[@\w.]{0,40}${typedName}\w{0,20})[ \t]*$`,
  "gm"
)

const matchHead = new RegExp(
  String.raw`^[ \t]*match[ \t]+((?:sys\.argv\[1\]|[\w.]{0,40}${typedName}\w{0,20}))[ \t]*:[ \t]*$`,
  "gm"
)

const shellHead = new RegExp(
  String.raw`^[ \t]*case[ \t]+"?\$\{?(1|\w{0,20}(?:${typedName}|[aA]ction|ACTION)\w{0,20})(?:[:,-][^}\n]{0,20})?\}?"?[ \t]+in[ \t]*$`,
  "gm"
)

/** What was typed first, or next, of arguments or of the words of a line. */
const firstWord = String.raw`(?:[\w:]{1,20}\.)?(?:\w{0,20}args?|argv|parts|words|tokens|iter)(?:\.(?:next|first|get|nth)\(\d?\)|\[\d\])`

const armHead = new RegExp(
  String.raw`^[^\n"]{0,60}\bmatch[ \t]+&?([\w.:]{0,40}${typedName}\w{0,20}(?:\(\))?(?:\.as_str\(\))?|${firstWord}(?:\??\.\w{1,20}\([\w.:|&* ]{0,40}\)){0,4})[ \t]*\{[ \t]*$`,
  "gm"
)

/** OCaml, with what was typed in a list, an array or a variable. */
const ocamlHead = new RegExp(
  String.raw`^[^\n"]{0,60}\bmatch[ \t]+(Sys\.argv\.\(1\)|Array\.to_list[ \t]+Sys\.argv|[\w.]{0,40}(?:${typedName}|args|argv)\w{0,20})[ \t]+with[ \t]*$`,
  "gm"
)

/** Erlang and Elixir. */
const ofHead = new RegExp(
  String.raw`^[ \t]*case[ \t]+([\w.]{0,40}(?:${typedName}|[aA]rgs|[aA]rgv)\w{0,20}(?:\(\))?)[ \t]+(?:of|do)[ \t]*$`,
  "gm"
)

interface Listing {
  readonly head: RegExp
  readonly shape: (name: string) => string
  /** The command that a line names. */
  readonly named: (line: string) => string | undefined
  /** Ends the listing where it is indented no further than its head. */
  readonly end: RegExp
  readonly least: number
}

const listings: ReadonlyArray<Listing> = [
  {
    head: tableHead,
    shape: (name) => `row of \`${name}\``,
    named: (line) =>
      tableRow
        .exec(line)
        ?.slice(1)
        .find((name) => name !== undefined),
    end: /^\s*[\]})]/,
    least: MIN_ROWS
  },
  {
    head: switchHead,
    shape: (name) => `case of \`switch (${name})\``,
    named: (line) => switchCase.exec(line)?.[1],
    end: /^\s*\}/,
    least: MIN_CASES
  },
  {
    head: caseHead,
    shape: (name) => `branch of \`case ${name}\``,
    named: (line) => /^\s*when\s+["':]([A-Za-z][\w-]*)/.exec(line)?.[1],
    end: /^\s*end\b/,
    least: MIN_CASES
  },
  {
    head: matchHead,
    shape: (name) => `case of \`match ${name}\``,
    named: (line) => /^\s*case\s+\[?["']([A-Za-z][\w-]*)["']/.exec(line)?.[1],
    end: /\S/,
    least: MIN_CASES
  },
  {
    head: shellHead,
    shape: (name) => `case of \`case $${name} in\``,
    named: (line) => /^\s*\(?["']?([a-z][\w-]*)["']?(?:\s*\|\s*["']?[\w-]+["']?){0,6}\s*\)/.exec(line)?.[1],
    end: /^\s*esac\b/,
    least: MIN_ROWS
  },
  {
    head: armHead,
    shape: (name) => `arm of \`match ${name}\``,
    named: (line) => {
      const [, typed, some] = /^\s*(?:\(?"([a-z][\w-]*)"|(?:Some|Ok)\(\(?"([A-Za-z][\w-]*)")[^\n]*=>/.exec(line) ?? []
      return typed ?? some
    },
    end: /^\s*\}/,
    least: MIN_CASES
  },
  {
    head: ocamlHead,
    shape: (name) => `arm of \`match ${name} with\``,
    named: (line) => /^\s*\|\s*(?:\[|_\s*::\s*)?\s*"([a-z][\w-]*)"/.exec(line)?.[1],
    end: /^\s*(?:let|and|type|module|;;)(?![\w'])/,
    least: MIN_CASES
  },
  {
    head: ofHead,
    shape: (name) => `branch of \`case ${name}\``,
    named: (line) => /^\s*\[?\s*(?:<<)?"([a-z][\w-]*)"(?:>>)?[^\n]*->/.exec(line)?.[1],
    end: /^\s*end\b/,
    least: MIN_CASES
  }
]

/** What every service answers to says nothing of the commands of this one. */
const isOfService = (sites: ReadonlyArray<Site>): boolean =>
  ["start", "stop", "restart"].filter((name) => sites.some(({ symbol }) => symbol === name)).length > 1 &&
  sites.filter(({ symbol }) =>
    /^(?:start|stop|restart|(?:force-)?reload|status|(?:try|cond)[-_]?restart)$/.test(symbol ?? "")
  ).length >=
    sites.length - 1

/** Commands of one listing; those that are indented further than the first are of another one within it. */
const sitesBelow = (file: SourceFile, listing: Listing, name: string, first: number): ReadonlyArray<Site> => {
  const indent = Math.max(0, file.lineText(first).search(/\S/))
  const found: Array<Site> = []
  let depth = -1
  for (let line = first + 1; line <= Math.min(first + MAX_ROWS, file.lineCount); line++) {
    const text = file.lineText(line)
    const at = text.search(/\S/)
    if (listing.end.test(text) && at <= indent) break
    const symbol = listing.named(text)
    if (depth < 0 && symbol !== undefined) depth = at
    if (symbol !== undefined && at === depth)
      found.push({ kind: "command", shape: listing.shape(name), line, end: line, symbol })
  }
  // A field that each row has is no name of a command.
  const isRepeated = 2 * new Set(found.map(({ symbol }) => symbol)).size < found.length
  return found.length >= listing.least && !isRepeated && !isOfService(found) ? found : []
}

const typed = String.raw`([$\w.>-]{0,30}(?:[cC]ommand|[cC]md|argv\[[1-2]\]|args\[[01]\]|\b[vV]erb(?!os))\w{0,12})`
const word = String.raw`(?:["']([A-Za-z][\w-]{0,40})["']|([A-Z][A-Z\d]*_[A-Z\d_]{2,40}))`

/** A branch that asks which word was typed, as each language compares texts. */
const comparisons: ReadonlyArray<RegExp> = [
  String.raw`\bstr(?:case)?n?cmp\(\s*${typed}\s*,\s*${word}`,
  String.raw`${typed}\s*(?:===?|\beq\b)\s*${word}`,
  String.raw`${typed}\.equals(?:IgnoreCase)?\(\s*${word}`,
  String.raw`${word}\.equals(?:IgnoreCase)?\(\s*${typed}\s*\)`
].map((source) => new RegExp(source))

const isBranch = /(?<![\w-])(?:if|elif|elsif|unless)(?![\w-])/
const isElse = /(?<![\w-])(?:elif|elsif|else[ \t]+if)(?![\w-])/
const isNamed = /[cC](?:omman|m)d|argv\[|args\[|[vV]erb(?!os)/

const MIN_BRANCHES = 5
const MAX_FUNCTION = 120
/** So many are enough where each branch but the first begins with "else". */
const MIN_CHAIN = 4

/** The variable and the word that a branch compares it with. */
const comparedIn = (text: string): readonly [variable: string, word: string] | null => {
  if (!isBranch.test(text) || !isNamed.test(text)) return null
  const found = comparisons.map((pattern) => pattern.exec(text)).find((match) => match !== null)
  const parts = found?.slice(1).filter((part) => part !== undefined) ?? []
  const variable = parts.find((part) => isNamed.test(part) && !/^[A-Z\d_]+$/.test(part))
  const named = parts.find((part) => part !== variable)
  return variable === undefined || named === undefined ? null : [variable, named]
}

/** What was typed, under other names, where words begin with a slash as in chats; an address would be called so. */
const slashed =
  /(?<![\w.])((?:[$\w]{1,20}(?:\.|->)){0,2}[$]?(?:name|text|input|line|msg|message|word|content|choice|prompt|head|first|\w{0,20}(?:[cC]ommand|[cC]md|_input|Input)|(?:parts|words|tokens|args|argv)\[[01]\]))\s*(?:===?|\beq\b)\s*["'](\/[a-z][\w-]{0,40})["']/

const shellName = String.raw`\w{0,20}(?:${typedName}|[aA]ction|ACTION)\w{0,12}`
const comparedInShell = new RegExp(
  String.raw`\[\s+"?\$\{?(1|${shellName})\}?"?\s+={1,2}\s+["']?([a-z][\w-]{1,40})["']?\s+\]`
)
const comparedInPerl = /(\$ARGV\[0\]|\$(?:todo|action|operation|what_?to_?do))\s*eq\s*["']([A-Za-z][\w-]{0,40})["']/
const comparedInC = /\bstr(?:case)?cmp\(\s*(argv\[0\])\s*,\s*"([A-Za-z][\w-]{0,40})"/

/** Forms that say less of what is compared; the chain has to say the rest. */
const chainedIn = (text: string, isShell: boolean): readonly [variable: string, word: string] | null => {
  if (!isBranch.test(text)) return null
  const forms = isShell ? [comparedInShell] : [slashed, comparedInPerl, comparedInC]
  const found = forms.map((pattern) => pattern.exec(text)).find((match) => match !== null)
  return found === undefined ? comparedIn(text) : [found[1]!, found[2]!]
}

/** Commands of chains such as `if command == "add"`, `elif command == "list"`, with each word once. */
const chainedCommands = (file: SourceFile): ReadonlyArray<Site> => {
  if (!isElse.test(file.text)) return []
  const chains: Array<Map<string, Site>> = []
  const open = new Map<string, Map<string, Site>>()
  for (let line = 1; line <= file.lineCount; line++) {
    const text = file.lineText(line)
    const compared = chainedIn(text, file.language === "shell")
    if (compared === null) continue
    const [variable, symbol] = compared
    if (!isElse.test(text) || !open.has(variable)) {
      const chain = new Map<string, Site>()
      open.set(variable, chain)
      chains.push(chain)
    }
    const chain = open.get(variable)!
    const shape = `branch over \`${variable}\``
    if (!chain.has(symbol)) chain.set(symbol, { kind: "command", shape, line, end: line, symbol })
  }
  return chains.flatMap((chain) => {
    const sites = [...chain.values()]
    return sites.length < MIN_CHAIN || (file.language === "shell" && isOfService(sites)) ? [] : sites
  })
}

/** Commands that a row of branches distinguishes by the word that was typed. */
const branchedCommands = (file: SourceFile): ReadonlyArray<Site> => {
  if (!isNamed.test(file.text)) return []
  const byVariable = new Map<string, Map<string, Site>>()
  for (let line = 1; line <= file.lineCount; line++) {
    const compared = comparedIn(file.lineText(line))
    if (compared === null) continue
    const [variable, symbol] = compared
    const known = byVariable.get(variable) ?? new Map<string, Site>()
    byVariable.set(variable, known)
    const shape = `branch over \`${variable}\``
    if (!known.has(symbol)) known.set(symbol, { kind: "command", shape, line, end: line, symbol })
  }
  return [...byVariable.values()].flatMap((sites) => (sites.size >= MIN_BRANCHES ? [...sites.values()] : []))
}

/** Branches by either sign, each line once. */
const branched = (file: SourceFile): ReadonlyArray<Site> => {
  const all = branchedCommands(file)
  const known = new Set(all.map(({ line }) => line))
  return [...all, ...chainedCommands(file).filter(({ line }) => !known.has(line))]
}

/** `CMD_ANY("view.add", …)`, `registerCommand("view.add", …)`: what is called says that a command is made known. */
const registering =
  /(?<![\w.])((?:[\w$]{1,30}(?:\.|->|::)){0,3}(?:(?:[a-z]{1,12}_){0,2}(?:[rR]egister|[aA]dd|[dD]efine|[nN]ew_?[sS]ub)_?(?:[cC]ommand|[cC]md)\w{0,12}|[A-Z\d_]{0,20}(?:CMD|COMMAND)[A-Z\d_]{0,20}))[ \t]{0,20}\(\s*["']([A-Za-z][\w.:-]{1,50})["']\s*,/g

/** `CreateCommand(interpreter, "deal", dealCommand, …)`: the name comes after what the command is made known to. */
const registeringWith =
  /(?<![\w.])((?:[\w$]{1,30}(?:\.|->|::)){0,2}\w{0,30}(?:[cC]reate|[rR]egister|[aA]dd|[dD]efine|[nN]ew)\w{0,12}(?:[cC]ommand|[cC]md)\w{0,12})[ \t]{0,8}\(\s{0,20}&?[\w.>-]{1,40}\s{0,20},\s{0,20}"([A-Za-z][\w.:-]{1,50})"\s{0,20},\s{0,20}(?:\([\w *]{1,40}\)\s{0,4})?&?[A-Za-z_]\w{0,60}\s{0,20}[,)]/g

/** After the name of a command comes the function that does it. */
const isWithFunction = (rest: string): boolean =>
  /^\s{0,20}&?(?!true\b|false\b|null\b|nil\b|None\b)[a-z_]\w{2,60}\s{0,20}[,)]/.test(rest)

/** Commands that a call makes known, one after the other, or each of them with its function. */
const registeredCommands = (file: SourceFile, rows: ReadonlySet<number>): ReadonlyArray<Site> => {
  const byCall = new Map<string, Array<Site>>()
  const named = new Set<string>()
  for (const match of [...file.text.matchAll(registering), ...file.text.matchAll(registeringWith)]) {
    const [whole, call, symbol] = match
    const end = match.index + whole.length
    if (/^[a-z]/.test(call!) && isWithFunction(file.text.slice(end, end + MAX_FUNCTION))) named.add(call!)
    const line = file.line(match.index)
    // A row of a table may be written by a macro.
    if (rows.has(line) || /^\s*(?:\/\/|\*|#|--)/.test(file.lineText(line))) continue
    addTo(byCall, call!, { kind: "command", shape: `call of \`${call}\``, line, end: line, symbol: symbol! })
  }
  return [...byCall].flatMap(([call, sites]) => (sites.length >= MIN_BRANCHES || named.has(call) ? sites : []))
}

/** A clause of a function that takes the word that was typed first: `main(["add" | Rest]) ->`, `def run(["add" | rest])`, `| "add" :: rest ->`. */
const clause =
  /^[ \t]*(?:defp?[ \t]+)?((?:main|run|start|parse|process|handle|execute|dispatch|do)(?:_?(?:command|cmd|args?|argv|main))?|command|cmd|cli)\(\s*\[?\s*(?:<<)?"([a-z][\w-]{0,40})"(?:>>)?[^\n]*(?:->|\bdo\b|,[ \t]*do:)/gm

/** Commands that clauses of one function distinguish, as languages write them that match patterns. */
const clausedCommands = (file: SourceFile): ReadonlyArray<Site> => {
  if (!/\.(?:erl|exs?|escript)$/.test(file.path)) return []
  const byFunction = new Map<string, Array<Site>>()
  for (const match of file.text.matchAll(clause)) {
    const [, name, symbol] = match
    const line = file.line(match.index + match[0].search(/\S/))
    addTo(byFunction, name!, { kind: "command", shape: `clause of \`${name}\``, line, end: line, symbol: symbol! })
  }
  return [...byFunction.values()].flatMap((sites) => {
    const named = new Map(sites.toReversed().map((site) => [site.symbol, site]))
    return named.size < MIN_CASES || isOfService([...named.values()]) ? [] : [...named.values()].toReversed()
  })
}

/** A function that is put into an object of commands under the command's name: `verbs.list = function`, `COMMANDS["list"] = show`. */
const assigned =
  /^[ \t]*(?:(?:module\.)?exports\.|this\.|self\.)?((?:\w{1,20}_?)?(?:[cC]ommands|COMMANDS|[cC]mds|CMDS|[vV]erbs|VERBS|[aA]ctions))(?:\.([a-z]\w{1,40})|\[\s*["']([A-Za-z][\w-]{0,40})["']\s*\])\s*=\s*(?:(?:async\s+)?(?:function\b|\([\w\s,={}]{0,80}\)\s*=>|\w{1,30}\s*=>)|require\(|[a-z_]\w{1,40}\s*;?[ \t]*$)/gm

const assignedCommands = (file: SourceFile): ReadonlyArray<Site> => {
  const byObject = new Map<string, Array<Site>>()
  for (const match of file.text.matchAll(assigned)) {
    const [, object, dotted, quoted] = match
    const line = file.line(match.index + match[0].search(/\S/))
    const site = { kind: "command" as const, shape: `function in \`${object}\``, line, end: line }
    addTo(byObject, object!, { ...site, symbol: (dotted ?? quoted)! })
  }
  return [...byObject.values()].flatMap((sites) => (sites.length >= MIN_ROWS ? sites : []))
}

const listedIn = (file: SourceFile): ReadonlyArray<Site> =>
  listings.flatMap((listing) =>
    [...file.text.matchAll(listing.head)].flatMap((head) => {
      const name = head.slice(1).find((one) => one !== undefined)!
      return sitesBelow(file, listing, name, file.line(head.index + head[0].trimEnd().length - 1))
    })
  )

/** Scripts that Autotools copy into every program. */
const isOfAutotools =
  /(?:^|\/)(?:missing|compile|depcomp|install-sh|ltmain\.sh|config\.(?:guess|sub|status)|configure|libtool|test-driver|ylwrap|ar-lib|py-compile|mkinstalldirs|autogen\.sh)$/

/** Commands that are rows of a table, calls that register them, cases of a `switch`, or branches, over the word that was typed. */
export const listedCommands = (file: SourceFile): ReadonlyArray<Site> => {
  if (isOfAutotools.test(file.path)) return []
  const listed = listedIn(file)
  const rows = new Set(listed.map(({ line }) => line))
  const dispatched = [...dispatchTables(file), ...typedMaps(file), ...pointerTables(file)].filter(
    ({ line }) => !rows.has(line)
  )
  const branches = branched(file)
  const known = new Set(branches.map(({ line }) => line))
  const read = readWords(file).filter(({ line }) => !known.has(line))
  return [
    ...typedAlone(file, [...listed, ...dispatched, ...branches, ...read]),
    ...clausedCommands(file),
    ...assignedCommands(file),
    ...loadedCommands(file),
    ...registeredCommands(file, rows)
  ]
}
