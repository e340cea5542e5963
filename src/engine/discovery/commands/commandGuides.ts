import { at, code, type Guide, type Item } from "../Draft.ts"
import { testParagraphs } from "../documented/paragraphs.ts"
import { clip } from "../Observed.ts"
import { isPartOf } from "../partsOfTests.ts"
import type { Survey } from "../Survey.ts"
import { type Command, isOfSomeTests, ordered, type Purpose, plain } from "./Command.ts"
import { documented, releaseItems } from "./releases.ts"
import { partsOf } from "./words.ts"

interface Outline {
  readonly slug: string
  readonly title: string
  readonly description: string
  /** What it covers, and how each of these is introduced. */
  readonly parts: ReadonlyArray<readonly [purpose: Purpose, label: string]>
}

const outlines: ReadonlyArray<Outline> = [
  {
    slug: "install",
    title: "Install",
    description: "Fetch what the code depends on.",
    parts: [
      ["install", ""],
      ["use", "For those who only use it: "]
    ]
  },
  { slug: "run", title: "Run", description: "Start the program.", parts: [["run", ""]] },
  { slug: "build", title: "Build", description: "Make what is shipped from the sources.", parts: [["build", ""]] },
  {
    slug: "test",
    title: "Test",
    description: "Run all tests, the tests of one file, one test.",
    parts: [
      ["test", "All: "],
      ["test_file", "One file: "],
      ["test_case", "One test: "]
    ]
  },
  {
    slug: "lint",
    title: "Check style and types",
    description: "Linters, formatters and type checkers.",
    parts: [
      ["check", "All checks: "],
      ["lint", "Lint: "],
      ["format", "Format: "],
      ["types", "Types: "]
    ]
  },
  {
    slug: "generate",
    title: "Generate code",
    description: "Make the sources that are generated.",
    parts: [["generate", ""]]
  },
  {
    slug: "migrate",
    title: "Migrate data",
    description: "Bring a database to the schema of the code.",
    parts: [["migrate", ""]]
  },
  { slug: "docs", title: "Build the documents", description: "Make the pages that users read.", parts: [["docs", ""]] },
  { slug: "release", title: "Release", description: "How a version is made and shipped.", parts: [["release", ""]] }
]

const MAX_COMMANDS = 12
const MAX_STEPS = 6

/** The command with where it is stated, as a clause. */
export const statedAt = ({ command, means, folder, path, line, origin, aside, lacks }: Command): string => {
  const where = folder === "" ? "" : ` in ${code(folder)}`
  if (origin === "convention") return `${code(command)}${where} (not stated; usual with ${at({ path, line })})`
  const missing = lacks === undefined ? "" : `; ${code(clip(lacks, 80))} is not in the tree`
  const stands = `${at({ path, line })}${aside === undefined ? "" : `, under “${clip(aside, 80)}”`}${missing}`
  return `${code(command)}${where}${means === null ? "" : `: ${means.includes("`") ? means : code(means)}`} (${stands})`
}

const itemOf = (label: string, command: Command): Item => ({
  text: `${label}${command.origin === "pipeline" ? `the pipeline ${command.command.startsWith("uses: ") ? "" : "runs "}` : ""}${statedAt(command)}`,
  cites: [{ path: command.path, line: command.line }]
})

/** What a pipeline runs is what has to pass: it is said when that is not what people are given to run. */
const difference = (
  purpose: Purpose,
  own: ReadonlyArray<Command>,
  steps: ReadonlyArray<Command>
): ReadonlyArray<Item> => {
  const [first] = own
  const [step] = steps
  if (first === undefined || step === undefined || first.origin === "convention" || purpose === "release") return []
  const parts = partsOf(first.command).map(plain)
  if (steps.some(({ command }) => parts.some((part) => plain(command).includes(part)))) return []
  return [
    {
      text: `The pipeline does not run ${code(first.command)} but what is listed for it (first: ${at(step)}).`,
      cites: [{ path: step.path, line: step.line }]
    }
  ]
}

/** What is said of one system, for trouble or another choice comes after all that is said of the whole. */
const wholeFirst = (commands: ReadonlyArray<Command>, parts: Outline["parts"]): ReadonlyArray<Item> => {
  const whole = commands.filter(({ aside }) => aside === undefined)
  const asides = commands.filter(({ aside }) => aside !== undefined)
  return [whole, asides].flatMap((some) => parts.flatMap(([purpose, label]) => partItems(some, purpose, label)))
}

const partItems = (commands: ReadonlyArray<Command>, purpose: Purpose, label: string): ReadonlyArray<Item> => {
  const all = ordered(commands, purpose)
  const some = all.filter(isOfSomeTests)
  const isLate = (command: Command) => isOfSomeTests(command) || command.origin === "container"
  const own = all.filter((command) => command.origin !== "pipeline" && !isLate(command))
  // An image is made of what a build makes.
  const images = all.filter(({ origin }) => origin === "container")
  const known = new Set(own.map(({ command }) => plain(command)))
  const steps = all.filter(({ origin, command }) => origin === "pipeline" && !known.has(plain(command)))
  return [
    ...own
      .slice(0, MAX_COMMANDS)
      .map((command) => itemOf(isPartOf(command, own[0]!) ? "Some of them: " : label, command)),
    ...steps.slice(0, MAX_STEPS).map((command) => itemOf(label, command)),
    ...images.slice(0, MAX_STEPS).map((command) => itemOf(label, command)),
    ...some
      .slice(0, MAX_STEPS)
      .map((command) => itemOf(all.length === some.length ? label : "Some of them: ", command)),
    ...difference(purpose, own, steps)
  ]
}

/** One guide for each thing that people want to do, with the commands for it and where each of them stands. */
export const commandGuides = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Guide> =>
  outlines.flatMap(({ slug, title, description, parts }): ReadonlyArray<Guide> => {
    const stated = wholeFirst(commands, parts)
    // Where a document lists the steps of a release, targets and pipelines are what some of these use.
    const steps = slug === "release" ? documented(survey) : []
    const items = slug === "release" ? [...steps, ...stated, ...releaseItems(survey).slice(steps.length)] : [...stated]
    if (slug === "test" && items.length > 0) items.push(...testFolders(survey), ...testParagraphs(survey))
    return items.length === 0 ? [] : [{ slug, title, description, items }]
  })

const testFolders = (survey: Survey): ReadonlyArray<Item> => {
  const counts = new Map<string, number>()
  for (const { path } of survey.tests) {
    const folder = path
      .split("/")
      .slice(0, Math.min(2, path.split("/").length - 1))
      .join("/")
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const most = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 5)
  if (most.length === 0) return []
  const [first] = survey.tests
  return [
    {
      text: `Test files by folder: ${most.map(([folder, count]) => `${code(folder === "" ? "." : folder)} ${count.toLocaleString("en-US")}`).join(", ")}`,
      cites: [{ path: first!.path, line: 1 }]
    }
  ]
}
