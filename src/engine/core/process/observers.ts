import type { Observed } from "../../discovery/Observed.ts"
import { askedArguments } from "../../discovery/observers/askedArguments.ts"
import { commandSites } from "../../discovery/observers/commands/commandSites.ts"
import { definedModels } from "../../discovery/observers/definedModels.ts"
import { entitiesOf } from "../../discovery/observers/domain.ts"
import { exportsAlone } from "../../discovery/observers/exportsAlone.ts"
import { languageName } from "../../discovery/observers/languageName.ts"
import { localsWithFields } from "../../discovery/observers/locals.ts"
import { loopsIn } from "../../discovery/observers/loops.ts"
import { calleesOf, definitionsOf, importsOf } from "../../discovery/observers/outline.ts"
import { proseIn } from "../../discovery/observers/prose.ts"
import { reasonsOf } from "../../discovery/observers/reasons.ts"
import { comparedRoutes } from "../../discovery/observers/routes/comparedRoutes.ts"
import { textRoutes } from "../../discovery/observers/routes/textRoutes.ts"
import { observedRoutes, sitesOf } from "../../discovery/observers/sites.ts"
import { statesOf } from "../../discovery/observers/states/states.ts"
import { transitionsOf } from "../../discovery/observers/states/transitions.ts"
import { storesOf } from "../../discovery/observers/stores.ts"
import { styleOf } from "../../discovery/observers/style.ts"
import { textImports } from "../../discovery/observers/textImports.ts"
import { hasTypesInText, textOutline } from "../../discovery/observers/textOutline.ts"
import { wholeText } from "../../discovery/observers/texts.ts"
import { namesUsed } from "../../discovery/observers/types.ts"
import { mentionsIn, variablesOf } from "../../discovery/observers/variables.ts"
import { writesOf } from "../../discovery/observers/writes.ts"
import type { SourceFile } from "../files/SourceFile.ts"
import { type AuditTool, auditTool } from "../tool/AuditTool.ts"

const withSyntax = /^(?:typescript|tsx|javascript|python|go|java|ruby|php|csharp|rust|c|cpp)$/
/** Their types are read from the text. */
const withTypes = /^(?:kotlin|scala|swift)$/
const withSites = /^(?!c$|cpp$)/

const isDocument = ({ path, language, role }: SourceFile): boolean =>
  language === "markdown" ||
  role === "docs" ||
  language === "yaml" ||
  /(?:^|\/)\.env\.(?:example|sample|template)$|(?:^|\/)readme/i.test(path)

const starts: Readonly<Record<string, RegExp>> = {
  python: /^if __name__ == ["']__main__["']/m,
  go: /^func main\(\)/m,
  java: /public static void main\(/,
  csharp: /static (?:async )?(?:void|int|Task(?:<int>)?) Main\(/,
  rust: /^(?:pub )?(?:async )?fn main\(\)/m,
  shell: /^(?!)/,
  c: /^(?:(?:[A-Z_]+[ \t]+)?(?:int|void)\s+)?main\s*\(/m,
  cpp: /^(?:[A-Z_]+[ \t]+)?(?:int|void|auto)\s+main\s*\(/m,
  kotlin: /^[ \t]*(?:suspend )?fun main\(/m,
  scala: /^object \w+ extends (?:App|IOApp|ZIOAppDefault)\b|\bdef main\(\s*\w+\s*:\s*Array\[String\]/m,
  Vala: /^[ \t]*(?:public )?(?:static )?(?:int|void)[ \t]+main[ \t]*\(/m,
  Pascal: /^[ \t]*program[ \t]+\w+[ \t]*(?:\([^)\n]{0,80}\))?[ \t]*;/im,
  Haskell: /^main\s*::\s*IO\b/m,
  Erlang: /^-behaviou?r\(\s*application\s*\)/m,
  Elixir: /^[ \t]*use Application$/m,
  // Any module may do something when it is loaded; one that starts the program says so by what it calls.
  OCaml:
    /^let (?:\(\)|_)\s*=\s*(?:(?:exit|at_exit|Printexc\.(?:print|catch)|ignore|Unix\.handle_unix_error)\s{1,8}\(?\s*)?(?:match\s+|try\s+)?\(?(?:[A-Z]\w*\.){0,3}(?:main|run_main|start|eval\w*)\b|^let (?:\(\)|_)\s*=\s*(?:Arg\.parse|Lwt_main\.run|Command(?:_unix)?\.run|(?:Lwt\.)?Cmd\.\w+|exit\b)/m
}

/** In C a file may bring a program that tries it, behind a condition or in a comment. */
const isTried = (file: SourceFile, at: number): boolean => {
  if (!/^(?:c|cpp)$/.test(file.language)) return false
  const before = `\n${file.text.slice(Math.max(0, at - 4_000), at)}`
  const condition = before.slice(Math.max(0, before.lastIndexOf("\n#if"), before.lastIndexOf("\n#endif")))
  return (
    before.lastIndexOf("/*") > before.lastIndexOf("*/") ||
    /^\n#if(?:def)?\s+(?:0\b|.{0,40}(?:TEST|DEMO|STANDALONE|EXAMPLE))/.test(condition)
  )
}

/** Line at which a file says what runs when it is started; 0 when it does not. */
/** Left out of every build: `go run` is given such a file by its name. */
const isLeftOut = /^\/\/(?:go:build| ?\+build) (?:ignore|tools?|mage|generate|scripts?)\b/m

const isEntry = (file: SourceFile): number => {
  // What a header brings is compiled into each file that includes it.
  if (/^(?:c|cpp)$/.test(file.language) && /\.h\w{0,2}$/.test(file.path)) return 0
  if (file.language === "go" && isLeftOut.test(file.text.slice(0, 2_000))) return 0
  // Modules of Rust have functions of that name, too.
  if (file.language === "rust" && !/(?:^|\/)main\.rs$|(?:^|\/)bin\/[^/]+\.rs$/.test(file.path)) return 0
  if (file.role !== "source" || (file.language === "go" && !/^package main\b/m.test(file.text))) return 0
  const at = file.text.search(
    starts[file.language] ??
      starts[languageName(file) ?? ""] ??
      /^#!(?=[^\n]*(?:node|deno|bun|ruby|php|perl|lua|escript|tclsh|Rscript))/
  )
  return at < 0 || isTried(file, at) ? 0 : file.line(at)
}

/** Line of the first `//go:generate`; 0 without one. */
const generatesAt = (file: SourceFile): number => {
  const at = file.language === "go" ? file.text.search(/^\/\/go:generate\s/m) : -1
  return at < 0 ? 0 : file.line(at)
}

const lintOfClippy = /^#!\[(?:cfg_attr\([^,\n]{1,80},\s*)?(?:warn|deny|forbid)\([\w:,\s]{0,400}?\bclippy::/m

/** Line of the first attribute that has Clippy look at the crate; 0 without one. */
const lintsAt = (file: SourceFile): number => {
  const at = file.language === "rust" && file.role === "source" ? file.text.search(lintOfClippy) : -1
  return at < 0 ? 0 : file.line(at)
}

/** Commands are read of languages that are not parsed as well. */
const placesIn = (file: SourceFile, isCode: boolean): Observed["sites"] => [
  ...(isCode && withSites.test(file.language) ? sitesOf(file) : []),
  ...(isCode || languageName(file) !== null ? commandSites(file) : [])
]

const routesIn = (file: SourceFile, isCode: boolean): Observed["routes"] =>
  isCode && withSites.test(file.language) ? observedRoutes(file) : [...textRoutes(file), ...comparedRoutes(file)]

const observe = (file: SourceFile): Observed => {
  const isCode = withSyntax.test(file.language) && (file.role === "source" || file.role === "test")
  const definitions = isCode ? definitionsOf(file) : []
  const outline = isCode ? [] : textOutline(file)
  const entities = entitiesOf(file, isCode ? definitions : outline)
  const tables = [
    ...entities.filter(({ as }) => as === "SQL table" || as.endsWith("Modello model")),
    ...definedModels(file).map(({ entity: { name }, bodyLine }) => ({ name, line: bodyLine }))
  ]
  return {
    definitions,
    outline,
    imports: isCode ? importsOf(file) : textImports(file),
    calls: isCode ? calleesOf(file) : [],
    sites: placesIn(file, isCode),
    routes: file.role === "source" ? routesIn(file, isCode) : [],
    variables: variablesOf(file),
    entities,
    locals: localsWithFields(file),
    loops: loopsIn(file),
    states: statesOf(file, definitions, tables),
    transitions: transitionsOf(file, definitions),
    style: isCode && withSites.test(file.language) && file.role === "source" ? styleOf(file) : null,
    text: wholeText(file),
    prose: proseIn(file),
    names:
      (isCode || hasTypesInText(file) || withTypes.test(file.language)) && file.role === "source"
        ? namesUsed(file)
        : "",
    mentions: isDocument(file) ? mentionsIn(file.text) : [],
    isEntryPoint: isEntry(file),
    generates: generatesAt(file),
    lints: lintsAt(file),
    exportsAlone: exportsAlone(file),
    asks: askedArguments(file),
    writes: writesOf(file),
    stores: storesOf(file),
    reasons: reasonsOf(file)
  }
}

/** What is empty need not cross threads. */
const compacted = (observed: Observed): Partial<Observed> =>
  Object.fromEntries(
    Object.entries(observed).filter(([, value]) =>
      Array.isArray(value) ? value.length > 0 : value !== null && value !== 0 && value !== ""
    )
  )

/** One observer over every file; an observer is a tool that returns facts and reports nothing. */
export const tools: ReadonlyArray<AuditTool> = [
  auditTool({
    id: "discovery",
    suite: "full",
    kind: "advisory",
    domain: "code_quality",
    category: "maintainability",
    priority: "P3",
    version: 2,
    rules: {},
    appliesTo: ({ role }) => role !== "vendored" && role !== "minified",
    inspect: (file) => compacted(observe(file))
  })
]
