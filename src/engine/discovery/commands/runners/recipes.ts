import { directoryOf } from "../../../core/text/paths.ts"
import { clip } from "../../Observed.ts"
import { lineOf, type Survey } from "../../Survey.ts"
import { compilesAlone } from "../builds/compiledReleases.ts"
import { configuredFirst } from "../builds/configuredFirst.ts"
import { missingNeed } from "../builds/missingNeeds.ts"
import { makesRelease } from "../builds/packing.ts"
import type { Command, Purpose } from "../Command.ts"
import { isGenerated } from "../programs/makefilePrograms.ts"
import { narrowed } from "../tests/narrowed.ts"
import { purposeOfScript, purposeOfText } from "../words.ts"
import { asRules } from "./justRecipes.ts"
import { oneTest } from "./oneTest.ts"
import { preparedFirst } from "./preparedFirst.ts"
import { onlyPrints } from "./prints.ts"
import { askedWith, type Recipe } from "./Recipe.ts"
import { requiredVariables, variablesSet, withValues } from "./requiredVariables.ts"
import { tasksIn } from "./tasks.ts"
import { isMoreThanBuild } from "./wholeTargets.ts"

const MAX_FILES = 24

const isShown = (line: string): boolean =>
  line !== "" && !/^(?:#|echo\b|printf\b|\$\(call|\$\(info|@?:$|cd\b[^&;]*$|mkdir\b|if\b|fi\b|then\b)/.test(line)

interface Open extends Recipe {
  readonly body: Array<string>
  readonly runs: Array<string>
  isIdle: boolean
  /** What it runs is not known from its lines alone. */
  isChosen: boolean
}

const MAX_RUNS = 40

/** Within a recipe, what the lines between depend on. */
const conditional = /^(?:(?:ifn?def|ifn?eq|else|endif)|\.[ \t]*(?:if\w*|el(?:se|if)\w*|endif|for|endfor))\b/

const ruleHead =
  /^(?!\s*(?:export|set|alias|define|ifeq|ifneq|include)\b(?!\s*::?(?!=)))@?([A-Za-z][\w. -]{0,100}?)(?:\s+[^:=]{0,120}|\s*)::?(?!=)([^=]*)$/

/** `lint: lint-go lint-js` does what the others do. */
const needed = (needs: string): ReadonlyArray<string> =>
  needs
    .replace(/\s*[;#].*$/, "")
    .trim()
    .split(/\s+/)
    .filter((need) => /^[a-z][\w.-]*$/.test(need))
    .map((need) => `make ${need}`)

const isTarget = (name: string): boolean => /^[A-Za-z][\w.-]{1,40}$/.test(name) && !/\.\w{1,4}$/.test(name)

class RecipeReader {
  readonly found = new Map<string, Open>()
  private open: ReadonlyArray<Open> = []
  /** What is printed goes on in the next line. */
  private isPrinting = false

  read(line: string, number: number): void {
    const written = line.trim().replace(/^[@-]+\s*/, "")
    if (conditional.test(line.trim())) for (const open of this.open) open.isChosen = true
    if (/^(?:\t| {2,})/.test(line) && this.open.length > 0) {
      this.body(written)
      this.runs(line.trim())
    } else if (written !== "" && !line.startsWith("#") && !conditional.test(line)) {
      const head = ruleHead.exec(line)
      this.open = head === null ? [] : this.begin(head, number)
    }
  }

  private body(written: string): void {
    const isPrinted = this.isPrinting || onlyPrints(written)
    this.isPrinting = isPrinted && written.endsWith("\\")
    for (const open of this.open) {
      if (!isPrinted) open.isIdle = false
      if (isShown(written) && open.body.length < 20) open.body.push(written)
    }
  }

  private runs(written: string): void {
    for (const open of this.open) {
      if (written.startsWith("#!")) open.isChosen = true
      const last = open.runs.at(-1)
      if (last?.endsWith("\\") === true) open.runs[open.runs.length - 1] = `${last.slice(0, -1).trim()} ${written}`
      else if (written !== "" && !written.startsWith("#") && open.runs.length < MAX_RUNS) open.runs.push(written)
    }
  }

  private begin([, names, needs]: RegExpExecArray, line: number): ReadonlyArray<Open> {
    return names!
      .split(/\s+/)
      .filter(isTarget)
      .map((name) => {
        const known = this.found.get(name) ?? { name, line, body: [], runs: [], isIdle: true, isChosen: false }
        if (known.body.length === 0) {
          known.body.push(...needed(needs!))
          known.runs.push(...needed(needs!))
        }
        if (/^\s*[^\s#]/.test(needs!)) known.isIdle = false
        this.found.set(name, known)
        return known
      })
  }
}

/** What is included, or written by a function, may add to each target. */
const addsElsewhere = /^[ \t]*[.-]?s?(?:include|import)\b|\$\(eval\b/m

/** Recipes of just, with what each may be given. */
const justRecipesIn = (written: string): ReadonlyArray<Recipe> => {
  const { text, parameters } = asRules(written)
  return recipesIn(text).map((recipe) => ({ ...recipe, parameters: parameters.get(recipe.name) ?? [] }))
}

/** Targets of Make, with the variables that they ask for. */
const makeTargetsIn = (text: string): ReadonlyArray<Recipe> => {
  const lines = text.split("\n")
  const known = variablesSet(lines)
  const spelled = withValues(text)
  return recipesIn(text).map(({ runs, ...recipe }) => ({
    ...recipe,
    ...(runs === undefined ? {} : { runs: runs.map(spelled) }),
    parameters: requiredVariables(lines, recipe.line, known)
  }))
}

/** Targets of a Makefile with the lines below each. */
export const recipesIn = (text: string): ReadonlyArray<Recipe> => {
  const reader = new RecipeReader()
  for (const [index, line] of text.split("\n").entries()) reader.read(line, index + 1)
  const isWhole = !addsElsewhere.test(text)
  const isOneShell = /^\.ONESHELL\b/m.test(text)
  return [...reader.found.values()].map(({ isChosen, runs, ...recipe }) => ({
    ...recipe,
    ...(isChosen || isOneShell ? {} : { runs }),
    isIdle: isWhole && recipe.isIdle
  }))
}

/** Of `<test name="org.shop.${test}"/>` the property, where nothing in the file sets it. */
const testIn = (text: string, from: number): string | undefined => {
  const body = text.slice(from, from + 4_000).split("</target>")[0]!
  const name = /<test\s[^>]*?\bname="[^"]*\$\{([\w.]{1,40})\}/.exec(body)?.[1]
  return name === undefined || text.includes(`name="${name}" value=`) ? undefined : name
}

/** Targets of Ant and NAnt, with what they say they are for; those that begin with a dash cannot be asked for. */
const targetsIn = (text: string): ReadonlyArray<Recipe> =>
  [...text.matchAll(/<target\s[^>]*?\bname="([A-Za-z][\w.-]{0,40})"[^>]*>/g)].map((match) => ({
    name: match[1]!,
    line: text.slice(0, match.index).split("\n").length,
    body: [],
    testIn: testIn(text, match.index),
    isOfRelease: /\bdescription="[^"]*\b(?<!in|un)official release\b/i.test(match[0])
  }))

/** Tasks of a build of Gradle; most are for the build itself, so that only those that make a release count. */
const gradleTasksIn = (text: string): ReadonlyArray<Recipe> =>
  [
    ...text.matchAll(/^[ \t]*(?:task\s+["']?|tasks\.(?:register|create)\s*(?:<\w+>)?\s*\(\s*["'])([a-z]\w{1,40})/gm)
  ].flatMap((match): ReadonlyArray<Recipe> => {
    const name = match[1]!
    const plain = name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase()
    if (purposeOfScript(plain, "") !== "release" || /notes|docker|image|local/.test(plain)) return []
    return [{ name, line: text.slice(0, match.index).split("\n").length, body: [], isOfRelease: true }]
  })

/** Names of files that hold recipes, with the program that follows them. */
const tools: ReadonlyArray<readonly [file: RegExp, tool: string]> = [
  [/build\.xml$/, "ant"],
  [/\.gradle(?:\.kts)?$/, "gradle"],
  [/\.build$/, "nant"],
  [/[Jj]ustfile$/, "just"],
  [/Taskfile/, "task"]
]

const toolOf = (path: string): string => tools.find(([file]) => file.test(path))?.[1] ?? "make"

const recipesOf = (tool: string, text: string): ReadonlyArray<Recipe> =>
  tool === "gradle"
    ? gradleTasksIn(text)
    : tool === "task"
      ? tasksIn(text)
      : /ant$/.test(tool)
        ? targetsIn(text)
        : tool === "just"
          ? justRecipesIn(text)
          : makeTargetsIn(text)

/** `dev` may set up, or make something for those who develop. */
const isForDevelopers = /^dev(?:elop)?$/
const starts = /watch|serve|start|run|\bup\b|\bdev\b|air|reflex|live|hugo|python|node|flask|uvicorn|php/

/** `run: kettle` that only prints how the program is used starts nothing. */
const asksForHelp = (body: Recipe["body"]): boolean => {
  const own = body.filter((line) => !/^make [\w.-]+$/.test(line))
  return own.length > 0 && own.every((line) => /\s--?(?:help|version)$/.test(line))
}

/** What DKMS builds is registered with the system first. */
const isOfKernelPackage = /^dkms[-_]/

/** Takes away what is installed, builds and installs again: only other targets, one after the other. */
const isRound = (name: string, body: Recipe["body"]): boolean =>
  isForDevelopers.test(name) && body.length > 1 && body.every((line) => /^make [\w.-]+$/.test(line))

const isWholeBuild = /^(?:all|build|compile)$/

/** What `configure` makes the Makefile of; Automake writes one where the folder has a `Makefile.am`. */
const isTemplate = (path: string): boolean => path.endsWith("Makefile.in")

/** Targets of its own beside those that every Makefile of Automake has. */
const isBesideAutomake = (name: string, purpose: Purpose | null): boolean =>
  /^(?:lint|format|types|release)$/.test(purpose ?? "") && !/-(?:local|hook)$/.test(name)

/** A compiler that makes a program, also by the name of a variable. */
const links =
  /^(?:\$[({](?:CC|CXX|LD|FC|OCAML(?:C|OPT)|CAML(?:C|OPT)|GHC)[)}]|ocaml(?:c|opt)(?:\.opt)?|g?cc|g\+\+|c\+\+|clang(?:\+\+)?|ghc)\s(?:.*\s)?-o\s/

/** `test: test.o` that only makes a program called so tests nothing. */
const onlyLinks = (body: Recipe["body"]): boolean => {
  const own = body.filter((line) => !/^make [\w-]+\.\w+$/.test(line))
  return own.length > 0 && own.every((line) => links.test(line) && !/&&|;/.test(line))
}

const corrected = (purpose: Purpose | null, recipe: Recipe, file: string): Purpose | null => {
  if (purpose === "test" && onlyLinks(recipe.body)) return null
  if (purpose === "run" && asksForHelp(recipe.body)) return null
  return purpose === "release" && compilesAlone(recipe, file) ? "build" : purpose
}

const purposeOf = (path: string, recipe: Recipe, all: ReadonlyArray<Recipe>, file: string): Purpose | null => {
  const purpose = corrected(purposeBy(path, recipe, all, file), recipe, file)
  return path.endsWith(".am") && !isBesideAutomake(recipe.name, purpose) ? null : purpose
}

const purposeBy = (path: string, recipe: Recipe, all: ReadonlyArray<Recipe>, file: string): Purpose | null => {
  const { name, body, isOfRelease, isIdle } = recipe
  if (isIdle === true) return null
  if (isOfRelease === true || makesRelease(recipe, all, file)) return "release"
  if (/^(?:(?:GNUm|[Mm])akefile(?:\.in)?|build\.xml)$/.test(path) && putsForUsers(name, body)) return "use"
  const text = body.join("\n")
  const purpose = /^_|^default$/.test(name) ? null : purposeOfScript(name, text)
  if (purpose === "run" && isForDevelopers.test(name) && text !== "" && !starts.test(text)) return null
  const isOther = isOfKernelPackage.test(name) || isRound(name, body) || isMoreThanBuild(recipe, all)
  if (purpose === "build" && isOther) return null
  // Nothing is made before it is configured.
  return isTemplate(path) && (purpose === "build" || purpose === "install") ? null : purpose
}

/** `make install` puts the result in its place; one that fetches what the sources need is for those who work on it. */
const putsForUsers = (name: string, body: Recipe["body"]): boolean =>
  name === "install" && purposeOfScript(name, body.join("\n")) !== "install"

const firstRule = /^(?![\s.#])[^\s:=#][^:=#\n]{0,200}:(?![:=])/m
const compilesWith =
  /^[^\t]{0,300}(?:\.o\b|\$[({]\w*OBJ\w*[)}])|^\t[@-]?\s*(?:\$[({](?:CC|CXX|LD|GO|CPP|FC|JAVAC|LINK\.\w+)[)}]|(?:cc|gcc|g\+\+|c\+\+|clang|clang\+\+|ghc|fpc|javac|valac|rustc)\s|go build\b|cargo build\b)|^\t[^#\n]{0,80}\s-C\s[^\n]{1,120}\sM=/

/** Builds of their own: a Makefile beside one compiles a part in another language. */
const buildsOtherwise = /^(?:pom\.xml|build\.gradle(?:\.kts)?|build\.sbt|Cargo\.toml|mix\.exs)$/

/** `default: kettle`, where the recipe of `kettle` builds. */
const needsBuild = (head: string, recipes: ReadonlyArray<Recipe>): boolean => {
  const [, name = "", written = ""] = ruleHead.exec(head) ?? []
  if (purposeOfScript(name, "") !== null) return false
  const needs = written.trim().split(/\s+/)
  const bodies = recipes.filter((recipe) => needs.includes(recipe.name)).map(({ body }) => body.join("\n"))
  return bodies.length > 0 && bodies.length === needs.length && purposeOfText(bodies.join("\n")) === "build"
}

/** A Makefile whose first rule has the name of the program says by what it does that a plain `make` builds it. */
const defaultBuild = (
  path: string,
  text: string,
  first: string,
  recipes: ReadonlyArray<Recipe>,
  found: ReadonlyArray<Command>,
  missing: (target: string) => string | undefined
): ReadonlyArray<Command> => {
  const isNamed = found.some(({ purpose, lacks }) => purpose === "build" && lacks === undefined)
  const line = /^(?:GNUm|[Mm])akefile$/.test(path) && !isNamed ? lineOf(text, firstRule) : null
  if (line === null) return []
  const [head = "", ...rest] = text.split("\n").slice(line - 1, line + 12)
  if (missing(head.split(/[:\s]/, 1)[0]!) !== undefined) return []
  const end = rest.findIndex((one) => !one.startsWith("\t"))
  const rule = [head, ...rest.slice(0, end < 0 ? rest.length : end)]
  if (!rule.some((one) => compilesWith.test(one)) && !needsBuild(head, recipes)) return []
  return [{ purpose: "build", command: `${first}make`, means: null, folder: "", path, line, origin: "target" }]
}

const commandOf = (
  { name, line, body, runs, testIn }: Recipe,
  purpose: Purpose,
  start: string,
  path: string
): Command => ({
  purpose: testIn === undefined ? narrowed(purpose, ` ${name}`) : "test_file",
  command: `${start} ${name}${testIn === undefined ? "" : ` -D${testIn}=<name of the test>`}`,
  means: body.length === 0 ? null : clip(body.slice(0, 4).join("; "), 140),
  ...(runs === undefined ? {} : { runs: runs.join("\n") }),
  folder: directoryOf(path),
  path,
  line,
  origin: "target"
})

export interface RecipeFile {
  readonly path: string
  readonly text: string
  readonly tool: string
  readonly recipes: ReadonlyArray<Recipe>
}

/** Files of Make, just, Task, ant and Gradle with their recipes, without what is a template or generated. */
export const recipeFiles = (survey: Survey): ReadonlyArray<RecipeFile> =>
  survey
    .sourceTexts(
      /(?:^|\/)(?:(?:GNUm|[Mm])akefile|\.?[Jj]ustfile|Taskfile\.ya?ml|build\.xml)$|^[\w.-]+\.build$|^Makefile\.(?:in|am)$|^build\.gradle(?:\.kts)?$/
    )
    .filter(({ path }) => !isTemplate(path) || !(survey.has("Makefile.am") || survey.has("Makefile")))
    .filter(({ text }) => !isGenerated(text))
    .slice(0, MAX_FILES)
    .map(({ path, text }) => ({ path, text, tool: toolOf(path), recipes: recipesOf(toolOf(path), text) }))

/** Folder and command of each recipe that does nothing unless it is given something. */
export const demandingRecipes = (files: ReadonlyArray<RecipeFile>): ReadonlySet<string> =>
  new Set(
    files.flatMap(({ path, tool, recipes }) =>
      recipes.flatMap(({ name, parameters = [] }) =>
        parameters.some(({ isRequired }) => isRequired) ? [`${directoryOf(path)}\n${tool} ${name}`] : []
      )
    )
  )

/** Commands that a file of recipes states. */
export const recipeCommands = (survey: Survey, files: ReadonlyArray<RecipeFile>): ReadonlyArray<Command> =>
  files.flatMap(({ path, text, tool, recipes }) => {
    const folder = directoryOf(path)
    const start = tool === "gradle" && survey.has("gradlew") ? "./gradlew" : tool
    const first = tool === "make" ? configuredFirst(survey, folder, text) : ""
    const prepared = preparedFirst(survey, folder, tool, recipes)
    const missing = tool === "make" ? missingNeed(survey, path, text) : () => undefined
    const found = recipes.flatMap((recipe) => {
      const purpose = purposeOf(path, recipe, recipes, text)
      if (purpose === null) return []
      const lacks = /^(?:build|run|test|lint|release)$/.test(purpose) ? missing(recipe.name) : undefined
      const stated = {
        ...commandOf(
          recipe,
          purpose,
          `${isWholeBuild.test(recipe.name) ? first : ""}${prepared(recipe)}${start}`,
          path
        ),
        ...(lacks === undefined ? {} : { lacks })
      }
      const asked = askedWith(stated, recipe, tool)
      return purpose === "test" ? [...asked, ...oneTest(survey, tool, recipe, path, text)] : asked
    })
    return [
      ...found,
      ...(survey.hasLike(buildsOtherwise) ? [] : defaultBuild(path, text, first, recipes, found, missing))
    ]
  })
