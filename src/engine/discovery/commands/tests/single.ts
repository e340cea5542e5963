import { directoryOf, isBelow, joined } from "../../../core/text/paths.ts"
import type { ObservedFile } from "../../Observed.ts"
import { lineOf, type Survey } from "../../Survey.ts"
import type { Command, Purpose } from "../Command.ts"
import { isMinorIn } from "../packageInstalls.ts"
import { pythonPrefix } from "../python.ts"
import { scriptRunner } from "../scripts.ts"
import { className, type Example, type Runner, type Ways } from "./Runner.ts"
import { isUnread, runnersByName } from "./runnersByName.ts"
import { optionsForOne } from "./testSettings.ts"

const NAME = '"<name of the test>"'

/** A runner that needs no options for one file. */
const withoutOptions = () => () => ""

const script =
  (
    bin: string,
    file: string,
    one: string,
    options: ReturnType<typeof optionsForOne> = withoutOptions
  ): Runner["ways"] =>
  (survey, folder) => {
    const manager = scriptRunner(survey, folder)
    const start = manager === "npm" ? "npx" : manager === "bun" ? "bunx" : manager === "pnpm" ? "pnpm exec" : "yarn"
    const optionsOf = options(survey, folder)
    return ({ path }): ReturnType<Ways> => {
      const given = optionsOf(path)
      if (given === null) return {}
      const test_file = `${start} ${bin}${file}${given} ${path}`
      return one === "" ? { test_file } : { test_file, test_case: `${test_file} ${one}` }
    }
  }

const scriptTest = /\.(?:[cm]?[jt]sx?)$/
const nodeTest: Runner["ways"] =
  () =>
  ({ path }) => ({
    test_file: `node --test ${path}`,
    test_case: `node --test --test-name-pattern=${NAME} ${path}`
  })

/** `mvn -pl core test`, `gradle :core:test`: a module of the build is named by its folder. */
const jvmTask = (tool: string, start: string, module: string): string => {
  if (tool === "gradle") return `${start} ${module === "" ? "" : `:${module.replaceAll("/", ":")}:`}test`
  return `${start}${module === "" ? "" : ` -pl ${module}`} test`
}

/** Folder of the module that a test lies in, from that of the build. */
const moduleOf = (survey: Survey, tool: string, folder: string, path: string): string => {
  const files = tool === "mvn" ? ["pom.xml"] : ["build.gradle", "build.gradle.kts"]
  const found = files
    .map((file) => survey.above(joined(folder, path), file))
    .find((one) => one !== null && one !== undefined)
  // A module may have no build file of its own.
  if (found === undefined || found === null || found === folder) return /^(.*?)\/?src\//.exec(path)?.[1] ?? ""
  return found.slice(folder === "" ? 0 : folder.length + 1)
}

const javaTests =
  (tool: "mvn" | "gradle", wrapper: string, one: (name: string) => string): Runner["ways"] =>
  (survey, folder) => {
    const start = survey.has(joined(folder, wrapper)) ? `./${wrapper}` : tool
    return ({ path, symbol }) => {
      const name = className(path)
      const method = symbol?.split(".").at(-1)
      const head = jvmTask(tool, start, moduleOf(survey, tool, folder, path))
      const test_file = `${head} ${one(name)}`
      if (method === undefined || method === name) return { test_file }
      return { test_file, test_case: `${head} ${one(`${name}${tool === "gradle" ? "." : "#"}${method}`)}` }
    }
  }

const pytest: Runner["ways"] = (survey, folder) => {
  const prefix = pythonPrefix(survey, folder)
  return ({ path, symbol }) => ({
    test: `${prefix}pytest`,
    test_file: `${prefix}pytest ${path}`,
    ...(symbol === null ? {} : { test_case: `${prefix}pytest ${path}::${symbol.replaceAll(".", "::")}` })
  })
}

const goTest: Runner["ways"] =
  () =>
  ({ path, symbol }) => {
    const where = directoryOf(path) === "" ? "." : `./${directoryOf(path)}`
    return {
      test_file: `go test ${where}`,
      ...(symbol === null ? {} : { test_case: `go test ${where} -run '^${symbol.split(".").at(-1)}$'` })
    }
  }

const cargoTest: Runner["ways"] =
  (survey, folder) =>
  ({ path, symbol }) => {
    const target = /(?:^|\/)tests\/([\w-]+)(?:\.rs|\/main\.rs)$/.exec(path)?.[1]
    // A crate may leave out what Cargo would find among the tests, and list what it has.
    const manifest = survey.file(joined(folder, "Cargo.toml"))?.text ?? ""
    const isLeftOut = /^autotests\s*=\s*false/m.test(manifest) && !manifest.includes(`name = "${target}"`)
    const name = symbol?.split(/[.:]+/).at(-1)
    return {
      ...(target === undefined || isLeftOut ? {} : { test_file: `cargo test --test ${target}` }),
      ...(name === undefined ? {} : { test_case: `cargo test ${name}` })
    }
  }

const pythonTest = /(?:^|\/)(?:tests?|test_[^/]*|[^/]*_test)\.py$/
const javaTest = /Tests?\.(?:java|kt)$/
/** A build that leaves its tests out leaves out the one that is named, too. */
const skipsTests = /<skipTests>\s*true\s*</
const rubyTest = /(?:_test|test_\w+)\.rb$/
const phpTest = /Test\.php$/
const manifests = /(?:^|\/)package\.json$/
const pythonSettings =
  /(?:^|\/)(?:pyproject\.toml|setup\.cfg|setup\.py|tox\.ini|pytest\.ini|noxfile\.py|Pipfile|requirements[\w.-]*\.txt|Makefile)$/

/** Words about the product name what it is for. */
const namesPytest = /^(?![ \t]{0,20}(?:name|description|summary|keywords)\b)[^\n]{0,400}\bpytest\b/m

const bunTest: Runner["ways"] =
  () =>
  ({ path }) => ({ test_file: `bun test ${path}`, test_case: `bun test ${path} -t ${NAME}` })

type Named = readonly [name: string, ways: Runner["ways"]]

/** What a manifest that depends on them runs its tests with. */
const packagedRunners: ReadonlyArray<Named> = [
  ["vitest", script("vitest", " run", `-t ${NAME}`)],
  ["jest", script("jest", "", `-t ${NAME}`, optionsForOne("jest"))],
  ["mocha", script("mocha", "", `-g ${NAME}`, optionsForOne("mocha"))]
]

/** What the test script of a manifest names. */
const scriptRunners: ReadonlyArray<Named> = [
  ...packagedRunners,
  ["ava", script("ava", "", `--match=${NAME}`)],
  ["bun test", bunTest],
  ["node --test", nodeTest],
  ["jasmine", script("jasmine", "", `--filter=${NAME}`)],
  ["vows\\s", script("vows", "", "")],
  ["tape\\s", script("tape", "", "")],
  ["(?<!-)tap\\s", script("tap", "", "")]
]

const inTestScript = (name: string): RegExp => new RegExp(`"(?:test|unit)[\\w:.-]*"\\s*:\\s*"[^"]*\\b${name}(?!\\w)`)

/** A script that runs files of tests with a runner of which one file is not shown, or by way of a task or a browser. */
const otherRunner =
  /"[\w:-]+"\s*:\s*"(?:[^"]*\s)?(?:borp|tap|tape|uvu|lab|qunit)\s|"test"\s*:\s*"(?:[^"]*(?:&&|run)\s+)?(?:grunt|gulp|karma|ng|wtr|web-test-runner|testem|make)\b/

const scripted = (words: RegExp, ways: Runner["ways"], unless?: RegExp): Runner => ({
  stated: manifests,
  words,
  ...(unless === undefined ? {} : { unless }),
  tests: scriptTest,
  ways
})

/** Composer puts the runner that a manifest asks for below `vendor`, if no other folder is named. */
const phpUnit = (words: RegExp, program: string): Runner => ({
  stated: /(?:^|\/)composer\.json$/,
  words,
  unless: /"(?:vendor|bin)-dir"/,
  tests: phpTest,
  ways:
    () =>
    ({ path }) => ({
      test_file: `vendor/bin/${program} ${path}`,
      test_case: `vendor/bin/${program} --filter <name of the test> ${path}`
    })
})

/** The first that a unit states counts. */
const runners: ReadonlyArray<Runner> = [
  ...scriptRunners.map(([name, ways]) => scripted(inTestScript(name), ways)),
  ...packagedRunners.map(([name, ways]) => scripted(new RegExp(`"${name}"\\s*:`), ways, otherRunner)),
  { stated: pythonSettings, words: namesPytest, tests: pythonTest, ways: pytest },
  { stated: /(?:^|\/)go\.mod$/, words: /^module\s/m, tests: /_test\.go$/, ways: goTest },
  { stated: /(?:^|\/)Cargo\.toml$/, words: /^\[(?:package|workspace)\]/m, tests: /\.rs$/, ways: cargoTest },
  {
    stated: /(?:^|\/)pom\.xml$/,
    words: /<project\b/,
    unless: skipsTests,
    tests: javaTest,
    ways: javaTests("mvn", "mvnw", (name) => `-Dtest=${name}`)
  },
  {
    stated: /(?:^|\/)build\.gradle(?:\.kts)?$/,
    words: /\S/,
    tests: javaTest,
    ways: javaTests("gradle", "gradlew", (name) => `--tests '*${name}'`)
  },
  {
    stated: /(?:^|\/)(?:Gemfile|[\w-]+\.gemspec|Rakefile|\.rspec)$/,
    words: /\brspec\b|RSpec|^--require/,
    isBundled: true,
    tests: /_spec\.rb$/,
    ways:
      () =>
      ({ path }) => ({
        test: "bundle exec rspec",
        test_file: `bundle exec rspec ${path}`,
        test_case: `bundle exec rspec ${path} -e ${NAME}`
      })
  },
  {
    stated: /(?:^|\/)bin\/rails$/,
    words: /\S/,
    tests: rubyTest,
    ways:
      () =>
      ({ path }) => ({ test_file: `bin/rails test ${path}`, test_case: `bin/rails test ${path}:<line>` })
  },
  {
    stated: /(?:^|\/)(?:Gemfile|[\w-]+\.gemspec|Rakefile)$/,
    words: /minitest|Rake::TestTask/,
    isBundled: true,
    tests: rubyTest,
    ways:
      () =>
      ({ path, symbol }) => ({
        test_file: `bundle exec ruby -Ilib -Itest ${path}`,
        ...(symbol !== null && /test_\w+$/.test(symbol)
          ? { test_case: `bundle exec ruby -Ilib -Itest ${path} -n ${/test_\w+$/.exec(symbol)![0]}` }
          : {})
      })
  },
  phpUnit(/"phpunit\/phpunit"\s*:/, "phpunit"),
  phpUnit(/"symfony\/phpunit-bridge"\s*:/, "simple-phpunit"),
  {
    stated: /\.csproj$/,
    words: /Microsoft\.NET\.Test\.Sdk|xunit|NUnit|MSTest/i,
    tests: /\.cs$/,
    ways:
      () =>
      ({ path }) => ({
        test_file: `dotnet test --filter FullyQualifiedName~${className(path)}`,
        test_case: "dotnet test --filter FullyQualifiedName~<Class.Method>"
      })
  },
  ...runnersByName
]

const MAX_UNITS = 6

const MAX_EXAMPLES = 400

/** What tests share. */
const isShared =
  /(?:^|[/_])(?:test|spec)[-_]?(?:helpers?|utils?|base|case|support|setup|common)\.\w+$|(?:^|[/_])(?:Abstract|Base)\w*Test\.php$/i

/** Files of Rust in a folder for tests may only help the tests that stand in the sources. */
const isTesting = (file: ObservedFile): boolean =>
  file.language !== "rust" || file.sites.some(({ kind }) => kind === "test")

/** Test files of a folder; those of Rust are often in the sources themselves. */
const candidates = (survey: Survey, folder: string, tests: RegExp): ReadonlyArray<ObservedFile> => {
  const inFolder = ({ path }: ObservedFile) => isBelow(folder, path)
  const rooted = survey.tests.filter((file) => tests.test(file.path) && !isShared.test(file.path) && inFolder(file))
  const files = rooted.some(isTesting)
    ? rooted
    : survey.source.filter((file) => file.language === "rust" && inFolder(file))
  return files
    .filter((file) => file.has("sites") || isUnread.test(file.path))
    .sort((a, b) => distance(folder, a) - distance(folder, b))
    .slice(0, MAX_EXAMPLES)
}

/** A folder named for tests, near to the unit, before a copy that a plugin or a tool brings along. */
const distance = (folder: string, { path }: ObservedFile): number => {
  const below = folder === "" ? path : path.slice(folder.length + 1)
  // Tests of Go that lie apart from what they test often need a tag, or a machine that is set up for them.
  if (path.endsWith(".go"))
    return below.split("/").length + (/(?:^|[/_])(?:tests?|integration|e2e)\//.test(below) ? 8 : 0)
  return below.split("/").length + (/^(?:tests?|spec|src)\//.test(below) ? 0 : 4)
}

/** A short test whose name could be read, so that the command can be tried at once. */
const exampleOf = (survey: Survey, folder: string, tests: RegExp): Example | null => {
  const found = candidates(survey, folder, tests).flatMap((file) => {
    const site = file.sites.find(({ kind, symbol }) => kind === "test" && !/(?:^|\.)TestMain$/.test(symbol ?? ""))
    return site === undefined && !isUnread.test(file.path) ? [] : [{ file, symbol: site?.symbol ?? null }]
  })
  const [best] = found.sort(
    (a, b) =>
      Number(a.symbol === null) - Number(b.symbol === null) ||
      distance(folder, a.file) - distance(folder, b.file) ||
      a.file.lines - b.file.lines ||
      (a.file.path < b.file.path ? -1 : 1)
  )
  if (best === undefined) return null
  return { ...best, path: folder === "" ? best.file.path : best.file.path.slice(folder.length + 1) }
}

/** Folders whose tests a runner takes care of: a module below one of them is run from there. */
class Taken {
  private readonly folders = new Map<RegExp, Array<string>>()
  count = 0

  has(tests: RegExp, folder: string): boolean {
    return this.folders.get(tests)?.some((outer) => isBelow(outer, folder)) ?? false
  }

  add(tests: RegExp, folder: string): void {
    this.folders.set(tests, [...(this.folders.get(tests) ?? []), folder])
    this.count++
  }
}

const unitOf = (path: string): string =>
  path.endsWith("bin/rails") ? directoryOf(directoryOf(path)) : directoryOf(path)

const commandsOf = (
  survey: Survey,
  runner: Runner,
  path: string,
  text: string,
  taken: Taken
): ReadonlyArray<Command> => {
  const line = survey.isOfSources(path) ? lineOf(text, runner.words) : null
  const folder = unitOf(path)
  // What Bundler starts needs the folder of the Gemfile.
  const isAstray = runner.isBundled === true && !survey.has(joined(folder, "Gemfile")) && survey.hasLike(/\/Gemfile$/)
  if (
    isAstray ||
    line === null ||
    runner.unless?.test(text) === true ||
    taken.count >= MAX_UNITS ||
    taken.has(runner.tests, folder)
  )
    return []
  const example = exampleOf(survey, folder, runner.tests)
  if (example === null) return []
  taken.add(runner.tests, folder)
  return waysOf(runner.ways(survey, folder)(example), { folder, path, line })
}

const waysOf = (ways: ReturnType<Ways>, at: Pick<Command, "folder" | "path" | "line">): ReadonlyArray<Command> =>
  Object.entries(ways).map(([purpose, command]) => ({
    ...at,
    purpose: purpose as Purpose,
    command,
    means: null,
    origin: "convention"
  }))

/** How one file and one case are run with the test runner that a unit states, shown on one of its own tests. */
export const singleTests = (survey: Survey): ReadonlyArray<Command> => {
  const taken = new Taken()
  const stated = runners.flatMap((runner) =>
    survey.texts(runner.stated).flatMap(({ path, text }) => commandsOf(survey, runner, path, text, taken))
  )
  return taken.has(pythonTest, "") ? stated : [...stated, ...byImports(survey)]
}

/** A file of the folder for tests, which holds no packages: `tests/test_orders.py`. */
const inFolderOfTests = /^(tests?)\/test\w*\.py$/

/** What Python brings itself looks in the folder that it is given, for files whose names begin with `test`. */
const unittest: Runner["ways"] = (survey) => {
  const prefix = pythonPrefix(survey, "")
  return ({ path, symbol }) => {
    const folder = inFolderOfTests.exec(path)?.[1]
    const start = `${prefix}python -m unittest`
    const all = survey.has(`${folder}/__init__.py`) ? `${start} discover` : `${start} discover -s ${folder}`
    const one = symbol === null ? undefined : `${start} ${path.replace(/\.py$/, "").replaceAll("/", ".")}.${symbol}`
    return { test: all, test_file: `${start} ${path}`, ...(one === undefined ? {} : { test_case: one }) }
  }
}

/** Documents that name the program which runs the tests. */
const guides = /^(?:readme|contributing|development|hacking)[\w.]*$/i

/** Tests of Python that import their runner say which one it is, where no settings do; a document may name another. */
const byImports = (survey: Survey): ReadonlyArray<Command> => {
  // What tests the bindings of a program in another language is not the way to run one of its tests.
  if (isMinorIn(survey)("pip")) return []
  const ofRunner = (runner: string) =>
    survey.tests.find(({ path, imports }) => pythonTest.test(path) && imports.some(({ module }) => module === runner))
  const ofUnits = ofRunner("unittest")
  const isNamed = survey.texts(guides).some(({ text }) => /(?:^|[\s`])pytest(?=[\s`])/.test(text))
  const file = ofRunner("pytest") ?? (isNamed ? ofUnits : undefined)
  const example = exampleOf(survey, "", pythonTest)
  if (example === null) return []
  if (file !== undefined) return waysOf(pytest(survey, "")(example), { folder: "", path: file.path, line: 1 })
  if (ofUnits === undefined || !inFolderOfTests.test(example.path) || survey.hasLike(otherSettings)) return []
  return waysOf(unittest(survey, "")(example), { folder: "", path: ofUnits.path, line: 1 })
}

/** Frameworks and environments have ways of their own. */
const otherSettings = /(?:^|\/)(?:manage\.py|tox\.(?:ini|toml)|noxfile\.py|pytest\.ini)$/
