import { programLanguage } from "../../core/files/programLanguage.ts"
import { baseName, directoryOf, isBelow, joined } from "../../core/text/paths.ts"
import { lineOf, type Survey } from "../Survey.ts"
import type { Command, Purpose } from "./Command.ts"
import { isMinorIn, isOfCatkin, packageInstalls } from "./packageInstalls.ts"
import { isOwn, rakeTasks } from "./rakeTasks.ts"
import { cargoAliases, goGenerate, packagedProgram, programs } from "./startedByTools.ts"
import { withTestOption } from "./tests/testOption.ts"
import { configured, unreadBuilds } from "./unreadBuilds.ts"

interface Build {
  readonly manifest: RegExp
  /** Commands of the tool, with the words of the manifest that make each of them work. */
  readonly commands: ReadonlyArray<readonly [purpose: Purpose, command: string, needs?: RegExp]>
  /** Words that may stand in a manifest further down; the command is run from the outermost one all the same. */
  readonly isDeep?: boolean
  /** Wrapper scripts beside the manifest that take the place of the tool. */
  readonly wrapper?: readonly [tool: RegExp, file: string]
}

/** Stands for what `configure` needs before it and after it. */
const CONFIGURED = "./configure"

const PYTHON_BUILD = "python -m build"
const GEM_BUILD = "gem build"

/** A `Makefile.PL` may be a script of another kind that only has the usual name. */
const declaresPerl = /WriteMakefile|Module::(?:Install|Package|Build)|ExtUtils::/

/** What a build tool is asked where nothing else is stated. A plugin's command needs the plugin in the manifest. */
const builds: ReadonlyArray<Build> = [
  {
    manifest: /(?:^|\/)Cargo\.toml$/,
    commands: [
      ["build", "cargo build", /^\[(?:package|workspace)\]/m],
      ["test", "cargo test", /^\[(?:package|workspace)\]/m]
    ]
  },
  {
    manifest: /(?:^|\/)go\.mod$/,
    commands: [
      ["build", "go build ./..."],
      ["test", "go test ./..."],
      ["lint", "go vet ./..."]
    ]
  },
  {
    manifest: /(?:^|\/)pom\.xml$/,
    wrapper: [/^mvn(?= )/, "mvnw"],
    commands: [
      ["install", "mvn install -DskipTests"],
      ["build", "mvn package"],
      ["test", "mvn test", /^(?![\s\S]*<skipTests>\s*true\s*<)/],
      ["test", "mvn verify", /<artifactId>maven-failsafe-plugin</],
      ["lint", "mvn checkstyle:check", /<artifactId>maven-checkstyle-plugin</],
      ["lint", "mvn spotless:check", /<artifactId>spotless-maven-plugin</],
      ["format", "mvn spotless:apply", /<artifactId>spotless-maven-plugin</],
      ["run", "mvn spring-boot:run", /<artifactId>spring-boot-maven-plugin</],
      ["run", "mvn quarkus:dev", /<artifactId>quarkus-maven-plugin</],
      ["release", "mvn release:prepare release:perform", /<artifactId>maven-release-plugin</],
      ["migrate", "mvn flyway:migrate", /<artifactId>flyway-maven-plugin</]
    ]
  },
  {
    manifest: /(?:^|\/)build\.gradle(?:\.kts)?$/,
    wrapper: [/^gradle(?= )/, "gradlew"],
    commands: [
      ["build", "gradle build"],
      ["test", "gradle test"],
      ["check", "gradle check"],
      ["run", "gradle bootRun", /org\.springframework\.boot/],
      [
        "run",
        "gradle run",
        /(?:id\s*\(?\s*["']application["']|apply plugin: ["']application["']|^\s*application$|\bmainClass(?:Name)?\b)/m
      ],
      ["lint", "gradle spotlessCheck", /com\.diffplug\.spotless/],
      ["format", "gradle spotlessApply", /com\.diffplug\.spotless/],
      ["lint", "gradle ktlintCheck", /org\.jlleitschuh\.gradle\.ktlint/],
      ["lint", "gradle detekt", /io\.gitlab\.arturbosch\.detekt/],
      ["lint", "gradle checkstyleMain", /(?:id\s*\(?\s*|plugin:\s*)["']checkstyle["']/],
      ["release", "gradle publish", /maven-publish|com\.vanniktech\.maven\.publish/]
    ]
  },
  {
    manifest: /(?:^|\/)[\w.-]+\.slnx?$/,
    commands: [
      ["install", "dotnet restore"],
      ["build", "dotnet build"],
      ["test", "dotnet test"]
    ]
  },
  { manifest: /(?:^|\/)phpunit\.xml(?:\.dist)?$/, commands: [["test", "vendor/bin/phpunit"]] },
  { manifest: /(?:^|\/)phpstan\.neon(?:\.dist)?$/, commands: [["types", "vendor/bin/phpstan analyse"]] },
  { manifest: /(?:^|\/)\.?phpcs\.xml(?:\.dist)?$/, commands: [["lint", "vendor/bin/phpcs"]] },
  { manifest: /(?:^|\/)\.pre-commit-config\.yaml$/, commands: [["lint", "pre-commit run --all-files"]] },
  { manifest: /(?:^|\/)\.golangci\.(?:ya?ml|toml)$/, commands: [["lint", "golangci-lint run"]] },
  { manifest: /(?:^|\/)\.rubocop\.yml$/, commands: [["lint", "bundle exec rubocop"]] },
  {
    manifest: /^(?:\.eslintrc(?:\.\w+)?|eslint\.config\.\w+)$/,
    commands: [["lint", "npx eslint ."]]
  },
  { manifest: /(?:^|\/)\.perlcriticrc$/, commands: [["lint", "perlcritic lib"]] },
  {
    manifest: /(?:^|\/)Makefile\.PL$/,
    commands: [
      ["install", "cpanm --installdeps .", declaresPerl],
      ["build", "perl Makefile.PL && make", declaresPerl],
      ["test", "make test", declaresPerl]
    ]
  },
  {
    manifest: /(?:^|\/)Build\.PL$/,
    commands: [
      ["install", "cpanm --installdeps ."],
      ["build", "perl Build.PL && ./Build"],
      ["test", "./Build test"]
    ]
  },
  { manifest: /(?:^|\/)\.luacheckrc$/, commands: [["lint", "luacheck ."]] },
  { manifest: /(?:^|\/)\.busted$/, commands: [["test", "busted"]] },
  { manifest: /(?:^|\/)\.arclint$/, commands: [["lint", "arc lint"]] },
  { manifest: /(?:^|\/)\.arcunit$/, commands: [["test", "arc unit"]] },
  {
    manifest: /^pyproject\.toml$/,
    commands: [
      ["lint", "ruff check .", /^\[tool\.ruff\b/m],
      ["types", "mypy .", /^\[tool\.mypy\]/m],
      ["format", "black .", /^\[tool\.black\]/m]
    ]
  },
  {
    manifest: /^(?:pyproject\.toml|setup\.py)$/,
    commands: [["build", PYTHON_BUILD, /^\[build-system\]|\bsetup\s*\(/m]]
  },
  { manifest: /^[\w.-]+\.gemspec$/, commands: [["build", GEM_BUILD]] },
  { manifest: /^\.clang-format$/, commands: [["format", "clang-format -i <file>"]] },
  { manifest: /^(?:\.flake8|setup\.cfg)$/, commands: [["lint", "flake8", /^\[flake8\]/m]] },
  { manifest: /(?:^|\/)\.goreleaser\.ya?ml$/, commands: [["release", "goreleaser release"]] },
  {
    manifest: /(?:^|\/)mix\.exs$/,
    commands: [
      ["install", "mix deps.get"],
      ["build", "mix compile"],
      ["test", "mix test"],
      ["format", "mix format"],
      ["lint", "mix credo", /:credo\b/],
      ["types", "mix dialyzer", /:dialyxir\b/],
      ["run", "mix phx.server", /:phoenix\b/],
      ["migrate", "mix ecto.migrate", /:ecto_sql\b/]
    ]
  },
  {
    manifest: /(?:^|\/)CMakeLists\.txt$/,
    commands: [
      ["build", "cmake -B build && cmake --build build", /^\s*project\s*\(/im],
      ["test", "ctest --test-dir build", /\benable_testing\s*\(|\binclude\s*\(\s*CTest\b/i]
    ]
  },
  {
    manifest: /(?:^|\/)meson\.build$/,
    commands: [
      ["build", "meson setup build && meson compile -C build", /^\s*project\s*\(/m],
      ["test", "meson test -C build", /^\s*project\s*\(/m]
    ]
  },
  {
    manifest: /(?:^|\/)configure\.ac$/,
    commands: [["build", CONFIGURED]]
  },
  {
    manifest: /(?:^|\/)Makefile\.am$/,
    isDeep: true,
    commands: [["test", "make check", /^(?:TESTS|check_SCRIPTS)\s*\+?=|^check-local:/m]]
  },
  {
    manifest: /(?:^|\/)[\w.-]+\.cabal$/,
    commands: [
      ["build", "cabal build"],
      ["test", "cabal test", /^test-suite\s/im],
      ["run", "cabal run", /^executable\s/im]
    ]
  },
  {
    manifest: /(?:^|\/)build\.sbt$/,
    commands: [
      ["build", "sbt compile"],
      ["test", "sbt test"]
    ]
  },
  {
    manifest: /(?:^|\/)Package\.swift$/,
    commands: [
      ["build", "swift build"],
      ["test", "swift test"]
    ]
  },
  {
    manifest: /(?:^|\/)rebar\.config$/,
    commands: [
      ["build", "rebar3 compile"],
      ["test", "rebar3 eunit"]
    ]
  },
  {
    manifest: /(?:^|\/)bin\/rails$/,
    commands: [
      ["run", "bin/rails server"],
      ["test", "bin/rails test"],
      ["migrate", "bin/rails db:migrate"]
    ]
  }
]

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

/** A command with what stands for a name, an option or a script in it. */
const spelled = (survey: Survey, command: string, path: string, folder: string): string => {
  if (command === CONFIGURED) return configured(survey, folder)
  if (command === GEM_BUILD) return `gem build ${baseName(path)}`
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
        !(/^vendor\/bin\/php(?:cs|stan)\b/.test(command) && !survey.has(joined(folder, "composer.json")))
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
  ...unreadBuilds(survey),
  ...programs(survey),
  ...packagedProgram(survey)
]
