import { programLanguage } from "../../../core/files/programLanguage.ts"
import { baseName, directoryOf, isBelow, joined } from "../../../core/text/paths.ts"
import { lineOf, type Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"
import { rustLinters } from "../linters/rustLinters.ts"
import { isMinorIn, isOfCatkin, packageInstalls } from "../packageInstalls.ts"
import { isOwn, rakeTasks } from "../runners/rakeTasks.ts"
import { cargoAliases, goGenerate, packagedProgram, programs } from "../startedByTools.ts"
import { optionForCheck, withTestOption } from "../tests/testOption.ts"
import { configured, unreadBuilds } from "./unreadBuilds.ts"
import { type Build, builds, CONFIGURED, GEM_BUILD, PYTHON_BUILD } from "./usualBuilds.ts"

/** A package with several programs does not say which of them is meant. */
const withProgram = (command: string, text: string): string => {
  const programs = [...text.matchAll(/^executable[ \t]+([\w-]+)/gim)].map(([, name]) => name!)
  return command === "cabal run" && programs.length > 1 ? `cabal run ${programs[0]}` : command
}

const wrapped = (survey: Survey, folder: string, { wrapper }: Build, command: string): string =>
  wrapper !== undefined && survey.has(joined(folder, wrapper[1]))
    ? command.replace(wrapper[0], `./${wrapper[1]}`)
    : command

/** Modules of one build are built from its root: only the outermost manifest of a kind speaks, or those beside each other. */
const outermost = <F extends { readonly path: string }>(files: ReadonlyArray<F>): ReadonlyArray<F> => {
  const folders: Array<string> = []
  return files.filter(({ path }) => {
    const folder = directoryOf(path)
    if (folders.some((outer) => outer === "" || folder.startsWith(`${outer}/`))) return false
    folders.push(folder)
    return true
  })
}

/** A plugin may be listed for modules that are no program. */
const startsSpring = (survey: Survey): boolean =>
  ["SpringApplication", "SpringApplicationBuilder", "runApplication"].some((name) => survey.knowsName(name))

/** Where a linter is set up, it is the one that is asked; it runs what comes with Go as well. */
const hasOwnLinter = (survey: Survey): boolean => survey.hasLike(/(?:^|\/)\.golangci\.(?:ya?ml|toml)$/)

/** Composer puts the runner there where a manifest asks for it, and names no other folder. */
const installsPhpUnit = (survey: Survey, folder: string): boolean =>
  survey
    .texts(/(?:^|\/)composer\.json$/)
    .some(({ path, text }) => directoryOf(path) === folder && /phpunit|pest/.test(text) && !/"vendor-dir"/.test(text))

/** Options of Meson by which alone tests are built: `option('unittest', type: 'boolean', value: false)`. */
const testOptionOfMeson = (survey: Survey, folder: string): string => {
  const text = ["meson_options.txt", "meson.options"]
    .map((name) => survey.file(joined(folder, name))?.text ?? "")
    .join("\n")
  const [, name, rest] =
    /\boption\s*\(\s*'((?:(?:build|enable|with|run|unit)[-_]?)?(?:unit)?[-_]?tests?)'([^)]*)\)/i.exec(text) ?? []
  if (name === undefined || /-D/.test(name)) return ""
  if (/value\s*:\s*'?false\b/.test(rest!)) return `-D${name}=true`
  return /value\s*:\s*'disabled'/.test(rest!) ? `-D${name}=enabled` : ""
}

/** Suites of Common Test are run by another task than tests of EUnit; the one that more files are for comes first. */
const testsOfErlang = (survey: Survey): string => {
  const count = (name: RegExp): number => survey.files.filter(({ path }) => name.test(path)).length
  const [suites, modules] = [count(/_SUITE\.erl$/), count(/_tests?\.erl$/)]
  const both = [...(suites > 0 ? ["rebar3 ct"] : []), ...(modules > 0 || suites === 0 ? ["rebar3 eunit"] : [])]
  return (suites < modules ? both.reverse() : both).join(" && ")
}

/** `make check` runs what `configure` was asked for. */
const withCheckOption = (survey: Survey, command: string, folder: string): string => {
  const configure = survey.file(joined(folder, "configure.ac"))?.text ?? ""
  const makefiles = survey.texts(/(?:^|\/)Makefile\.am$/).map(({ text }) => text)
  const option = optionForCheck(configure, makefiles)
  return option === null ? command : `./configure ${option} && make && ${command}`
}

/** A command with what stands for a name, an option or a script in it. */
const spelled = (survey: Survey, command: string, path: string, folder: string): string => {
  if (command === CONFIGURED) return configured(survey, folder)
  if (command === GEM_BUILD) return `gem build ${baseName(path)}`
  if (command === "rebar3 eunit") return testsOfErlang(survey)
  if (command === "make check") return withCheckOption(survey, command, folder)
  if (command !== "meson test -C build") return command
  const option = testOptionOfMeson(survey, folder)
  return option === "" ? command : `meson setup build ${option} && ${command}`
}

const MIN_SHARE = 0.2

/** A tool is for one language; where that is a helper's, the tool is no way to work on the whole. */
const isOfHelper = (survey: Survey, command: string): boolean => {
  if (command === PYTHON_BUILD) return isMinorIn(survey)("pip")
  if (!command.startsWith("mix ")) return false
  let [own, all] = [0, 0]
  for (const { path, language, lines } of survey.source) {
    const name = programLanguage(path, language)
    if (name !== null) all += lines
    if (name === "Elixir") own += lines
  }
  return own < MIN_SHARE * all
}

/** Tests of the languages that keep them in files of their own; where there is none, nothing is to be run. */
const testFiles: ReadonlyArray<readonly [command: RegExp, files: RegExp]> = [
  [/^go test\b/, /_test\.go$/],
  [/^NO_INTERACTION=1 make test$/, /\.phpt$/],
  [/^Rscript\b/, /^tests\/testthat(?:\.R$|\/)/],
  [
    /^(?:mvn|gradle) (?:test|verify)$/,
    /(?:^|\/)src\/\w*[tT]est\w*\/|(?:^|\/)tests?\/|(?:Tests?|IT|Spec)\.(?:java|kt|groovy|scala)$/
  ]
]

const lacksTests = (survey: Survey, command: string): boolean =>
  testFiles.some(([asked, files]) => asked.test(command) && !survey.hasLike(files))

/** What Maven has for its site only is not run with the build; the lines below keep their numbers. */
const withoutReporting = (text: string): string =>
  text.replace(/<reporting>[\s\S]*?<\/reporting>/g, (part) => part.replace(/[^\n]/g, ""))

const usual = (survey: Survey, build: Build, path: string, whole: string): ReadonlyArray<Command> => {
  const text = path.endsWith("pom.xml") ? withoutReporting(whole) : whole
  const isRails = path.endsWith("bin/rails")
  const folder = isRails ? directoryOf(directoryOf(path)) : directoryOf(path)
  return build.commands
    .filter(
      ([, command, needs]) =>
        (needs?.test(text) ?? true) &&
        !isOfHelper(survey, command) &&
        !(command === PYTHON_BUILD && isOfCatkin(text)) &&
        !lacksTests(survey, command) &&
        !(
          command === "meson test -C build" &&
          !survey.texts(/(?:^|\/)meson\.build$/).some((one) => /\btest\s*\(/.test(one.text))
        ) &&
        !(command === "bin/rails test" && !survey.hasFolder(joined(folder, "test"))) &&
        !(command === "go vet ./..." && hasOwnLinter(survey)) &&
        !(/spring-boot:run|bootRun/.test(command) && !startsSpring(survey)) &&
        !(command === "vendor/bin/phpunit" && !installsPhpUnit(survey, folder)) &&
        !(/^npx (?:jshint|tslint|biome)\b/.test(command) && !survey.has("package.json")) &&
        !(/^vendor\/bin\/(?:php(?:cs|stan)|psalm)\b/.test(command) && !survey.has(joined(folder, "composer.json")))
    )
    .map(([purpose, command, needs]) => ({
      purpose,
      command: wrapped(
        survey,
        folder,
        build,
        withTestOption(withProgram(spelled(survey, command, path, folder), text), text)
      ),
      means: null,
      folder,
      path,
      line: needs === undefined ? 1 : (lineOf(text, needs) ?? 1),
      origin: "convention"
    }))
}

/** What the outermost manifest does by way of those below it, the tests of Automake for one. */
const deep = (survey: Survey, build: Build): ReadonlyArray<Command> => {
  const files = survey.texts(build.manifest)
  const [top] = outermost(files.filter(({ path }) => isOwn(survey, path)))
  if (top === undefined) return []
  const folder = directoryOf(top.path)
  return build.commands.flatMap((command) => {
    const found = files.find(({ path, text }) => isBelow(folder, path) && (command[2]?.test(text) ?? true))
    if (found === undefined) return []
    return usual(survey, { ...build, commands: [command] }, found.path, found.text).map((one) => ({ ...one, folder }))
  })
}

const conventions = (survey: Survey): ReadonlyArray<Command> =>
  builds.flatMap((build) =>
    build.isDeep === true
      ? deep(survey, build)
      : outermost(survey.texts(build.manifest).filter(({ path }) => isOwn(survey, path)))
          .slice(0, 8)
          .flatMap(({ path, text }) => usual(survey, build, path, text))
  )

export const buildToolCommands = (survey: Survey, root: string): ReadonlyArray<Command> => [
  ...cargoAliases(survey),
  ...rakeTasks(survey),
  ...goGenerate(survey),
  ...packageInstalls(survey, root),
  ...conventions(survey),
  ...rustLinters(survey),
  ...unreadBuilds(survey),
  ...programs(survey),
  ...packagedProgram(survey)
]
