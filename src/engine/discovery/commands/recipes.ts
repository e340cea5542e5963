import { directoryOf } from "../../core/text/paths.ts"
import { clip } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import type { Command, Purpose } from "./Command.ts"
import { narrowed, purposeOfScript } from "./words.ts"

const MAX_FILES = 24

interface Recipe {
  readonly name: string
  readonly line: number
  /** What it runs, a line each. */
  readonly body: ReadonlyArray<string>
  readonly isOfRelease?: boolean | undefined
  /** The property in which a test is named that a target runs alone. */
  readonly testIn?: string | undefined
}

const isShown = (line: string): boolean =>
  line !== "" && !/^(?:#|echo\b|printf\b|\$\(call|\$\(info|@?:$|cd\b[^&;]*$|mkdir\b|if\b|fi\b|then\b)/.test(line)

type Open = Recipe & { readonly body: Array<string> }

const ruleHead =
  /^(?!\s*(?:export|set|alias|define|ifeq|ifneq|include)\b)@?([A-Za-z][\w. -]{0,100}?)(?:\s+[^:=]{0,120}|\s*)::?(?!=)([^=]*)$/

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

  read(line: string, number: number): void {
    const written = line.trim().replace(/^[@-]+\s*/, "")
    if (/^(?:\t| {2,})/.test(line) && this.open.length > 0) this.body(written)
    else if (written !== "" && !line.startsWith("#")) {
      const head = ruleHead.exec(line)
      this.open = head === null ? [] : this.begin(head, number)
    }
  }

  private body(written: string): void {
    for (const { body } of this.open) if (isShown(written) && body.length < 20) body.push(written)
  }

  private begin([, names, needs]: RegExpExecArray, line: number): ReadonlyArray<Open> {
    return names!
      .split(/\s+/)
      .filter(isTarget)
      .map((name) => {
        const known = this.found.get(name) ?? { name, line, body: [] }
        if (known.body.length === 0) known.body.push(...needed(needs!))
        this.found.set(name, known)
        return known
      })
  }
}

/** Targets of a Makefile or recipes of a justfile with the lines below each. */
export const recipesIn = (text: string): ReadonlyArray<Recipe> => {
  const reader = new RecipeReader()
  for (const [index, line] of text.split("\n").entries()) reader.read(line, index + 1)
  return [...reader.found.values()]
}

const tasksIn = (text: string): ReadonlyArray<Recipe> => {
  const found: Array<{ readonly name: string; readonly line: number; readonly body: Array<string> }> = []
  let isInside = false
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\S/.test(line)) isInside = /^tasks:/.test(line)
    const name = isInside ? /^ {2}["']?([a-z][\w:.-]{0,40})["']?:\s*(?:["']?(\S.*?)["']?)?$/.exec(line) : null
    if (name !== null) found.push({ name: name[1]!, line: index + 1, body: name[2] === undefined ? [] : [name[2]] })
    else if (isInside && /^ {4,}(?:-\s+(?:cmd:\s*)?|cmd:\s*)(?![\w-]+:\s)/.test(line))
      found.at(-1)?.body.push(
        line
          .trim()
          .replace(/^(?:-\s+)?(?:cmd:\s*)?/, "")
          .replace(/^["']|["']$/g, "")
      )
  }
  return found
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

const toolOf = (path: string): string =>
  /build\.xml$/.test(path)
    ? "ant"
    : /\.build$/.test(path)
      ? "nant"
      : /[Jj]ustfile$/.test(path)
        ? "just"
        : /Taskfile/.test(path)
          ? "task"
          : "make"

const recipesOf = (tool: string, text: string): ReadonlyArray<Recipe> =>
  tool === "task" ? tasksIn(text) : /ant$/.test(tool) ? targetsIn(text) : recipesIn(text)

/** `dev` may set up, or make something for those who develop. */
const isForDevelopers = /^dev(?:elop)?$/
const starts = /watch|serve|start|run|\bup\b|\bdev\b|air|reflex|live|hugo|python|node|flask|uvicorn|php/

/** What `configure` makes the Makefile of; Automake writes one where the folder has a `Makefile.am`. */
const isTemplate = (path: string): boolean => path.endsWith("Makefile.in")

const purposeOf = (path: string, { name, body, isOfRelease }: Recipe): Purpose | null => {
  if (isOfRelease === true) return "release"
  const text = body.join("\n")
  const purpose = /^_|^default$/.test(name) ? null : purposeOfScript(name, text)
  if (purpose === "run" && isForDevelopers.test(name) && text !== "" && !starts.test(text)) return null
  // Nothing is made before it is configured.
  return isTemplate(path) && (purpose === "build" || purpose === "install") ? null : purpose
}

/** Commands that a file of recipes states. */
export const recipeCommands = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .sourceTexts(
      /(?:^|\/)(?:(?:GNUm|[Mm])akefile|\.?[Jj]ustfile|Taskfile\.ya?ml|build\.xml)$|^[\w.-]+\.build$|^Makefile\.in$/
    )
    .filter(({ path }) => !isTemplate(path) || !(survey.has("Makefile.am") || survey.has("Makefile")))
    .slice(0, MAX_FILES)
    .flatMap(({ path, text }) => {
      const tool = toolOf(path)
      const folder = directoryOf(path)
      return recipesOf(tool, text).flatMap(({ name, line, body, isOfRelease, testIn }): ReadonlyArray<Command> => {
        const purpose = purposeOf(path, { name, line, body, isOfRelease })
        if (purpose === null) return []
        const means = body.length === 0 ? null : clip(body.slice(0, 4).join("; "), 140)
        return [
          {
            purpose: testIn === undefined ? narrowed(purpose, ` ${name}`) : "test_file",
            command: `${tool} ${name}${testIn === undefined ? "" : ` -D${testIn}=<name of the test>`}`,
            means,
            folder,
            path,
            line,
            origin: "target"
          }
        ]
      })
    })
