import { isManualPage } from "./manuals/manualPage.ts"

/** What someone wants to do with a checkout, in the order in which they get to it. */
export const purposes = [
  "install",
  "use",
  "build",
  "run",
  "test",
  "test_file",
  "test_case",
  "check",
  "lint",
  "format",
  "types",
  "generate",
  "migrate",
  "docs",
  "release"
] as const
export type Purpose = (typeof purposes)[number]

/**
 * Where a command stands: a script of a manifest, a target of a build file, a document, a step of a pipeline, a container;
 * or nowhere, and it is what the build tool is usually asked.
 */
export type Origin = "script" | "target" | "document" | "pipeline" | "container" | "convention"

export interface Command {
  readonly purpose: Purpose
  readonly command: string
  /** What it stands for, as written. */
  readonly means: string | null
  /** All that a script or a target runs, a line each, where that is known; `means` is what is shown of it. */
  readonly runs?: string
  readonly folder: string
  readonly path: string
  readonly line: number
  readonly origin: Origin
  /** Of a language that most of the sources are not written in. */
  readonly isMinor?: boolean
  /** The heading that says what it is for, where that is one system, trouble or a choice that most do not make. */
  readonly aside?: string
  /** Stands within a sentence of a document, which may speak of the program in passing. */
  readonly isMention?: boolean
  /** Of several programs the one that has the name of the product. */
  readonly isMain?: boolean
  /** A pipeline runs it, too. */
  readonly isUsed?: boolean
  /** A file that it starts with, which is not in the tree and which nothing says how to make. */
  readonly lacks?: string
}

const originRank: Readonly<Record<Origin, number>> = {
  script: 0,
  target: 1,
  document: 2,
  pipeline: 3,
  convention: 4,
  container: 5
}

/** A choice of features, or the bare name of a program, is asked for after what is usual or shown. */
const ofFeatures = /\s--(?:no-default-)?features\b/

/** What is built or run for one system only is no way to begin. */
const ofPlatform =
  /^(?:make|just|task|npm run|yarn|pnpm|bun run) \S*[:_-](?:linux|win(?:dows)?(?:32|64)?|mac(?:os)?|darwin|osx|apple|freebsd|android|ios|arm\w*|amd64|x86\w*|i[36]86|s390x?|ppc\w*|powerpc\w*|riscv\w*|mips\w*|loongarch\w*|wasm\w*|musl|static)\b/

/** A compiler or its options are chosen where the usual ones do not do. */
const ofCompiler =
  /^(?:(?:sh )?(?:\.\/)?configure|make)\b.*\s(?:CC|CXX|CPP|C(?:PP|XX)?FLAGS|LDFLAGS|LIBS)=|^(?:env )?(?:CC|CXX|CPP|C(?:PP|XX)?FLAGS|LDFLAGS|LIBS)=/

/** A container needs an image of what a build makes. */
const ofContainer = /^(?:sudo )?(?:docker|podman) run\b/

/** An image is made of what a build makes. */
const ofImage = /^(?:sudo )?(?:docker|podman|buildah) (?:buildx )?(?:build|bud)\b/

/** One version of the language of several that a pipeline or a document tries. */
const ofVersion = /^(?!.*\s--\s)(?:tox\b.*\s-e[ =]?(?:py|pypy)[\d.]+|nox\b.*\s(?:-s|--session)[ =]?\S*-\d\.\d+)/

/** An example that the repository brings shows how the product is used. */
const ofExample = /^(?:RUST\w*=\S+ )?cargo (?:\+\S+ )?(?:build|run|test)\b.*\s--examples?\b/

/** Tests that carry a mark are some of them. */
const ofMarked = /\bpytest\b.*\s-m[ =]?["']?\w/

/** A linter that is asked to change files looks at them on the way. */
const fixes =
  /\s(?:--(?:auto-?)?(?:fix|correct(?:-all)?)(?![-\w])|--write(?=\s|$))|\brubocop\b.*\s-[aA](?=\s|$)|^(?:make|just|task|poe|(?:npm|pnpm|bun) run|yarn|composer) (?:[\w.-]*[:_-])?(?:auto)?fix(?=$|[\s:_-])/

/** Formatters that change files unless they are asked only to look. */
const formats =
  /(?:^|[\s/;&])(?:black|isort|ruff format|gofmt -w|cargo fmt)(?=\s|$|;)(?![^;&|\n]*\s(?:--check(?:-only)?|--diff|-c|--version)(?=\s|$|;))/

/** What changes files comes after what only looks at them. */
const isFixer = ({ purpose, command }: Command): boolean => /^(?:lint|check)$/.test(purpose) && fixes.test(command)

/** All that it runs is looked at, of which `means` shows the first lines. */
const changesFiles = ({ purpose, means, runs }: Command): boolean =>
  fixes.test(means ?? "") || (/^(?:lint|check)$/.test(purpose) && formats.test(runs ?? means ?? ""))

/** A report on which lines the tests reach is made beside running them. */
const ofCoverage =
  /^(?:make|just|task|ant|rake|(?:npm|pnpm|bun) run|yarn|composer(?: run-script)?) (?:[\w.-]*[:_-])?cov(?:erage)?(?:[:_-][\w.-]*)?$/

/** Shows a report in a browser, which not every machine has. */
const showsReport = /(?:^|[\s;&])(?:xdg-open|gio open|sensible-browser|firefox|open)\s+\S*\.html?\b|\bwebbrowser\b/

/** What is shared with another repository is fetched beside what a package manager installs. */
const ofSubmodules = /^git submodule\b/

/** Not what someone asks first, so that what is usual comes before it. */
export const isVariant = ({ purpose, command, means, aside, lacks }: Command): boolean =>
  aside !== undefined ||
  lacks !== undefined ||
  (purpose === "test" && showsReport.test(means ?? "")) ||
  ofSubmodules.test(command) ||
  ofFeatures.test(command) ||
  ofExample.test(command) ||
  ofCoverage.test(command) ||
  ofVersion.test(command) ||
  ofPlatform.test(command) ||
  ofCompiler.test(command) ||
  ofImage.test(command) ||
  ofContainer.test(command)

/** Named for some of the tests. */
export const isOfSomeTests = ({ purpose, origin, command }: Command): boolean =>
  purpose === "test" &&
  ((origin === "target" && ofSomeTests.test(command)) || ofWholeSystem.test(command) || ofMarked.test(command))

const ofSomeTests =
  /^(?:make|just|task) (?!(?:run|all|unit|go|py|cargo|c|lib|full)[-_:]?tests?$|tests?[-_:](?:all|unit|ci|go|py|lib|full|local)$)\w[\w.-]*[-_:]tests?$|^(?:make|just|task) tests?[-_:.](?!(?:all|unit|ci|go|py|lib|full|local)$)\w/

/** Tests of the whole in its surroundings, whatever states them. */
const ofWholeSystem = /^(?:make|just|task) (?:[\w.-]*[-_:])?e2e(?:[-_:][\w.-]*)?$/

const rankOf = (stated: Command): number => {
  const { origin, command, purpose, path } = stated
  return isVariant(stated)
    ? originRank.container
    : // A script of a package is of no use before what the package needs is there.
      purpose === "install" && origin === "script" && path.endsWith("package.json")
      ? originRank.convention + 0.5
      : purpose === "run" && origin === "script" && !command.includes(" ")
        ? originRank.document + 0.5
        : // A target that is named for some of the tests does not run all of them.
          isOfSomeTests(stated) || isFixer(stated)
          ? originRank.convention + 0.5
          : originRank[origin]
}

/** Variants of a command that are not what one runs first. */
const special =
  /watch|\bmake (?:e2e|integration|dist|binary)|:ci\b|(?<![\s-])[:-](?:e2e|cov(?:erage)?|debug|prod(?:uction)?|fix|all|slow|long|bench|integration|docker|release|clean|snapshots?|update|windows|win|macos|browser|min|dev)\b|--(?:e2e|cov|debug|prod(?:uction)?|fix|slow|bench|docker|clean|update|(?:no-default-|all-)?features)\b|coverage|bench|--watch|\bSKIP|docker(?!\scompose)|(?:^|\s)clean\b|(?:^|\s)venv$|^(?:sudo )?(?:apt|apt-get|dnf|yum|zypper|pacman|apk|brew|pkg) /i

const ownNames: Partial<Record<Purpose, RegExp>> = {
  test: /[\s:](?:tests?|spec|check)(?:[:-]?all)?$|^tox$/,
  lint: /[\s:]lint$/,
  build: /[\s:](?:build|all|compile)$/,
  release: /[\s:](?:release|publish)$/
}

/** What is named for something else does this among other things. */
const isNamedOtherwise = ({ purpose, command, origin }: Command): boolean =>
  (origin === "script" || origin === "target") && ownNames[purpose]?.test(command) === false

/** Of a release, the step that uploads it. */
const isUpload = ({ purpose, command, origin }: Command): boolean =>
  purpose === "release" && (origin === "script" || origin === "target") && /[\s:]publish$/.test(command)

/** A script that names a file of tests runs that one. */
const isPartial = ({ purpose, means }: Command): boolean =>
  purpose === "test" &&
  means !== null &&
  /\b(?:pytest|mocha|jest|vitest|ruby|php|python)\b\S*\s(?:\S*\/)?(?:test_[\w-]+\.py|[\w-]+[._](?:test|spec)\.\w+)/.test(
    means
  )

/** `shop serve` is the product at work, where `shop report` asks for a part of it. */
export const isStart = ({ purpose, command }: Command): boolean =>
  purpose === "run" &&
  /^(?!(?:cargo|go|npm|yarn|pnpm|bun|dotnet|docker|podman)\s)\S+(?:\s+-\S+)*\s+(?:start|serve|server|run|up|web|daemon|listen|scheduler)(?:\s|$)/.test(
    command
  )

/** A form of use that leaves open what the program is asked to do: `shop [OPTIONS] <COMMAND>`. */
export const leavesCommandOpen = ({ purpose, command }: Command): boolean =>
  purpose === "run" &&
  /[<[{](?:sub[-_ ]?)?(?:command|cmd)s?(?:\.{3})?[>\]}]|\s(?:SUB[-_]?)?COMMAND(?=\s|$)/i.test(
    command.replace(/\s(?:sub)?command\b/g, "")
  )

const depthOf = (folder: string): number => (folder === "" ? 0 : folder.split("/").length)

const order = (a: Command, b: Command): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line)

/** Guides for contributors, then the readme, then what goes into every case. */
const documentRank = (path: string): number =>
  /contribut|develop|hacking/i.test(path) ? 0 : /(?:^|\/)readme[^/]*$/i.test(path) ? 1 : isManualPage(path) ? 3 : 2

/** Installs the package as users do, where others of its commands leave the sources in place or add what developing needs. */
const isForUsers = ({ purpose, origin, command }: Command): boolean =>
  purpose === "install" && origin === "document" && /^(?:python3? -m )?pip3? install \.$/.test(command)

/** The plainest first: at the root, stated where it is run, short. */
export const byPlainness = (a: Command, b: Command): number =>
  Number(ofImage.test(a.command)) - Number(ofImage.test(b.command)) ||
  depthOf(a.folder) - depthOf(b.folder) ||
  Number(a.isMinor ?? false) - Number(b.isMinor ?? false) ||
  rankOf(a) - rankOf(b) ||
  Number(isPartial(a)) - Number(isPartial(b)) ||
  Number(changesFiles(a)) - Number(changesFiles(b)) ||
  Number(special.test(a.command)) - Number(special.test(b.command)) ||
  Number(isNamedOtherwise(a)) - Number(isNamedOtherwise(b)) ||
  Number(isUpload(a)) - Number(isUpload(b)) ||
  Number(isStart(b)) - Number(isStart(a)) ||
  Number(b.isMain ?? false) - Number(a.isMain ?? false) ||
  Number(isForUsers(a)) - Number(isForUsers(b)) ||
  Number(b.isUsed ?? false) - Number(a.isUsed ?? false) ||
  // A document says what comes first, and an example what a form leaves open.
  (a.origin === "document"
    ? Number(leavesCommandOpen(a)) - Number(leavesCommandOpen(b)) ||
      documentRank(a.path) - documentRank(b.path) ||
      Number(a.isMention ?? false) - Number(b.isMention ?? false) ||
      order(a, b)
    : 0) ||
  (a.origin === "document" ? 0 : a.command.length - b.command.length || order(a, b))

/** The command without what does not change what it runs: two that are the same in this form are one. */
export const plain = (command: string): string =>
  command
    .replace(/\s+/g, " ")
    .replace(/\s--?(?:v+|verbose|q|quiet|silent|no-progress|if-present)\b/g, "")
    .replace(/^yarn$/, "yarn install")
    // Both are the same script.
    .replace(
      /^(?:npm|pnpm|yarn) (?:run(?:-script)? )?(?!(?:install|ci|i|publish|pack|exec|dlx|add)\b)(?=[a-z])/,
      "npm run "
    )
    .trim()

/** One of each, in order; the same command stated twice stands where it is stated first. */
export const ordered = (commands: ReadonlyArray<Command>, purpose: Purpose): ReadonlyArray<Command> => {
  const seen = new Set<string>()
  return commands
    .filter((command) => command.purpose === purpose)
    .sort(byPlainness)
    .filter(({ command, folder }) => {
      const key = `${folder}\n${plain(command)}`
      return !seen.has(key) && seen.add(key)
    })
}
