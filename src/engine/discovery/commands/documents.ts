import { baseName, directoryOf, joined } from "../../core/text/paths.ts"
import { clip } from "../Observed.ts"
import { documentFile, isGuideForContributors, isReadme } from "../observers/texts.ts"
import { resolvedPath, type Survey } from "../Survey.ts"
import { BuildFolders } from "./builds/buildFolders.ts"
import { type Command, isStart, leavesCommandOpen, type Purpose } from "./Command.ts"
import { completedBuilds, joinedBuilds, preparesMake } from "./halves.ts"
import { isTroubleHeading } from "./headings.ts"
import { synopsisCommands } from "./manuals/synopses.ts"
import { ownProgramsOf, startsOwn } from "./programs/ownPrograms.ts"
import { publishedNames } from "./programs/productNames.ts"
import { startedModules, startsModule } from "./programs/pythonModules.ts"
import { titleWords } from "./programs/titleWords.ts"
import { asideOf, isForNeeds, refuses, speaksOfChance, speaksOfProduct } from "./sentences/asides.ts"
import { isRunAlone, type ShellLine, shellIn } from "./shellIn.ts"
import { narrowed } from "./tests/narrowed.ts"
import { isSpecial, partsOf, purposeOfLine, unwrapped } from "./words.ts"

const MAX_FILES = 16
const MAX_PER_FILE = 60
/** Steps of one build are looked for among all lines of a document. */
const MAX_LINES = 2_000

/** What may follow the name of a package, or stand before it: where it is put, and that it is for all. */
const asides = /\s(?:-g|--global|--locked|--force|--user|--root[= ]\S+|--upgrade|-U)(?=\s|$)/g

/** Installs a published package: for people who use the product, not for those who change it. */
const published =
  /^(?:(?:python3? -m )?(?:pip3?|pipx|uv (?:tool|pip)) install (?:-U |--upgrade |--user )*["']?[A-Za-z][\w.-]*(?:\[[\w,-]+\])?["']?(?:[=<>~]=[\w.]+)?$|npm (?:i|install) (?:-g |--global |--save(?:-dev)? |-D |-S )*@?[A-Za-z][\w./-]*$|(?:yarn|pnpm|bun) (?:global )?add (?:-D |-g |--dev )*@?[a-z][\w./-]*$|cargo (?:install|add) (?:--locked )?[\w-]+$|gem install [\w-]+$|go (?:install|get) (?:-u )?[\w./-]+@\w+$|go get (?:-u )?[\w.]+\.\w+\/[\w./-]+$|brew install [\w@/.-]+$|composer (?:global )?require (?:--dev )?[\w./-]+$|docker pull \S+$|dotnet (?:add package|tool install) .{2,60}$|(?:cabal|stack|opam|luarocks) (?:v2-)?install (?:-y )?[\w-]+$|(?:sudo )?(?:apt|apt-get|yum|dnf|zypper|snap|pkg) install (?:-y )?[\w-]+$)/

const isPlain = (text: string): boolean =>
  text.length <= 160 &&
  (text.match(/(?<!\w)'|'(?!\w)/g)?.length ?? 0) % 2 === 0 &&
  !/<<|[{(]\s*(?:#.*)?$|\bdo$|[^-=]>\s*\S*\/|^\W*$|(?<!\.\/)\.\.\.\]?$|\s\.\.\.(?=\s)|\[[^\]]*\.\.\.\]|…|→/.test(
    text
  ) &&
  // A sentence has words only, and ends.
  !/^[A-Za-z][\w'-]*(?: [\w',-]+){4,}\.$/.test(text) &&
  /^(?!exec\s)[\w./~@"'(]/.test(text)

const lastWord = /([\w@/.-]+?)(?:\[[^\]]*\])?["']?(?:[=@<>~].*)?$/

/** Packages of the system that the build needs. */
const systemPackages =
  /^(?:sudo )?(?:(?:apt|apt-get|dnf|yum)(?: -\w+)* install|zypper in(?:stall)?|pacman -S\w*|apk add|brew install|pkg install)(?: -\S+)* \w\S* \w/
const aboutNeeds = /depend|prerequisit|require|build|compil|source|develop/i

interface Own {
  /** Words of the readme's title, one of which may be the program's name. */
  readonly titled: ReadonlySet<string>
  /** Names under which the repository is published. */
  readonly names: ReadonlySet<string>
  readonly programs: ReadonlySet<string>
  readonly modules: ReadonlySet<string>
  /** What the documents have the program take away again: `kettle cluster` of `kettle delete cluster`. */
  readonly removed: ReadonlySet<string>
  /** What the documents clone, where that is this repository. */
  readonly isClone: (name: string) => boolean
}

const puts =
  /^(?:sudo )?(?:[A-Z]+=\S+ )*(?:(?:make|ninja|meson|cmake)\b.*\s(?:--)?install(?:\s|$)|(?:python[\d.]* )?(?:\.\/)?setup\.py install(?:\s|$)|(?:\.\/)?Build install$)|^(?:sudo )?(?:(?:sh |bash )(?:\.\/)?|\.\/)install(?:\.sh)?$|^su (?:root )?-c ["']make install["']$/

/** A container of another image serves to try something out. */
const isForeign = (line: string, names: ReadonlySet<string>): boolean =>
  /^docker run\b/.test(line) && ![...names].some((name) => line.toLowerCase().includes(name))

const ofPublished = (text: string, { names, programs }: Own): Purpose | null => {
  const named = (lastWord.exec(text)?.[1] ?? "").toLowerCase()
  return names.has(named.split("/").at(-1)!) || names.has(named) || programs.has(named) ? "use" : null
}

/** What a program is, or whether its settings are right, not what it does; or what someone has to fill in first. */
const asksOnly =
  /\s(?:-V|-h|--?version|--?help|--(?:\w+-)?info|--(?:list|show|print|dump)(?:-[\w-]+)?|--?(?:config-?test|test-?config|check-?config))$|<[^<>]*\s[^<>]*>/

/** `shop init` makes what `shop serve` runs with. */
const prepares =
  /^\S+ (?:(?:-i|--init|init|new|create|setup|install|configure|import)(?:\s|$)|(?:init|new|create|setup|install|configure|import|get|add|remove|delete)-\w)/

const removes = /^(?:sudo )?([\w.-]+) (?:delete|destroy|remove|rm) ([a-z][\w-]*)/

/** `kettle create cluster` is the program at work where the documents have `kettle delete cluster`, too. */
const isUndone = (line: string, { removed }: Own): boolean => {
  const [, name, what] = /^([\w.-]+) create ([a-z][\w-]*)/.exec(line) ?? []
  return name !== undefined && removed.has(`${name} ${what}`)
}

/** `java -jar Shop.jar`, where the archive has the name of the product. */
const startsJar = (line: string, names: ReadonlySet<string>): boolean => {
  const archive =
    /^java(?:w)?\s+(?:-\S+\s+)*?-jar\s+(?:[\w.${}*-]+\/)*([A-Za-z][\w-]*?)(?:-(?:\d|\$|<|\*)\S*)?\.jar(?:\s|$)/.exec(
      line
    )?.[1]
  return archive !== undefined && names.has(archive.toLowerCase()) && !asksOnly.test(line)
}

/** What a build leaves in a folder, or lies there. */
const isBuilt = /^(?:\.\/|(?:\.\/)?(?:build|bin|out|target|src)\/)/

/** In a folder for programs, whatever the folder of its sources is called. */
const isLeftInFolder = /^(?:\.\/)?(?:build|bin|out|target)\//

/** Of a linter or a tool for releases the readme shows how it is used, not how its own code is checked or shipped. */
const purposeOfCommand = (text: string, line: string, about: string, own: Own): Purpose | null => {
  const { programs, modules, titled, names } = own
  const stated = purposeOfLine(line)
  if (stated === null && startsJar(line, names)) return "run"
  const isStarted =
    startsOwn(text, programs) ||
    startsModule(text, modules) ||
    (isBuilt.test(text) && (startsOwn(text, titled) || (isLeftInFolder.test(text) && startsOwn(text, names))))
  if (!isStarted || (prepares.test(line) && !isUndone(line, own))) return stated
  const isOfReadme = /^readme/i.test(about)
  // A tool for releases is shown with the version of the one who uses it.
  if (stated === "release" && isOfReadme) return null
  const isUse = stated === null || (/^(?:lint|format|types)$/.test(stated) && isOfReadme)
  return isUse ? "run" : stated
}

/** A path that the reader has to fill in. */
const isLeftOpen = /(?:^|[\s=])(?:~|\.)?\/?(?:[\w.-]+\/){0,3}path\/to\/|[\s/]your[-_]\w/

const purposeIn = (text: string, about: string, own: Own, isManual: boolean): Purpose | null => {
  const plain = text.replace(/^sudo /, "").replace(asides, "")
  if (published.test(text) || published.test(plain)) return ofPublished(published.test(text) ? text : plain, own)
  if (puts.test(text)) return "use"
  if (systemPackages.test(text)) return aboutNeeds.test(about) && !isManual ? "install" : null
  const line = unwrapped(text)
  if (isLeftOpen.test(text)) return null
  if (asksOnly.test(line)) return null
  const purpose = purposeOfCommand(text, line, about, own)
  // Steps of a release run the tests, too; that is not how one works.
  const isAside = isForeign(line, own.names) || (/releas/i.test(about) && purpose !== "release")
  return isAside ? null : purpose
}

const hasBuildFile = (survey: Survey, folder: string): boolean =>
  [
    "package.json",
    "pyproject.toml",
    "setup.py",
    "Cargo.toml",
    "go.mod",
    "Makefile",
    "Gemfile",
    "composer.json",
    "pom.xml"
  ].some((name) => survey.has(joined(folder, name)))

/**
 * A folder of the repository that a document means by `cd project/part`: most begin with that of the checkout. Null for
 * folders beside it.
 */
const folderMeant = (survey: Survey, written: string, { names }: Own): string | null => {
  const parts = resolvedPath("", written).split("/")
  // Of a package that has the repository's name the checkout is meant, where what builds it lies there.
  if (names.has(parts[0]!.toLowerCase()) && !hasBuildFile(survey, parts[0]!) && hasBuildFile(survey, "")) parts.shift()
  if (parts.length === 0) return ""
  for (let from = 0; from < parts.length; from++) {
    const folder = parts.slice(from).join("/")
    if (survey.hasFolder(folder)) return folder
  }
  return parts.length > 1 ? null : ""
}

/** A document speaks of the folder that it lies in, those in a folder for documents of the repository. */
const homeOf = (survey: Survey, path: string): string =>
  directoryOf(path).replace(
    isReadme(path) && (hasBuildFile(survey, directoryOf(path)) || !/^docs?$/.test(directoryOf(path)))
      ? /^\.github$/
      : /^(?:\.github|docs?(?:[-_]\w+)?|documentation)(?:\/.*)?$/i,
    ""
  )

/** A document clones this repository, or several of which only one has its name. */
const cloneTest = (names: ReadonlySet<string>, clones: ReadonlySet<string>): Own["isClone"] => {
  const known = [...clones].filter((clone) => names.has(clone))
  return (name) => (known.length > 0 ? known.includes(name) : clones.size === 1)
}

const isBuildStep = (part: string): boolean => !puts.test(part) && purposeOfLine(part) === "build"

/** The parts of a line; steps of one build, such as `./configure && make`, are of no use apart. */
const chainsOf = (text: string): ReadonlyArray<string> => {
  if (/\|\||;/.test(text)) return partsOf(text)
  const chains: Array<Array<string>> = []
  for (const part of partsOf(text)) {
    const last = chains.at(-1)
    if (last !== undefined && isBuildStep(part) && last.every(isBuildStep)) last.push(part)
    else chains.push([part])
  }
  return chains.map((chain) => chain.join(" && "))
}

/** A target or a script of the repository, whose name need not say what it does. */
const ofItsOwn =
  /^(?:(?:cabal|stack|dune|cargo|go) (?:run|exec)\s[^|;&]*\btests?|(?:g?make|just|task|ant|(?:bundle exec )?rake|npm run|pnpm run|yarn(?: run)?) [a-z][\w:.-]*|(?:sh |bash )?\.?\/?(?:[\w.-]+\/)*[\w-]+\.(?:sh|bash|py|pl|rb))$/

const aboutStarts =
  /^(?:\d[\d.]*\s+)?(?:how to\s+)?(?:run(?:ning)?|start(?:ing)?|launch(?:ing)?)(?:\s+(?!in\b|with\b)[\w.-]+){0,3}$/i
const aboutBuilds =
  /^(?:\d[\d.]*\s+)?(?:how to\s+)?(?:build(?:ing)?|compil(?:e|ing))(?:\s+(?:from|the|it|your|own)\b)?(?:\s+(?!in\b|with\b|docs?\b|images?\b)[\w.-]+){0,2}$/i
/** A script that makes something, by its name. */
const makesOther = /(?:^|\/)(?:make|build|compile)[-_][\w-]+\.(?:sh|bash|py|pl|rb)$/
const aboutTests =
  /^(?:\d[\d.]*\s+)?(?:how to\s+)?(?:(?:run(?:ning)?|execut(?:e|ing))\s+)?(?:(?:the|all|our|automated|unit)\s+)*tests?(?:ing)?(?:\s+suite)?$/i
const ofOthers =
  /\b(?:tests?|testing|lint\w*|doc\w*|examples?|bench\w*|migrat\w*|releas\w*|checks?|coverage|spec\w*|build\w*|script\w*|develop\w*)\b/i

/** What the heading says of a command whose own words do not say its purpose. */
const purposeBelow = (heading: string, part: string): Purpose | null => {
  const name = part.split(" ").at(-1)!
  if (!ofItsOwn.test(part) || purposeOfLine(part) !== null || prepares.test(part) || isSpecial(name)) return null
  if (/^(?:upload|publish|deploy|send)[-_:]/.test(name)) return null
  if (aboutTests.test(heading)) return makesOther.test(part) ? null : "test"
  if (aboutBuilds.test(heading)) return makesOther.test(part) ? "build" : null
  return aboutStarts.test(heading) && !ofOthers.test(heading) ? "run" : null
}

/** `cat orders.txt | shop` shows how a program that reads its input is started. */
const isPipeInto = (part: string, text: string): boolean =>
  text.endsWith(`| ${part}`) &&
  /^(?:echo|cat|printf|ls|find|ps|seq|fortune|curl|head)\s[^|`]*\| [^|`]*$/.test(text) &&
  !text.includes("$(")

/** What a part of a line is for; what goes through a pipe, or is asked when something went wrong, is something else. */
const purposeOfPart = (part: string, text: string, path: string, headings: ReadonlyArray<string>, own: Own) => {
  const about = [baseName(path), ...headings]
  const purpose = purposeIn(part, about.join(" "), own, path.split("/").length > 2)
  const isOther = (/[|`]|\$\(/.test(text) && !isPipeInto(part, text)) || about.some(isTroubleHeading)
  if (purpose === "run" && isOther) return null
  return purpose ?? (isOther ? null : purposeBelow(headings.at(-1) ?? "", part))
}

/** A command that names a path of the repository's root is said there, wherever its document lies. */
const placeOf = (survey: Survey, command: string, folder: string): string => {
  const [, named] = /\s(?:\.\/)?([\w-]+\/[\w./-]*[\w-])(?=\s|$)/.exec(command) ?? []
  const isRooted =
    folder !== "" && named !== undefined && survey.resolves(named) && !survey.resolves(joined(folder, named))
  return isRooted ? "" : folder
}

/** A script that is written without the folder that it lies in: `configure --prefix=/usr`. */
const spelled = (command: string): string =>
  command
    .replace(/^(?=(?:configure|autogen\.sh|bootstrap\.sh)(?:\s|$))/, "./")
    // Both stand for what a command prints; one of them ends a span of code.
    .replace(/`([^`]+)`/g, "$($1)")

/** Words of the language besides: programs only where the sentence says to run them. */
const orWord = /^(?:ant|yarn)$/

/** Whether a sentence means a command; one word of it is one where it is a program of the repository. */
const countsInSentence = (before: string, text: string, headings: ShellLine["headings"], { programs }: Own): boolean =>
  !refuses.test(before) &&
  !speaksOfProduct.test(before) &&
  (/\s/.test(text) ||
    ((isRunAlone(text) || orWord.test(text)) && !isForNeeds(before, headings)) ||
    startsOwn(text, programs))

/** Whether a line is a command of this repository, by the words before it. */
const isOfRepository = ({ before, text, headings, clone }: ShellLine, own: Own): boolean =>
  (before === null || countsInSentence(before, text, headings, own)) && (clone === null || own.isClone(clone))

const MAX_USAGE = 160

const isWritten = ({ isUsage }: ShellLine, text: string): boolean =>
  isUsage === true ? text.length <= MAX_USAGE : isPlain(text)

/** What is installed or built there makes the pages that one reads about the product. */
const ofDocuments = /^(?:docs?|documentation)(?:\/|$)/

const mentionOf = (purpose: Purpose, { before }: ShellLine): Pick<Command, "isMention"> =>
  purpose === "run" && before !== null && speaksOfChance.test(before) ? { isMention: true } : {}

const commandsIn =
  (survey: Survey, path: string, own: Own, builds: BuildFolders) =>
  (shell: ShellLine): ReadonlyArray<Command> => {
    if (!isOfRepository(shell, own)) return []
    const above = builds.fromAbove(shell)
    const text = above ?? shell.text
    const written = above === null ? shell.folder : ""
    const start = written === "" ? homeOf(survey, path) : folderMeant(survey, written, own)
    if (!isWritten(shell, text) || start === null) return []
    let folder: string | null = start
    return chainsOf(text).flatMap((part): ReadonlyArray<Command> => {
      const next = /^cd ["']?([\w./-]+)["']?$/.exec(part)?.[1]
      if (next !== undefined) folder = folderMeant(survey, joined(written, next), own)
      const purpose = purposeOfPart(part, text, path, shell.headings, own)
      if (folder === null || purpose === null || (shell.isUsage === true && purpose !== "run")) return []
      const aside = asideOf(path, purpose, shell)
      return [
        {
          purpose: narrowed(purpose, part),
          command: clip(purpose === "run" && isPipeInto(part, text) ? text : spelled(part), 160),
          means: null,
          folder: placeOf(survey, part, folder),
          path,
          line: shell.line,
          origin: "document",
          ...mentionOf(purpose, shell),
          ...(aside === undefined ? {} : { aside })
        }
      ]
    })
  }

/** Lines of one block that configure and compile are one build. */
const MAX_LINES_BETWEEN = 3
const preparesBuild = new RegExp(`${preparesMake.source}|^cmake\\b(?!.*--build)|^meson (?!compile|test|install)|^qmake`)

const wholeBuilds = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> =>
  completedBuilds(joinedBuilds(commands, preparesBuild, (last, next) => next.line - last.line <= MAX_LINES_BETWEEN))

const MAX_RUNS_PER_FILE = 4

/**
 * Of the lines that start the program the first few: the others show what it can be asked. Where the program with the
 * repository's name is started, those that only help it are left out.
 */
const fewRuns = (
  stated: ReadonlyArray<Command>,
  names: ReadonlySet<string>,
  published: ReadonlySet<string>
): ReadonlyArray<Command> => {
  const commands = [...stated].sort(
    (a, b) =>
      Number(isStart(b)) - Number(isStart(a)) ||
      Number(leavesCommandOpen(a)) - Number(leavesCommandOpen(b)) ||
      Number(a.isMention ?? false) - Number(b.isMention ?? false)
  )
  const started = commands.flatMap(({ purpose, command }) => (purpose === "run" ? programOf(command) : []))
  const main = started.filter((name) => names.has(name))
  const isHelper = (command: string): boolean => {
    const own = packageOf(command)
    const isOther = own !== undefined && !published.has(own.toLowerCase())
    const helps = isOther && (ofHelper.test(own) || main.some((name) => published.has(name)))
    return helps || main.some((name) => programOf(command).startsWith(`${name}-`))
  }
  let runs = 0
  return commands.filter(
    ({ purpose, command }) => purpose !== "run" || (!isHelper(command) && runs++ < MAX_RUNS_PER_FILE)
  )
}

/** What its name says that it fetches or makes is there before the program starts. */
const ofHelper = /^(?:gen|generate|download|update|fetch|sync|docgen|migrate)(?:[-_.]|$)/

/** `go run ./cmd/kettle` starts what that package is called. */
const packageOf = (command: string): string | undefined =>
  /^go run (?:-\S+ )*([\w./-]+)/
    .exec(command)?.[1]
    ?.replace(/\/main\.go$|\.go$|\/$/, "")
    .split("/")
    .at(-1)

const programOf = (command: string): string =>
  packageOf(command) ?? /^(?:sudo )?(?:\.\/)?([\w.-]+)/.exec(command)?.[1] ?? ""

/** Commands that documents for contributors state, then those of the readme. */
export const documentCommands = (survey: Survey): ReadonlyArray<Command> => {
  const documents = survey
    .texts(documentFile)
    .filter(({ path }) => (isReadme(path) && path.split("/").length <= 2) || isGuideForContributors(path))
    // What is ticked off one by one serves an occasion, such as a release.
    .filter(({ path }) => !/check-?list/i.test(path))
    .slice(0, MAX_FILES)
    .map(({ path, text }) => ({ path, lines: shellIn(text, isPlainText(path)).slice(0, MAX_LINES) }))
  const programs = ownProgramsOf(survey)
  const published = publishedNames(survey)
  const titled = titleWords(survey)
  const names = new Set([...published, ...[...programs].map((name) => name.toLowerCase())])
  const clones = new Set(documents.flatMap(({ lines }) => lines.flatMap(({ clone }) => clone ?? [])))
  const removed = new Set(
    documents
      .flatMap(({ lines }) => lines.flatMap(({ text }) => [removes.exec(text) ?? []]))
      .flatMap(([, name, what]) => (name === undefined ? [] : [`${name} ${what}`]))
  )
  const modules = startedModules(survey)
  const own: Own = { names, programs, modules, removed, titled, isClone: cloneTest(names, clones) }
  const stated = documents.flatMap(({ path, lines }) =>
    fewRuns(
      wholeBuilds(
        lines
          .flatMap(commandsIn(survey, path, own, new BuildFolders(survey, lines, names)))
          .filter(({ folder, purpose }) => purpose === "docs" || !ofDocuments.test(folder))
      ),
      names,
      published
    ).slice(0, MAX_PER_FILE)
  )
  const isStarted = stated.some(({ purpose, aside }) => purpose === "run" && aside === undefined)
  return isStarted ? stated : [...stated, ...synopsisCommands(survey, programs, published)]
}

/** No markup: what is indented is a command, however little. */
const isPlainText = (path: string): boolean => /(?:^|\/)[A-Za-z_-]+(?:\.(?:txt|text|[A-Z]+))?$/.test(path)
