import { programLanguage } from "../../core/files/programLanguage.ts"
import { baseName, directoryOf, joined } from "../../core/text/paths.ts"
import { startedNames } from "../commands/programs/builtPrograms.ts"
import { gemPrograms } from "../commands/programs/gemPrograms.ts"
import { isForContributors, ownProgramsOf } from "../commands/programs/ownPrograms.ts"
import { productNames } from "../commands/programs/productNames.ts"
import { consoleScripts, installedScripts, scriptLines, sectionsOf } from "../commands/python.ts"
import { at, code, type Item } from "../Draft.ts"
import { clip, type Definition, type ObservedFile } from "../Observed.ts"
import { unitsOf } from "../profile/manifests.ts"
import type { Survey } from "../Survey.ts"
import { buildScripts } from "./buildScripts.ts"
import { fromBuilds, fromErlang, fromPerl } from "./builtEntries.ts"
import { fromAutomake, mavenGoals } from "./declaredPrograms.ts"
import type { EntryPoint } from "./EntryPoint.ts"
import { kernelModules } from "./kernelEntries.ts"
import { mainClasses } from "./mainClasses.ts"
import { isOfBuild, isOfHelpers, isSecondary } from "./mainLanguages.ts"
import { fromOcaml } from "./ocamlEntries.ts"
import { fromPackages } from "./packageEntries.ts"
import { pageItems } from "./pages.ts"
import { routeFiles } from "./routeFiles.ts"
import { emberApplications, startedByScript, startedFiles } from "./startedFiles.ts"
import { statedOrder } from "./statedOrder.ts"

const MAX_ENTRIES = 20

/** A path as a manifest of the folder writes it. */
const writtenIn = (folder: string, path: string): string => joined(folder, path.replace(/^\.\//, ""))

const sources = (survey: Survey, pattern: RegExp) => survey.sourceTexts(pattern).slice(0, 40)

/** Where a module declares a name itself; a method of one of its types may have the same. */
const functionLine = (definitions: ReadonlyArray<Definition>, name: string): number => {
  const types = definitions.filter(({ kind }) => kind === "type")
  const isWithin = (line: number) => types.some((type) => type.line < line && line <= type.end)
  const all = definitions.filter((one) => one.name === name)
  return (all.find(({ line }) => !isWithin(line)) ?? all[0])?.line ?? 1
}

/** `shop.cli:main` is a function of `shop/cli.py`, below `src` or not. */
const pythonTarget = (survey: Survey, folder: string, target: string): EntryPoint | null => {
  const [module = "", name = ""] = target.split(":")
  const path = module.replaceAll(".", "/")
  const found = ["", "src/"]
    .flatMap((root) => [`${root}${path}.py`, `${root}${path}/__init__.py`])
    .map((one) => writtenIn(folder, one))
    .find((one) => survey.has(one))
  if (found === undefined) return null
  return { file_path: found, line: functionLine(survey.file(found)?.definitions ?? [], name.split(".")[0]!), why: "" }
}

const fromPython = (survey: Survey): ReadonlyArray<EntryPoint> =>
  sources(survey, /(?:^|\/)(?:pyproject\.toml|setup\.(?:cfg|py))$/).flatMap(({ path, text }) => {
    const listed = scriptLines(text)
    const body =
      listed.length > 0 ? listed.map(([, line]) => line).join("\n") : path.endsWith(".toml") ? "" : consoleScripts(text)
    const scripts = path.endsWith("setup.py") ? installedScripts(text) : []
    const started = scripts
      .map((script) => writtenIn(directoryOf(path), script))
      .filter((script) => survey.has(script))
      .map((script) => ({ file_path: script, line: 1, why: `program ${code(baseName(script))}, by ${path}` }))
    const called = [...body.matchAll(/^\s*["']?([\w.-]{1,40})["']?\s*=\s*["']?([\w.]+:[\w.]+)/gm)].flatMap(
      ([, name, target]) => {
        const entry = pythonTarget(survey, directoryOf(path), target!)
        return entry === null ? [] : [{ ...entry, why: `program ${code(name!)} calls ${code(target!)}, by ${path}` }]
      }
    )
    return [...called, ...started]
  })

const fromCargo = (survey: Survey): ReadonlyArray<EntryPoint> =>
  sources(survey, /(?:^|\/)Cargo\.toml$/).flatMap(({ path, text }) => {
    const folder = directoryOf(path)
    const main = writtenIn(folder, "src/main.rs")
    const named = /^\[package\][^[]{0,400}?^name\s*=\s*"([\w-]+)"/m.exec(text)?.[1]
    // What lies there is a program without being listed.
    const implied =
      named !== undefined && survey.has(main)
        ? [{ file_path: main, line: survey.file(main)?.isEntryPoint || 1, why: `program ${code(named)}, by ${path}` }]
        : []
    const listed = sectionsOf(text)
      .filter(({ name }) => name === "bin" || name === "lib")
      .flatMap(({ name, lines }) => {
        const body = lines.map(([, line]) => line).join("\n")
        const file = /^path\s*=\s*"([^"]+)"/m.exec(body)?.[1] ?? (name === "lib" ? "src/lib.rs" : "src/main.rs")
        const title = /^name\s*=\s*"([^"]+)"/m.exec(body)?.[1]
        const found = writtenIn(folder, file)
        const what = `${name === "lib" ? "library" : "program"}${title === undefined ? "" : ` ${code(title)}`}`
        return survey.has(found) ? [{ file_path: found, line: 1, why: `${what}, by ${path}` }] : []
      })
    // The program that is called as the package comes before others, such as one that writes completions for it.
    const isLibrary = ({ why }: EntryPoint): boolean => why.startsWith("library")
    return [...listed.filter(isLibrary), ...implied, ...listed.filter((one) => !isLibrary(one))]
  })

const fromGems = (survey: Survey): ReadonlyArray<EntryPoint> => {
  const all = gemPrograms(survey)
  return sources(survey, /\.gemspec$/).flatMap(({ path, text }) => {
    const folder = directoryOf(path)
    const name = /(?:\.name\s*=|Specification\.new)\s*\(?\s*["']([\w-]+)/.exec(text)?.[1] ?? ""
    const library = writtenIn(folder, `lib/${name.replaceAll("-", "/")}.rb`)
    const programs = all.filter((program) => program.path === path)
    return [
      ...programs.flatMap(({ name: program, start }) =>
        start === undefined ? [] : [{ file_path: start, line: 1, why: `program ${code(program)}, by ${path}` }]
      ),
      ...(survey.has(library) ? [{ file_path: library, line: 1, why: `what \`require "${name}"\` loads` }] : [])
    ]
  })
}

const haskellMain = /^[ \t]+main-is:[ \t]*([\w./-]+)/im
const haskellFolder = /^[ \t]+hs-source-dirs:[ \t]*([\w./-]+)/im

/** Programs of a package of Cabal: `executable kettle` with its `main-is`. */
const fromCabal = (survey: Survey): ReadonlyArray<EntryPoint> =>
  sources(survey, /\.cabal$/).flatMap(({ path, text }) =>
    text.split(/^(?=\S)/m).flatMap((stanza): ReadonlyArray<EntryPoint> => {
      const name = /^executable[ \t]+([\w-]+)/i.exec(stanza)?.[1]
      const main = haskellMain.exec(stanza)?.[1]
      if (name === undefined || main === undefined) return []
      const found = writtenIn(directoryOf(path), joined(haskellFolder.exec(stanza)?.[1] ?? "", main))
      return survey.has(found) ? [{ file_path: found, line: 1, why: `program ${code(name)}, by ${path}` }] : []
    })
  )

const MAX_CONTROLLERS = 3

/** What is asked over HTTP comes before scripts for those who administrate it. */
const frontControllers = (survey: Survey): ReadonlyArray<EntryPoint> => {
  const all = survey.source.map(({ path }) => path).filter((path) => /^(?:[\w-]+\/)?index\.php$/.test(path))
  const first = all.filter((path) => /^(?:public\/)?index\.php$/.test(path))
  // An empty file of that name in every folder answers nothing.
  const shown = first.length > 0 || all.length > MAX_CONTROLLERS ? first : all
  return shown.map((path) => ({ file_path: path, line: 1, why: "front controller" }))
}

/** Functions that a platform calls: `handler: src/orders.create` of serverless.yml, `Handler:` of a SAM template. */
const fromPlatforms = (survey: Survey): ReadonlyArray<EntryPoint> =>
  sources(survey, /(?:^|\/)(?:serverless|template)\.ya?ml$/).flatMap(({ path, text }) =>
    [...text.matchAll(/^\s+[hH]andler:\s*["']?([\w./-]+)\.(\w+)/gm)].flatMap(
      ([, file, name]): ReadonlyArray<EntryPoint> => {
        const found = [".ts", ".js", ".py", ".mjs", ".rb"]
          .map((end) => writtenIn(directoryOf(path), file! + end))
          .find((one) => survey.has(one))
        return found === undefined ? [] : [{ file_path: found, line: 1, why: `function ${code(name!)} of ${path}` }]
      }
    )
  )

const wellKnown: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?:^|\/)manage\.py$/, "Django's commands"],
  [/\/__main__\.py$/, "what `python -m` starts"],
  [/(?:^|\/)(?:wsgi|asgi)\.py$/, "what a web server loads"],
  [/(?:^|\/)config\.ru$/, "what a Rack server loads"],
  [/^(?:[\w-]+\/)?index\.php$/, "front controller"],
  [/(?:^|\/)artisan$/, "Laravel's commands"],
  [/(?:^|\/)bin\/console$/, "Symfony's commands"],
  [/(?:^|\/)\w+_app\.erl$/, "start of an Erlang application, by its name"],
  [/(?:^|\/)(?:Program|Startup)\.cs$/, "start of the program, by its name"],
  [/^(?:src\/)?(?:main|server|app|index)\.(?:ts|js|mjs)$/, "by its name"],
  [/^(?:src\/)?(?:app|main)\.py$/, "by its name"]
]

/** Scripts for those who work on the repository, and what a distribution adds. */
const aside =
  /(?:^|\/)(?:debian|(?:[\w.-]+-)?samples?|skel|skeletons?|[\w-]+-templates?|[\w.-]*obsolete|rel|testcases?|installer|\w*tools?|scripts?|hack|externals|resources|priv|templates|support|maint|contrib|ci|\.github|build|extra|misc|docs?|dev|xt|\w*tests?|test_package|[\w-]+-(?:it|tests?)|\w+Tests?|bench\w*|config|gradle|helpers?|cmake)\//

/** A program that tries a part, or is not started any more, by its own name. */
const asideName =
  /(?:^|\/)(?:tests?|run[-_]?tests?|demos?|examples?|samples?|bench(?:mark)?|fuzz(?:er)?|obsolete|deprecated)(?:[._-][\w.-]*)?\.\w+$|[\w-][_-](?:tests?|example|demo|sample)\.\w+$|(?:^|\/)\w+tests?\.(?:c|cc|cpp|cxx)$|(?:^|\/)cmd\/gen[a-z]*\/\w+\.go$|(?:^|\/)(?:demo|try|fuzz)[A-Z]\w*\.\w+$|(?:^|\/)\w*Test(?:Console|App)\w*\/|[._-](?:old|obsolete|deprecated)\.\w+$|(?:^|\/)\w*(?:Test|Tests|TestCase|TestSuite)\.(?:java|kt|scala|cs)$/

/** Names of packages of Java, such as `org.apache.tools`, say nothing of that. */
const isAside = (path: string): boolean =>
  asideName.test(path) || aside.test(path.replace(/(?:^|\/)(?:org|com|net|io|de)\/.*$/, "/"))

/** Files with several programs beside each other: the one that is named so is the product's. */
const isNamedMain = ({ path }: { readonly path: string }): boolean =>
  /(?:^|\/)(?:main|\w*Main|\w*Application|Program|Launcher)\.\w+$/.test(path)

/** Shows how the product is used, or is brought along. */
const isExample = /(?:^|\/)(?:eg|examples?|demos?|fatlib|testdist)\//

/** What has a manual page of its own, or an entry for a desktop or the system, is what users start. */
const namesOfPages = (survey: Survey): ReadonlyArray<string> => [
  ...survey.files.flatMap(
    ({ path }) => /(?:^|\/)([\w+-]{2,40})\.[168](?:\.\w+)?$/.exec(path)?.[1]?.toLowerCase() ?? []
  ),
  ...[...startedNames(survey)].map((name) => name.toLowerCase())
]

const stemOf = (path: string): string =>
  baseName(path)
    .replace(/\.in(?=\.|$)/, "")
    .replace(/\.\w+$/, "")
    .toLowerCase()

/** `tea-kettle` may be a folder of what is published as `teakettle`. */
const withoutHyphens = (names: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...names].flatMap((name) => [name, name.replace(/[-_]/g, "")]))

/** `influxd` is the server of InfluxDB. */
const isServerOf = (name: string, products: ReadonlySet<string>): boolean =>
  /^[a-z]{3,}d$/.test(name) && [...products].some((product) => product.startsWith(name.slice(0, -1)))

const MAX_DEPTH = 1_000

const depth = (path: string): number => path.split("/").length

/** Files of the product in the order in which one looks for where it starts. */
const orderedFiles = (survey: Survey): Survey["source"] => {
  const isHelper = isOfHelpers(survey)
  const isLess = isSecondary(survey)
  const all = withoutHyphens(productNames(survey))
  const ofRoot = withoutHyphens(productNames(survey, "root"))
  const pages = new Set(namesOfPages(survey))
  const ofBuild = buildScripts(survey)
  const isNamesake = (file: ObservedFile): boolean => {
    const { path } = file
    const command = /(?:^|\/)cmd\/([\w.-]+)\//.exec(path)?.[1]?.toLowerCase() ?? ""
    // The name of a small part in another language is not that of the product.
    const names = isLess(file) ? ofRoot : all
    return [baseName(directoryOf(path)).toLowerCase(), command, stemOf(path)].some(
      (name) => names.has(name) || names.has(name.replace(/[-_]/g, "")) || isServerOf(name, names)
    )
  }
  // Computed once for each file: a comparison of two would do it for each pair.
  const orderOf = (file: ObservedFile): number =>
    [isAside(file.path), !isNamesake(file), !isNamedMain(file), isLess(file), !pages.has(stemOf(file.path))].reduce(
      (order, isLater) => 2 * order + Number(isLater),
      0
    ) *
      MAX_DEPTH +
    Math.min(depth(file.path), MAX_DEPTH - 1)
  return (
    survey.source
      // A module of Perl may begin with the line of a program; it is loaded all the same.
      .filter(({ path }) => !isOfBuild(path) && !ofBuild.has(path) && !path.endsWith(".pm") && !isExample.test(path))
      .filter((file) => !isHelper(file))
      .map((file) => ({ file, order: orderOf(file) }))
      // Beside smaller programs that help it, the product's own has most to do.
      .sort((a, b) => a.order - b.order || b.file.lines - a.file.lines || (a.file.path < b.file.path ? -1 : 1))
      .map(({ file }) => file)
  )
}

const isShellProgram = /^(?:(?:s?bin|usr\/s?bin|src)\/)?[\w.-]+$/
const isShellHelper =
  /(?:^|\/)(?:auto|boot|build|configure|config|install|uninstall|setup|tests?|run|release|lint|check|update|travis|make|ci|gen|clean|deploy|bench|debian|mk|prepare|package|post|pre|env|compile|depcomp|missing|mkinstalldirs|ltmain|py-compile|ylwrap|all)(?![a-z])[\w.-]*$|(?:^|\/)(?:autogen|bootstrap|postinst|prerm)/i

/** A repository that is written for the shell: its scripts at the root or in a folder for programs, not those that build or check. */
const shellPrograms = (survey: Survey): ReadonlyArray<EntryPoint> => {
  const code = survey.source.filter(
    ({ path, language }) => language === "shell" || programLanguage(path, language) !== null
  )
  const linesOf = (files: Survey["source"]) => files.reduce((sum, { lines }) => sum + lines, 0)
  if (2 * linesOf(code.filter(({ language }) => language === "shell")) < linesOf(code)) return []
  return code
    .filter(({ path, language }) => language === "shell" && isShellProgram.test(path) && !isShellHelper.test(path))
    .slice(0, MAX_ENTRIES)
    .map(({ path }) => ({ file_path: path, line: 1, why: "a script of the shell" }))
}

/** Never installed, whatever it is called. */
const isOfAuthors =
  /(?:^|\/)(?:x?t|tests?|test_package|testdata|testcases?|[\w-]+-(?:it|tests?)|debian|docs?|bench\w*|ci|\.github|templates)\//

/**
 * What lies among scripts and tools is for contributors, unless something else says that it is a program of the product: a build
 * that makes it, a manual page, or the product's name.
 */
const knownPrograms = (survey: Survey): ((path: string) => boolean) => {
  const known = new Set([...ownProgramsOf(survey), ...namesOfPages(survey), ...productNames(survey)])
  // Perl installs what lies in `script`.
  const isOfPerl = survey.hasLike(/^(?:(?:Makefile|Build)\.PL|dist\.ini|cpanfile)$/)
  return (path) =>
    !asideName.test(path) &&
    !isOfAuthors.test(path) &&
    (known.has(stemOf(path)) || known.has(baseName(path)) || (isOfPerl && /^script\/[\w-]+$/.test(path)))
}

/** Lines of the unit that a file belongs to: of several packages the one that holds most is what the others serve. */
const unitSizes = (survey: Survey): ((path: string) => number) => {
  const folders = new Set(unitsOf(survey).map(({ folder }) => folder))
  const unitAt = (path: string): string => {
    let folder = directoryOf(path)
    while (folder !== "" && !folders.has(folder)) folder = directoryOf(folder)
    return folder
  }
  const lines = new Map<string, number>()
  if (folders.size > 1)
    for (const { path, lines: own } of survey.source) lines.set(unitAt(path), (lines.get(unitAt(path)) ?? 0) + own)
  return (path) => lines.get(unitAt(path)) ?? 0
}

/** Where what the repository makes is started or loaded: as manifests state it, then as the code declares it. */
export const entryPointsOf = (survey: Survey): ReadonlyArray<EntryPoint> => {
  const found = new Map<string, EntryPoint>()
  const add = (entry: EntryPoint) => {
    if (!found.has(entry.file_path) && found.size < MAX_ENTRIES) found.set(entry.file_path, entry)
  }
  const stated = [
    fromPackages,
    fromPython,
    fromCargo,
    fromGems,
    fromCabal,
    fromPerl,
    fromBuilds,
    fromAutomake,
    fromOcaml,
    fromErlang,
    kernelModules,
    fromPlatforms,
    mavenGoals,
    mainClasses,
    startedByScript,
    startedFiles,
    emberApplications,
    frontControllers
  ].flatMap((read) => read(survey))
  const sizeOf = unitSizes(survey)
  const { first, last } = statedOrder(survey, stated, sizeOf)
  for (const entry of first) add(entry)
  const files = orderedFiles(survey)
  for (const { path, isEntryPoint } of files)
    if (isEntryPoint > 0 && !isAside(path) && !isForContributors(baseName(path)))
      add({ file_path: path, line: isEntryPoint, why: "declares what runs when it is started" })
  for (const entry of last) add(entry)
  for (const { path } of files) {
    const known = wellKnown.find(([pattern]) => pattern.test(path))
    if (known !== undefined && depth(path) <= 4) add({ file_path: path, line: 1, why: known[1] })
  }
  const isProgram = knownPrograms(survey)
  for (const { path, isEntryPoint } of files)
    if (isEntryPoint > 0 && isProgram(path))
      add({ file_path: path, line: isEntryPoint, why: "a script that is started by itself" })
  return found.size === 0 ? shellPrograms(survey) : [...found.values()]
}

const MAX_SHOWN = 14

export const entryItems = (entries: ReadonlyArray<EntryPoint>): ReadonlyArray<Item> =>
  entries.slice(0, MAX_SHOWN).map(({ file_path, line, why }) => ({
    text: `${at({ path: file_path, line })}: ${why}`,
    cites: [{ path: file_path, line }]
  }))

const MAX_ROUTE_FILES = 12
const MAX_ROUTES = 6

/** Which files declare routes, and what answers them. */
export const routeItems = (survey: Survey): ReadonlyArray<Item> => {
  const files = routeFiles(survey).map(({ path, routes }) => ({ path, routes }))
  const total = files.reduce((sum, { routes }) => sum + routes.length, 0)
  const ordered = files.sort((a, b) => b.routes.length - a.routes.length || (a.path < b.path ? -1 : 1))
  if (files.length === 0) return pageItems(survey)
  return ordered.slice(0, MAX_ROUTE_FILES).map(({ path, routes }, index) => {
    const shown = routes
      .slice(0, MAX_ROUTES)
      .map(
        ({ method, path: route, handler, line }) =>
          `${code(`${method} ${route}`)}${handler === null ? "" : ` → ${code(clip(handler, 60))}`} (line ${line})`
      )
    const more = routes.length > MAX_ROUTES ? `, and ${routes.length - MAX_ROUTES} more` : ""
    const all = index === 0 && files.length > 1 ? ` (of ${total.toLocaleString("en-US")} in ${files.length} files)` : ""
    return {
      text: `${code(path)} declares ${routes.length === 1 ? "1 route" : `${routes.length} routes`}${all}: ${shown.join(", ")}${more}`,
      cites: routes.slice(0, MAX_ROUTES).map(({ line }) => ({ path, line }))
    }
  })
}
