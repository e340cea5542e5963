import { inspectsResult, isOfTrial, withoutNeeds } from "./builds/inspections.ts"
import type { Purpose } from "./Command.ts"
import { lineWords } from "./lineWords.ts"
import { printsAll } from "./runners/prints.ts"
import { watches } from "./runners/watchers.ts"
import { oneFile, onlyReports } from "./tests/narrowed.ts"

const between = (words: string): RegExp => new RegExp(`(?:^|[:._/-])(?:${words})(?:$|[:._/-])`)

/** Words in the name of a script or target. The first that fits counts. */
const names: ReadonlyArray<readonly [RegExp, Purpose]> = [
  [between("docs?|documentation|apidocs?|sphinx|storybook|javadoc|typedoc|site|website|man"), "docs"],
  [between("dialyzer|typecheck|type-check|types?|tsc|mypy|pyright|typing|check-types"), "types"],
  [
    between(
      "lint(?:er|ers|ing)?|eslint|rubocop|vet|tslint|stylelint|ruff|flake8|pylint|clippy|phpcs|cs|phpstan|psalm|elvis|analyse|analyze|style|golangci|staticcheck|shellcheck|pre-?commit|checkstyle|(?:py)?code-?style|spellcheck|spelling"
    ),
    "lint"
  ],
  [between("format|fmt|prettier|black|isort|cs-?fix|gofmt|gofumpt|beautify|tidy"), "format"],
  [
    between(
      "tests?|test-?all|all-?tests?|spec|specs|unit|e2e|coverage|jest|mocha|pytest|vitest|phpunit|testsuite|unittests?"
    ),
    "test"
  ],
  [between("migrate|migrations?|db"), "migrate"],
  [between("release|publish|deploy|ship|bump|docker-push|goreleaser|push-?gems?"), "release"],
  [between("generate|gen|codegen|proto|protos|protobuf|mocks?|stubs?"), "generate"],
  [between("build|compile|bundle|dist|binary|binaries|webpack|package|assets|gems?"), "build"],
  [
    /^(?:start|serve|server|dev|develop|up)(?:$|[:._-](?!install|setup|deps|dependencies|requirements))|^run(?:$|[:._-](?:dev\w*|serv\w*|local\w*|app|web|prod\w*|debug|main|demo)$)/,
    "run"
  ],
  [
    /^(?:setup|bootstrap|deps|dependencies|install[-_]?(?:deps|dev|dependencies|tools)|dev[-_]?(?:deps|install|setup|env)|fix-?deps|venv|requirements|develop)$/,
    "install"
  ]
]

/** What has a purpose only by what it runs. */
const broad =
  /^(?:check|checks|ci|verify|validate|all|qa|quality|precommit|preflight|prepush|presubmit|cs|tidy|install)$/

const hooks =
  /release[-_]?notes?|change-?log|^(?:pre|post)(?:install|publish|pack|version|test|build|start|uninstall|commit|push|prepare)\w*$|^prepare\w*$|^un\w*install|clean|purge|^(?:needs|show|print|list|rm)[_-]/

/** Runs some tests in some way, beside the one that runs them all; or goes on until it is stopped. */
const special =
  /(?:^|[:._-])(?:fuzz|bench(?:marks?)?|soak|chaos|stress|load|mutation|mutants|watch|babel|i18n|l10n|locales?|translations?|messages|helm|charts?)(?:$|[:._-])/
export const isSpecial = (name: string): boolean => special.test(name)

/** Purposes that what is run shows beyond doubt, where the name of a script says nothing. */
const certain: ReadonlySet<Purpose | null> = new Set<Purpose>(["test", "lint", "types", "format", "release", "migrate"])

/** Archives of the sources, and files that are put in their place for users, are made of what is built. */
const packs = /(?:^|\s)(?:tar|zip|git archive)\s/
/** What is published is only tried, or may only be, as a value says. */
const isRehearsal = (text: string): boolean => {
  const releases = partsOf(text).filter((part) => purposeOfLine(part) === "release")
  if (releases.length === 0) return /["']--dry-run["']/.test(text)
  return releases.every((part) => /[\s"'](?:--dry-run|--snapshot|-n)(?=[\s"']|$)/.test(part))
}
const putsInPlace = /\$[({]DESTDIR[)}]/
const formatsFirst = /^make (?![\w-]*check)[\w-]*(?:format|fmt)$/m

/** Changes files, whatever it looks at on the way. */
const isFixer = (name: string): boolean =>
  /(?:^|[:._-])(?:auto-?)?(?:fix(?:e[rs]|ing|up)?|correct|write)(?:$|[:._-])|^fix|(?:lint|style|cs)-?fix/.test(name)

/** Named for tests and runs a linter or a compiler; of `test` itself all of it has to, as in a package that has no tests. */
const looksOnly = (name: string, text: string, inside: Purpose | null): boolean =>
  name === "test"
    ? inside === "lint" && partsOf(text).every((part) => purposeOfLine(part) === "lint")
    : inside === "types" || inside === "lint"

/** `format:check` checks, `lint:fix` changes files, `test:types` has a compiler look at types. */
const corrected = (purpose: Purpose, name: string, text: string): Purpose | null => {
  const writes = /\s(?:--write|--fix|--apply|-w|-i)(?:\s|$)/.test(text)
  if (purpose === "install" && putsInPlace.test(text)) return null
  if (
    purpose === "format" &&
    !writes &&
    !formatsFirst.test(text) &&
    /check|verify|diff|dry|ci\b/.test(`${name} ${text}`)
  )
    return "lint"
  if (purpose === "lint" && isFixer(name)) return "format"
  const inside = text === "" ? null : purposeOfText(text)
  if (purpose === "test" && looksOnly(name, text, inside)) return inside
  if (purpose === "build" && /^(?:dist|package)$/.test(name) && packs.test(text) && inside !== "build") return null
  return purpose === "build" && /types?$/.test(name) && inside === "types" ? inside : purpose
}

/** What a script or target is for: by its name, and where that is general by what it runs. */
export const purposeOfScript = (name: string, text: string): Purpose | null => {
  const plain = name.toLowerCase()
  if (printsAll(partsOf(text)) || isNoTask(plain, text)) return null
  if (broad.test(plain)) return ofBroad(plain, text)
  const named = names.find(([pattern]) => pattern.test(plain))?.[1]
  const purpose = named === undefined ? purposeByText(plain, text) : purposeByName(named, plain, text)
  return purpose === "release" && (isOfTrial.test(plain) || isRehearsal(text)) ? null : purpose
}

/** Prepares or cleans up, does a part of something, or goes on until it is stopped. */
const isNoTask = (name: string, text: string): boolean =>
  hooks.test(name) ||
  isSpecial(name) ||
  onlyReports(text) ||
  (watches(text) && !/^(?:start|serve|dev|run|up)/.test(name))

/** Puts a tool in its place, which runs later. */
const fetchesTool = /^(?:install|setup|get|download|fetch|update|upgrade|ensure)[-_.:]/

const fetches =
  /\b(?:install\w*|clone|submodules?|download|curl|wget|get|fetch|add|sync|restore|update|v?env|virtualenv|deps|dependencies|requirements)\b/i

/** `bootstrap` may configure, build, or start the product of the build, which prepares something else. */
const fetchesNothing = (text: string): boolean => {
  const parts = partsOf(text)
  const purposes = new Set(parts.map(purposeOfLine))
  const isMade = parts.some((part) => /^dune exec\b/.test(part)) || [...purposes].some((one) => one !== null)
  return isMade && !purposes.has("install") && !fetches.test(text.replace(/\bmake\s+install\b/g, ""))
}

/** `install-golangci-lint` checks nothing, and `install-dev` that copies headers fetches nothing. */
const isMisnamed = (purpose: Purpose, name: string, text: string): boolean => {
  if (inspectsResult(purpose, name)) return purposeOfText(withoutNeeds(text)) !== purpose
  if (purpose === "install" && fetchesNothing(text)) return true
  if (purpose === "install") return /dev$/.test(name) && text !== "" && purposeOfText(text) !== "install"
  return /^(?:lint|format|types|generate)$/.test(purpose) && fetchesTool.test(name)
}

/** What it runs has nothing of what its name is for. */
const doesNothingOf = (purpose: Purpose, text: string): boolean => {
  if (purpose === "run") return startsNothing(text)
  if (purpose === "test") return onlyServes(text)
  if (purpose === "release") return makesOnly(text)
  // What packs the history of the repository, or takes away what a build left, builds nothing.
  return purpose === "build" && (/\bgit archive\s/.test(text) || takesAway(text))
}

const purposeByName = (purpose: Purpose, name: string, text: string): Purpose | null => {
  if (isMisnamed(purpose, name, text) || doesNothingOf(purpose, text)) return null
  // `build-release` compiles with the options of a release.
  if (purpose === "release" && /^build[-_:]/.test(name) && /^(?:build|types)$/.test(purposeOfText(text) ?? ""))
    return "build"
  // What compiles or prepares tests runs none, nor does what is published or served for a trial.
  if (
    purpose === "test" &&
    /^(?:(?:compile|build|prepare|init|make|install|setup)[-_.]|(?:publish|release|upload|deploy|serve|preview)[-_.:])/.test(
      name
    )
  )
    return text !== "" && purposeOfText(text) === "test" ? purpose : null
  if (purpose === "run" && onlyBuilds(name, text)) return "build"
  return corrected(purpose, name, text)
}

const purposeByText = (name: string, text: string): Purpose | null => {
  const inside = text === "" ? null : purposeOfText(text)
  // What runs some files of tests makes something with them.
  if (inside === "test" && partsOf(text).some((part) => purposeOfLine(part) === "test" && oneFile.test(part)))
    return null
  if (!/^[\w:.-]+$/.test(name) || !certain.has(inside)) return null
  return inside === "lint" && isFixer(name) ? "format" : inside
}

/** `dev` starts something, or makes it for those who develop. */
const onlyBuilds = (name: string, text: string): boolean =>
  /^(?:dev|develop|up)$/.test(name) && !/watch|serve|\bdev\b|hot/.test(text) && purposeOfText(text) === "build"

/** Serves pages while someone works on them. */
const serves =
  /^(?:webpack-dev-server|webpack serve|vue-cli-service serve|react-scripts start|ng serve|parcel serve|vite(?: dev| serve)?(?=\s+-|$)|live-server|http-server|browser-sync start)\b(?!.*&)/

/** `test` may begin a server for the one who tries it by hand. */
const onlyServes = (text: string): boolean => {
  const parts = partsOf(text).map(unwrapped)
  return parts.length > 0 && parts.every((part) => serves.test(part))
}

/** What only builds and tests makes no version, whatever it is called. */
const makesOnly = (text: string): boolean => {
  const parts = partsOf(text)
  const purposes = parts.map(purposeOfLine)
  return (
    purposes.includes("test") && purposes.every((one) => one !== null && /^(?:build|test|lint|types|format)$/.test(one))
  )
}

const takesAway = (text: string): boolean => {
  const parts = partsOf(text).map(unwrapped)
  return parts.length > 0 && parts.every((part) => /^(?:rm|rimraf|del|del-cli|shx rm)\s/.test(part))
}

const buildsAgain =
  /^(?:microbundle|tsc|tsup|tsdx|rollup|esbuild|swc|babel|bunchee|unbuild|tsdown|vite build|webpack(?! serve))\b.*(?:\s(?:--watch|-\w*w|watch)\b)|^(?:tsdx|microbundle) (?:start|watch)\b|^unbuild --stub\b|^lib-builder dev\b|^(?!node\b)[\w-]{2,20} (?:compile|build)\b.*\s--watch(?=\s|$)/

/** A bundler that waits for changes starts nothing of the product. */
const onlyBuildsAgain = (text: string): boolean => {
  const parts = partsOf(text).map(unwrapped)
  return (
    parts.some((part) => buildsAgain.test(part)) &&
    parts.every(
      (part) => buildsAgain.test(part) || purposeOfLine(part) === "build" || /^(?:rm|rimraf|mkdir)\b/.test(part)
    )
  )
}

/** What starts tests over and over is no way to run the program, either. */
const startsNothing = (text: string): boolean =>
  text !== "" && (purposeOfText(text) === "test" || onlyBuildsAgain(text))

/** By convention `make check` runs the tests, where its lines name some. */
const runsTests = /\$\(TESTS?\)|check-|(?:^|[\s/._-])(?:tests?|testsuite)(?=$|[\s/._-])/m

/** Needs of `all` that make nothing by themselves. */
const makesNothing =
  /^make (?:help|usage|clean|init|deps|install|(?:py|pypy|python|ruby|rails|django|node|php|jdk|java)[-_]?\d[\w.-]*)$/

/** `all: kettle` builds what it needs, unless that is known for something else. */
const buildsAll = (text: string): boolean => {
  const parts = partsOf(text)
  const purposes = parts.map(purposeOfLine)
  return (
    parts.length === 0 ||
    purposes.includes("build") ||
    parts.some((part, index) => purposes[index] === null && /^make\b/.test(part) && !makesNothing.test(part))
  )
}

/** Only tidies or builds. */
const looksAtNothing = (name: string, found: ReadonlySet<Purpose | null>): boolean =>
  name === "tidy" || (found.size > 0 && [...found].every((one) => one === "build"))

const ofBroad = (name: string, text: string): Purpose | null => {
  const found = new Set(partsOf(text).map(purposeOfLine))
  if (name === "all") return buildsAll(text) ? "build" : null
  if (name === "install") return found.has("install") ? "install" : null
  const checks = ["test", "lint", "types"].filter((one) => found.has(one as Purpose))
  if (checks.length === 0 && looksAtNothing(name, found)) return null
  if (checks.length > 1) return "check"
  // Data, settings or documents are valid or not, too.
  if (/^(?:validate|verify)$/.test(name) && checks.length === 0 && !/lint|test|tsc|check|audit/.test(text)) return null
  // What runs before a merge does more than one of them by itself.
  if (/^(?:ci|precommit|preflight|prepush|presubmit)$/.test(name)) return "check"
  return (checks[0] as Purpose | undefined) ?? ofCheck(name, text)
}

/** `check: bootstrap` that only makes something else looks at no sources. */
const ofCheck = (name: string, text: string): Purpose | null => {
  if (name === "check" && runsTests.test(text)) return "test"
  const parts = name === "check" ? partsOf(text) : []
  const isMaking = parts.length > 0 && parts.every((part) => makesOther.test(part))
  return isMaking ? null : "check"
}

const makesOther = /^make (?![\w.-]*(?:lint|check|verif|valid|style|format|fmt|audit|vet|spell|analy))[\w.-]+$/

const wrappers =
  /^(?:\w+=(?:"[^"]*"|'[^']*'|\S*)\s+|(?:sudo|time|exec|env|command|nice|xvfb-run|dbus-run-session(?: --)?)\s+(?:-\w+\s+)?|npx\s+(?:--?\S+\s+)*|(?:pnpm|bun|yarn)\s+(?:exec|dlx|x)\s+|bunx\s+|bundle\s+exec\s+|(?:poetry|pdm|pipenv|rye)\s+run\s+|uv\s+run\s+(?:--?[\w-]+(?:[= ](?!pytest|mypy|ruff|python|tox)[\w.@[\]/-]+)?\s+)*|uvx\s+(?:--?\S+\s+\S+\s+)*|python[\d.]*\s+(?:-[bBEIsSuvX]+\s+)*(?:-W\s?\S+\s+)?-m\s+|python[\d.]*\s+|php\s+(?=\S*(?:vendor|bin|artisan|composer))|cross-env\s+(?:\w+=\S+\s+)*|cross\s+(?=test|build)|\.\/(?=gradlew|mvnw|node_modules|vendor|bin\/)|(?:\.\/)?node_modules\/\.bin\/|vendor\/bin\/|dotenv\s+(?:-\S+\s+\S+\s+)*--\s+|@|-(?=\w))/

/** `$(CARGO) test` of a Makefile is `cargo test`. */
const programVariable = /^[@-]*\$[({]([A-Z][A-Z\d_]{1,15})[)}](?=\s)/

/** `php phpcs-3.5.phar` starts what the archive is called. */
const archivedProgram = /^(?:php\s+)?(?:\.\/)?([a-z]+(?:-[a-z]+){0,3})(?:-v?\d[\w.]{0,12})?\.phar(?=\s|$)/

/** Go starts a program of another module by its address: `go run example.org/lint/cmd/tidy@latest`. */
const programOfModule = /^go run (?:-\S+ )*[\w-]+(?:\.[\w-]+)+\/(?:[\w.-]+\/)*?([\w-]+)(?:\/v\d+)?@\S+/

/** A line without what only says how its program is started: `NODE_ENV=test npx jest` is `jest`. */
export const unwrapped = (line: string): string => {
  let text = line.trim().replace(programVariable, (_, name: string) => name.toLowerCase())
  for (let round = 0; round < 8; round++) {
    const next = text.replace(wrappers, "")
    if (next === text) break
    text = next
  }
  return text
    .replace(archivedProgram, "$1")
    .replace(/^(?:\.\/)?gradlew(?:\.bat)?(?=\s|$)/, "gradle")
    .replace(/^(?:\.\/)?mvnw(?:\.cmd)?(?=\s|$)/, "mvn")
    .replace(/^(?:\.\/)?bin\/(?=rails|rake|rspec|phpunit)/, "")
}

const delegated =
  /^(?:(?:g|re)?make|just|task|rake|invoke|inv|doit|mage|composer(?: run(?:-script)?)?|poe|hatch run|cargo xtask|deno task)\s+((?:-C\s+\S+\s+|--?[\w=./-]+\s+|[\w.]+=\S*\s+)*)([\w:./-]+)(?![\w=])/

/** A target of Ninja is made, unless its name says that it does something else. */
const purposeOfNinja = (target: string): Purpose | null =>
  /coverage|clean|dist|uninstall|reconfigure|bench|package/.test(target)
    ? null
    : (purposeOfScript(target, "") ?? "build")

/** What a program is: `ginkgo version`; or what becomes of the results. */
const isAskedOnly =
  /\s--version$|^(?:ginkgo|gotestsum|bats|prove) (?:version|help)$|^(?:npm|pnpm|yarn|bun)\b.*\b(?:upload|report|send)[-_:]coverage\b/

/** Tests or linters that run again at each change, until someone stops them. */
const goesOn = (purpose: Purpose, text: string): boolean =>
  /^(?:test|lint|types)$/.test(purpose) && (watches(text) || /^(?:npm|pnpm|yarn|bun)\b.*[:_-]watch(?=\s|$)/.test(text))

const ofOneRun = (purpose: Purpose, text: string): Purpose | null =>
  isAskedOnly.test(text) || goesOn(purpose, text) ? null : purpose

const byWords = (text: string): Purpose | undefined => lineWords.find(([pattern]) => pattern.test(text))?.[1]

/** What a line of shell is for; null where its words do not say. */
export const purposeOfLine = (line: string): Purpose | null => {
  const text = unwrapped(line)
  if (text === "" || text.length > 400) return null
  const toxEnvironment = /^(?:tox|nox)\b.*?\s(?:-e|-s|--session)[ =]?([\w.:-]+)/.exec(text)?.[1]
  if (toxEnvironment !== undefined) return purposeOfEnvironment(toxEnvironment)
  const named = text.replace(programOfModule, "$1")
  const known = byWords(named) ?? byWords(text)
  if (known !== undefined) return ofOneRun(known, text)
  if (/^make\s+-C\s+_?(?:build|bld|out|output|obj|release|debug)[\w-]*(?:\s+-j\s?\S*|\s+V=1)*$/i.test(text))
    return "build"
  if (/^make(?:\s+-j\s?\S*|\s+[\w.]+=\S*)*$/.test(text)) return "build"
  const ofNinja = /^ninja\b.*\s([\w:./-]+)$/.exec(text)?.[1]
  if (ofNinja !== undefined) return purposeOfNinja(ofNinja)
  const target = delegated.exec(text)?.[2]
  if (target === undefined || /=/.test(target)) return null
  // Of tools that compile nothing by themselves the name does not say what all of it is.
  if (target === "all" && !/^(?:g|re)?make\b/.test(text)) return null
  return target === "check" ? "test" : purposeOfScript(target, "")
}

/** Environments of tox and sessions of nox: what is not named for something else runs tests. */
export const purposeOfEnvironment = (name: string): Purpose | null => {
  if (name === "all") return null
  if (/^(?:py|pypy|\{?py)[\d.{},]*|^(?:tests?|unit)/.test(name) && !/lint|mypy|type|pyright|flake|pylint/.test(name))
    return "test"
  return purposeOfScript(name, "")
}

/** Text between quotes, what separates two commands, or one character. */
const shellToken = /(?<!\w)'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|\\.|&&|\|\||[;\n|]|[^'"\\&|;\n]+|[\s\S]/g

/** A line of shell in its parts: `a && b; c`; what stands between quotes is an argument, whatever it holds. */
export const partsOf = (text: string): ReadonlyArray<string> =>
  (text.match(shellToken) ?? [])
    .map((token) => (/^(?:&&|\|\||[;\n|])$/.test(token) ? "\0" : token))
    .join("")
    .split("\0")
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** Of several things that a text does, the one it is done for. */
const weights: ReadonlyArray<Purpose> = [
  "release",
  "migrate",
  "test",
  "lint",
  "types",
  "run",
  "docs",
  "build",
  "generate",
  "format",
  "install"
]

export const purposeOfText = (text: string): Purpose | null => {
  const found = new Set(partsOf(text.slice(0, 2_000)).map(purposeOfLine))
  return weights.find((purpose) => found.has(purpose)) ?? null
}
