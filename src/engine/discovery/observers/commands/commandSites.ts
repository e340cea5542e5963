import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Site } from "../../Observed.ts"
import { listedCommands } from "./listedCommands.ts"
import { loadedFolders } from "./loadedFolders.ts"
import { namedEntries } from "./namedEntries.ts"

const MAX_SITES = 100

interface CommandStyle {
  readonly languages: RegExp
  /** Of a language whose code is not read, by the names of files. */
  readonly files?: RegExp
  /** Stands in every file that declares commands this way. */
  readonly needs: RegExp
  readonly pattern: RegExp
  readonly shape: string
}

/** A goal of a Maven plugin, which users call by its name. */
export const goalShape = "Maven goal (`@Mojo`)"

const ARGPARSE = "argparse sub-command"

const script = /^(?:typescript|tsx|javascript)$/

/** How a sub-command of a program is declared; the first group, where there is one, is its name. */
const declared: ReadonlyArray<CommandStyle> = [
  {
    languages: /^go$/,
    needs: /spf13\/cobra/,
    pattern: /&cobra\.Command\{\s*(?:Use:\s*"([\w-]+))?/g,
    shape: "cobra command"
  },
  {
    languages: /^go$/,
    needs: /urfave\/cli/,
    pattern: /&?cli\.Command\{\s*(?:Name:\s*"([\w-]+))/g,
    shape: "urfave/cli command"
  },
  {
    languages: /^go$/,
    needs: /alecthomas\/kingpin/,
    pattern: /\b\w+\.Command\(\s*"([\w-]+)"\s*,/g,
    shape: "kingpin command"
  },
  {
    languages: /^ruby$/,
    needs: /\bCri::Command\b/,
    pattern: /Cri::Command\.(?:define|new_basic_command)\b[^\n]*\n\s*name\s+["']([\w-]+)/g,
    shape: "Cri command"
  },
  {
    languages: /^python$/,
    needs: /\b(?:click|typer)\b/,
    pattern: /^@[\w.]*\b(?:command|group)\((?:\s*(?:name\s*=\s*)?["']([\w-]+))?/gm,
    shape: "click command"
  },
  {
    languages: /^python$/,
    needs: /\bdiscord\b|\bnextcord\b|\bdisnake\b/,
    pattern: /^[ \t]*@[\w.]*\b(?:command|hybrid_command|slash_command)\((?:\s*(?:name\s*=\s*)?["']([\w-]+))?/gm,
    shape: "command of a bot"
  },
  {
    languages: /^python$/,
    needs: /\btelegram\b/,
    pattern: /\bCommandHandler\(\s*(?:command\s*=\s*)?["'](\w+)["']/g,
    shape: "`CommandHandler(…)`"
  },
  {
    languages: /^(?!)/,
    files: /\.ml$/,
    needs: /\b[cC]mdliner\b|\bCmd\.v\b|\bTerm\./,
    pattern:
      /(?<![\w'])(?:Cmd\.|Term\.|Cmdliner\.Cmd\.)?(?:\w{1,20}_)?info\s+(?:~\w{1,20}\s{1,4}){0,2}"([a-z][\w-]*)"/g,
    shape: "command of cmdliner"
  },
  {
    languages: /^python$/,
    needs: /argparse|add_subparsers/,
    pattern: /\.add_parser\(\s*["']([\w-]+)/g,
    shape: ARGPARSE
  },
  {
    languages: /^python$/,
    needs: /django\.core\.management/,
    pattern: /^class (Command)\(\s*\w*Command\w*/gm,
    shape: "Django management command"
  },
  {
    languages: script,
    needs: /\b(?:commander|yargs|cac|sade|caporal)\b/,
    pattern: /\.command\(\s*["'`]([\w:-]+)/g,
    shape: "`.command(…)`"
  },
  {
    languages: script,
    needs: /\byargs\b|\bexports\.builder\b|\bexport const builder\b/,
    pattern: /^[ \t]*(?:(?:module\.)?exports\.|export const )?command\s*[:=]\s*\[?\s*["'`](?!\$)([\w:-]+)/gm,
    shape: "command of yargs"
  },
  {
    languages: script,
    needs: /@oclif\/core|@oclif\/command/,
    pattern: /class (\w+) extends \w*Command\b/g,
    shape: "oclif command"
  },
  {
    languages: script,
    needs: /@effect\/cli/,
    pattern: /\bCommand\.make\(\s*["'`]([\w-]+)/g,
    shape: "`Command.make(…)`"
  },
  {
    languages: /^ruby$/,
    needs: /<\s*(?:Thor|\w*Base\w*)|\bThor\b/,
    pattern: /^[ \t]+desc\s+["']([\w-]+)/gm,
    shape: "Thor command"
  },
  {
    languages: /^php$/,
    needs: /Symfony\\Component\\Console|Illuminate\\Console|extends \w*Command\b/,
    pattern: /^(?:final\s+)?class (\w+) extends \\?(?:\w+\\)*\w*Command\b/gm,
    shape: "console command"
  },
  {
    languages: /^java$/,
    needs: /picocli/,
    pattern: /@(?:CommandLine\.)?Command\((?:[^()"]|"[^"\n]{0,200}"){0,300}?\bname\s*=\s*"([\w-]+)/g,
    shape: "picocli command"
  },
  {
    languages: /^java$/,
    needs: /com\.beust\.jcommander/,
    pattern: /@Parameters\((?:[^()"]|"[^"\n]{0,200}"){0,300}?\bcommandNames\s*=\s*\{?\s*"([\w-]+)/g,
    shape: "JCommander command"
  },
  {
    languages: /^java$/,
    needs: /org\.apache\.maven\.plugins\.annotations/,
    pattern: /@Mojo\((?:[^()"]|"[^"\n]{0,200}"){0,300}?\bname\s*=\s*"([\w-]+)/g,
    shape: goalShape
  },
  {
    languages: /^rust$/,
    needs: /\bclap\b/,
    pattern: /\.subcommand\(\s*(?:clap::)?(?:Command::new|SubCommand::with_name|App::new)\(\s*"([\w-]+)/g,
    shape: "clap sub-command"
  },
  {
    languages: /^python$/,
    needs: /\bcmd\.Cmd\b|\bimport Cmd\b|\bcmd2\b/,
    pattern: /^[ \t]+def do_(\w+)\(self\b/gm,
    shape: "`do_…` method"
  },
  {
    languages: /^csharp$/,
    needs: /System\.CommandLine|CommandLine;/,
    pattern: /\bnew Command\(\s*"([\w-]+)|\[Verb\("([\w-]+)/g,
    shape: "command"
  }
]

/** A function for each command, by its name alone: so many in one file are no coincidence. */
const named: ReadonlyArray<CommandStyle> = [
  {
    languages: /^python$/,
    needs: /def c/,
    pattern: /^[ \t]*(?:async )?def ((?:cmd|command)_\w+)\(/gm,
    shape: "function"
  },
  {
    languages: /^(?:c|cpp)$/,
    needs: /\bcmd_/,
    pattern: /^(?:static[ \t]+)?(?:int|void|bool|gboolean)\s+(cmd_\w+)[ \t]*\([^;{}]{1,200}\)\s*\{/gm,
    shape: "function"
  },
  {
    languages: /^shell$/,
    needs: /(?:cmd|command)_/,
    pattern: /^(?:function[ \t]+)?((?:cmd|command)_\w+)[ \t]*\(\)/gm,
    shape: "function"
  }
]
const MIN_NAMED = 4

const namedCommands = (file: SourceFile): ReadonlyArray<Site> =>
  named.flatMap((style) => {
    const sites = sitesOfStyle(file, "command", style)
    return sites.length < MIN_NAMED ? [] : sites
  })

const derivesCommands = /#\[derive\([^)\n]{0,120}\b(?:Subcommand|Parser|StructOpt)\b[^)\n]{0,120}\)\]/g
const MAX_VARIANT_LINES = 400

/** Of clap every variant of an enumeration that is parsed from the command line is a command. */
const clapCommands = (file: SourceFile): ReadonlyArray<Site> => {
  if (file.language !== "rust" || !/\b(?:clap|structopt)\b/.test(file.text)) return []
  return [...file.text.matchAll(derivesCommands)].flatMap((match) => {
    const from = file.line(match.index)
    const sites: Array<Site> = []
    let name: string | undefined
    let indent = -1
    for (let line = from + 1; line <= Math.min(file.lineCount, from + MAX_VARIANT_LINES); line++) {
      const text = file.lineText(line)
      name ??= /\benum\s+(\w+)/.exec(text)?.[1]
      const at = text.search(/\S/)
      const isOver = name === undefined ? /\bstruct\b/.test(text) : /^\s*\}/.test(text) && (indent < 0 || at < indent)
      if (isOver) break
      const variant = /^\s+([A-Z]\w*)\s*(?:[,({]|$)/.exec(text)?.[1]
      if (name === undefined || variant === undefined || (indent >= 0 && at !== indent)) continue
      indent = at
      sites.push({ kind: "command", shape: `variant of \`${name}\` (clap)`, line, end: line, symbol: variant })
    }
    return sites
  })
}

/** Where a command is made known to the program. */
const registered: ReadonlyArray<CommandStyle> = [
  {
    languages: /^go$/,
    needs: /AddCommand\(|cobra/,
    pattern: /(?:\.AddCommand|(?<!func )\baddCommand)\(/g,
    shape: "AddCommand"
  },
  { languages: /^python$/, needs: /click|typer/, pattern: /\.add_command\(/g, shape: "add_command" },
  { languages: /^python$/, needs: /typer/, pattern: /\.add_typer\(/g, shape: "add_typer" },
  {
    languages: /^python$/,
    needs: /argparse|sub_?parsers/,
    pattern: /(?<!def )\b\w+\.?\w*\(\s*(?:self\.)?_?sub_?(?:parsers?|commands?)\s*[,)]/g,
    shape: "subparsers"
  },
  { languages: /^ruby$/, needs: /\bcri\b/i, pattern: /\.add_command\(/g, shape: "add_command" },
  { languages: script, needs: /commander/, pattern: /\.addCommand\(/g, shape: "addCommand" },
  {
    languages: script,
    needs: /commander/,
    pattern:
      /\brequire\([^()\n]{1,80}\)(?:\.\w+)?\(\s*program\b|(?<!function )\b(?:\w+\.)?\w*(?:[cC]ommand|register)\w*\(\s*program\s*[,)]/g,
    shape: "program"
  },
  {
    languages: script,
    needs: /\byargs\b/,
    pattern: /\.command\(\s*(?:require\(|[a-zA-Z_$][\w$.]{0,60}\s*(?:\(\))?\s*\))/g,
    shape: "command"
  },
  { languages: /^rust$/, needs: /\bclap\b/, pattern: /\.subcommand\(\s*(?:\w+::){1,4}\w+\(\)/g, shape: "subcommand" },
  { languages: script, needs: /@effect\/cli/, pattern: /Command\.withSubcommands\(/g, shape: "withSubcommands" }
]

const MAX_ARGUMENTS = 6_000

/** Lines of a call, where it is written over several with a command on each. */
const linesOfCall = (file: SourceFile, from: number): ReadonlyArray<number> => {
  const start = file.text.indexOf("(", from)
  const text = file.text.slice(start, start + MAX_ARGUMENTS)
  const lines: Array<number> = []
  let depth = 0
  let isFirst = false
  for (let at = 0; at < text.length; at++) {
    const one = text[at]!
    if (one === "\n") isFirst = true
    if (/\s/.test(one)) continue
    // A keyword of Python says how, not what.
    if (isFirst && depth === 1 && /^[A-Za-z_](?!\w{0,40}\s*=)/.test(text.slice(at, at + 60)))
      lines.push(file.line(start + at))
    isFirst = false
    if (/[([{]/.test(one)) depth++
    else if (/[)\]}]/.test(one) && --depth === 0) break
  }
  return lines.length > 1 ? lines : [file.line(start)]
}

const listsOfStyle = (file: SourceFile, style: CommandStyle): ReadonlyArray<Site> =>
  !style.languages.test(file.language) || !style.needs.test(file.text)
    ? []
    : [...file.text.matchAll(style.pattern)].flatMap((match): ReadonlyArray<Site> => {
        const start = match.index + match[0].search(/\S/)
        if (isComment(file.lineText(file.line(start)))) return []
        return linesOfCall(file, start).map((line) => ({
          kind: "command_list",
          shape: style.shape,
          line,
          end: line,
          symbol: null
        }))
      })

const isComment = (line: string): boolean => /^\s*(?:\/\/|\*|#(?!\[))/.test(line)

const sitesOfStyle = (file: SourceFile, kind: Site["kind"], style: CommandStyle): ReadonlyArray<Site> =>
  !(style.files?.test(file.path) ?? style.languages.test(file.language)) || !style.needs.test(file.text)
    ? []
    : [...file.text.matchAll(style.pattern)].flatMap((match) => {
        const line = file.line(match.index + match[0].search(/\S/))
        const symbol = match.slice(1).find((name) => name !== undefined) ?? null
        return isComment(file.lineText(line)) ? [] : [{ kind, shape: style.shape, line, end: line, symbol }]
      })

/** What a function of one command distinguishes are the commands of that command only. */
const outsideOf = (functions: ReadonlyArray<Site>, listed: ReadonlyArray<Site>): ReadonlyArray<Site> => {
  const first = functions[0]?.line
  return first === undefined ? listed : listed.filter(({ line }) => line < first)
}

/** A loop declares the commands of the program by names from elsewhere; those that are written out are parts of one of them. */
const areDeclaredInLoop = (file: SourceFile): boolean =>
  [...file.text.matchAll(/\.add_parser\(\s{0,20}[a-z_]\w{0,40}\s{0,20}[,)]/g)].slice(0, MAX_SITES).some(({ index }) => {
    const line = file.line(index)
    return [1, 2, 3].some((before) => line > before && /^[ \t]*for\s/.test(file.lineText(line - before)))
  })

const outsideOfLoops = (file: SourceFile, sites: ReadonlyArray<Site>): ReadonlyArray<Site> =>
  sites.some(({ shape }) => shape === ARGPARSE) && areDeclaredInLoop(file)
    ? sites.filter(({ shape }) => shape !== ARGPARSE)
    : sites

/** Sub-commands of a program, and where they are listed. */
export const commandSites = (file: SourceFile): ReadonlyArray<Site> => {
  if (file.role !== "source") return []
  const named = namedCommands(file)
  return [
    ...outsideOfLoops(
      file,
      declared.flatMap((style) => sitesOfStyle(file, "command", style))
    ),
    ...clapCommands(file),
    ...named,
    ...registered.flatMap((style) => listsOfStyle(file, style)),
    ...outsideOf(named, listedCommands(file)),
    ...loadedFolders(file),
    ...namedEntries(file)
  ].slice(0, MAX_SITES)
}
