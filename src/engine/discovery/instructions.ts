import { directoryOf } from "../core/text/paths.ts"
import type { Variable } from "./architecture/environment.ts"
import { type Command, ordered, type Purpose } from "./commands/Command.ts"
import { at, code, type Item, type Pattern, percent, plural, quoted, type Rule, type Skill } from "./Draft.ts"
import type { DescribedCommand } from "./documented/commands.ts"
import type { Description } from "./documented/Description.ts"
import { clip } from "./Observed.ts"
import { isReadme } from "./observers/texts.ts"
import { isPartOf } from "./partsOfTests.ts"
import type { Example } from "./patterns.ts"
import type { Profile } from "./profile/profile.ts"
import { languageTitles, lineOf, type Survey } from "./Survey.ts"
import { withinBytes } from "./sections.ts"

const MAX_BYTES = 8_000

/** First paragraph of prose of the readme nearest to the root, and its line. */
export const introduction = (
  survey: Survey
): { readonly text: string; readonly path: string; readonly line: number } | null => {
  const [first] = survey.files
    .filter(({ path, text }) => text !== null && isReadme(path) && !/\.debian$|^debian\//i.test(path))
    .sort((a, b) => a.path.split("/").length - b.path.split("/").length || (a.path < b.path ? -1 : 1))
  if (first?.text === undefined || first.text === null) return null
  const plainOf = (line: string) => line.replace(/\[([^\]]{1,120})\]\([^)]{0,300}\)/g, "$1")
  const isProse = (raw: string, line = plainOf(raw)) =>
    /^[A-Za-z*`"“]/.test(line) &&
    !/licen[sc]e|copyright|^(?:see|note|warning)\b/i.test(line) &&
    line.split(" ").length > 5 &&
    !/^\W*(?:\[!|!\[|<)|^\.\. |badge|^(?:=|-){3}/.test(line)
  // Comments and blocks of code are no prose; their lines are counted.
  const lines = first.text
    .replace(/<!--[\s\S]*?-->|^ {0,3}```[\s\S]*?^ {0,3}```/gm, (aside) => aside.replace(/[^\n]/g, ""))
    .split("\n")
  const from = lines.findIndex((line) => isProse(line.trim()))
  if (from < 0) return null
  const stop = lines.findIndex((line, i) => i > from && line.trim() === "")
  const paragraph = lines.slice(from, stop < 0 ? from + 6 : stop).join(" ")
  const plain = paragraph.replace(/\[([^\]]{1,120})\]\([^)]{0,300}\)/g, "$1").replace(/\*\*|__|<[^>]{1,200}>/g, "")
  return { text: clip(plain, 400), path: first.path, line: from + 1 }
}

const shown: ReadonlyArray<readonly [Purpose, string]> = [
  ["install", "Install"],
  ["use", "Install what is published"],
  ["build", "Build"],
  ["run", "Run"],
  ["test", "Test all"],
  ["test_file", "Test one file"],
  ["test_case", "Test one case"],
  ["check", "Check all"],
  ["lint", "Lint"],
  ["format", "Format"],
  ["types", "Check types"],
  ["generate", "Generate"],
  ["migrate", "Migrate"],
  ["docs", "Build documents"],
  ["release", "Release"]
]

/** What a reader looks for first: that nothing states it is an answer, too. */
const expected: ReadonlySet<Purpose> = new Set(["install", "build", "run", "test", "lint", "release"])

const MAX_ALTERNATIVES = 3

/** The plainest commands of where it is stated first, and who else states one. */
const commandLine = (
  commands: ReadonlyArray<Command>,
  explained: ReadonlyArray<DescribedCommand>,
  purpose: Purpose,
  title: string
): ReadonlyArray<string> => {
  const [top, ...rest] = ordered(commands, purpose)
  if (top === undefined) return expected.has(purpose) ? [`- ${title}: not stated.`] : []
  const all = [top, ...rest.filter((one) => !isPartOf(one, top))]
  const isAlike = ({ origin, folder, path }: Command) =>
    origin === top.origin && folder === top.folder && path === top.path
  const alike = all.filter(isAlike).slice(0, MAX_ALTERNATIVES)
  const where = top.folder === "" ? "" : ` in ${code(top.folder)}`
  const others = all.filter((one) => !isAlike(one) && one.origin !== top.origin && one.origin !== "convention")
  const [other] = others
  const elsewhere = other === undefined || other.folder === top.folder ? "" : ` in ${code(other.folder || ".")}`
  const also = other === undefined ? "" : `; also ${code(other.command)}${elsewhere} (${at(other)})`
  return [`- ${title}${where}: ${alike.map((one) => inShort(one, explained)).join(", ")}${also}`]
}

const inShort = ({ command, origin, path, line }: Command, explained: ReadonlyArray<DescribedCommand>): string => {
  const explanation = explained.find((one) => one.command === command)
  const words = explanation === undefined ? "" : `: ${quoted(explanation.text)}`
  return `${code(command)} (${origin === "convention" ? `not stated; usual with ${code(path)}` : at({ path, line })})${words}`
}

/**
 * A command of the repository's own releases it; an action of a pipeline does so when something starts the pipeline, and
 * what a document shows is one of its steps.
 */
const isReleaseCommand = ({ purpose, origin, folder, command }: Command, hasSteps: boolean): boolean =>
  purpose === "release" &&
  folder === "" &&
  (hasSteps ? /^(?:script|target)$/ : /^(?:script|target|document)$/).test(origin) &&
  !(origin === "document" && /^docker /.test(command))

/** Fewer are the lines around a command. */
const MIN_STEPS = 3

const releaseLines = (
  commands: ReadonlyArray<Command>,
  explained: ReadonlyArray<DescribedCommand>,
  steps: ReadonlyArray<Item>
): ReadonlyArray<string> => {
  const [step] = steps
  // What a workflow ships on its own is said by its trigger, or it is no release.
  const others = commands.filter(({ origin, path }) => origin !== "pipeline" || !/\/workflows\//.test(path))
  const isVariant = ({ command }: Command) => /(?:release|publish|deploy)[-:._]\w+$/.test(command)
  const hasSteps = steps.filter(({ text }) => text.startsWith("“")).length >= MIN_STEPS
  if (step === undefined || commands.some((one) => isReleaseCommand(one, hasSteps) && !isVariant(one)))
    return commandLine(others, explained, "release", "Release")
  return [`- Release: ${clip(step.text, 240)}${steps.length > 1 ? " More in the guide `release`." : ""}`]
}

const MAX_FURTHER_COMMANDS = 8

const commandLines = (
  commands: ReadonlyArray<Command>,
  explained: ReadonlyArray<DescribedCommand>,
  steps: ReadonlyArray<Item>
): ReadonlyArray<string> => {
  const lines = shown.flatMap(([purpose, title]) =>
    purpose === "release" ? releaseLines(commands, explained, steps) : commandLine(commands, explained, purpose, title)
  )
  const further = explained
    .filter(({ command }) => !lines.some((line) => line.includes(`\`${command}\``)))
    .slice(0, MAX_FURTHER_COMMANDS)
    .map((one) => `- Also ${code(one.command)}: ${quoted(one.text)} (${at(one)})`)
  return [...lines, ...further]
}

const MAX_FOLDERS = 8
const MAX_DESCRIBED_FOLDERS = 14

/** What documents say of folders, in their order, then the other folders with most of the code. */
const layoutLines = ({ layout }: Profile, described: ReadonlyMap<string, Description>): ReadonlyArray<string> => {
  const sizeOf = (folder: string): ReadonlyArray<string> => {
    const known = layout.find((one) => one.folder === folder)
    return known === undefined ? [] : [`${plural(known.files, "file")}, ${plural(known.lines, "line")}`]
  }
  const first = [...described].slice(0, MAX_DESCRIBED_FOLDERS)
  const others = layout.slice(0, MAX_FOLDERS).filter(({ folder }) => !first.some(([path]) => path === folder))
  return [
    ...first.map(
      ([folder, one]) => `- ${code(folder)}: ${[`${quoted(one.text)} (${at(one)})`, ...sizeOf(folder)].join("; ")}`
    ),
    ...others.map(({ folder }) => `- ${code(folder)}: ${sizeOf(folder)[0]}`)
  ]
}

/** What people write programs in: style sheets and pages grow long for other reasons. */
const isProgram =
  /^(?:typescript|tsx|javascript|python|go|java|ruby|php|csharp|rust|kotlin|scala|swift|c|cpp|vue|shell)$/

/** What goes wrong for those who do not know: each is seen in the tree, none is guessed. */
export const trapItems = (
  survey: Survey,
  profile: Profile,
  variables: ReadonlyArray<Variable>
): ReadonlyArray<Item> => {
  const traps: Array<Item> = []
  const generated = survey.files.filter(
    ({ role, path, language }) =>
      role === "generated" &&
      languageTitles[language] !== undefined &&
      !/(?:^|\/)(?:tests?|__tests__|fixtures?|spec|debian)\//.test(path)
  )
  if (generated.length > 0) {
    const folders = [...new Set(generated.map(({ path }) => directoryOf(path)))]
      .slice(0, 3)
      .map((folder) => code(folder || "."))
    traps.push({
      text: `${plural(generated.length, "file is", "files are")} generated; change what they are made from instead: ${folders.join(", ")}.`,
      cites: [{ path: generated[0]!.path, line: 1 }]
    })
  }
  const managers = profile.package_managers.filter(({ name }) => /^(?:npm|pnpm|Yarn|Bun)$/.test(name))
  if (managers.length > 1) {
    traps.push({
      text: `There are lock files of ${managers.map(({ name }) => name).join(" and ")}: ask which one counts (${managers.map(({ file_path }) => code(file_path)).join(", ")}).`,
      cites: managers.map(({ file_path }) => ({ path: file_path, line: 1 }))
    })
  }
  const required = variables.filter((variable) => variable.required)
  if (required.length > 0) {
    traps.push({
      text: `Without ${required
        .slice(0, 6)
        .map(({ name }) => code(name))
        .join(
          ", "
        )} in the environment, code that reads ${required.length === 1 ? "it" : "them"} fails (first: ${at({ path: required[0]!.file_path, line: required[0]!.line })}).`,
      cites: [{ path: required[0]!.file_path, line: required[0]!.line, names: [required[0]!.name] }]
    })
  }
  for (const { path, text } of survey.texts(/(?:^|\/)package\.json$/).slice(0, 1)) {
    const test = /"test"\s*:\s*"([^"]*\bbuild\b[^"]*)"/.exec(text)?.[1]
    if (test !== undefined)
      traps.push({
        text: `The test script builds first (${code(clip(test, 100))}): tests run against what was built.`,
        cites: [{ path, line: lineOf(text, /"test"\s*:/) ?? 1 }]
      })
  }
  const largest = survey.source
    .filter(({ language }) => isProgram.test(language))
    .sort((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1))[0]
  if (largest !== undefined && largest.lines > 1_500)
    traps.push({
      text: `The largest source file is ${code(largest.path)} with ${plural(largest.lines, "line")}.`,
      cites: [{ path: largest.path, line: 1 }]
    })
  return traps
}

const identity = (survey: Survey, profile: Profile): ReadonlyArray<string> => {
  const intro = introduction(survey)
  const languages = profile.languages
    .slice(0, 3)
    .filter(({ share }) => share >= 0.01)
    .map(({ name, share }) => `${name} ${Math.round(share * 100)} %`)
  const frameworks = profile.frameworks
    .slice(0, 8)
    .map(({ name, version }) => (version === null ? name : `${name} ${version}`))
  return [
    ...(intro === null ? [] : [`The readme says: ${quoted(intro.text)} (${at(intro)})`, ""]),
    `${languages.join(", ")}; ${plural(profile.size.lines_of_code, "line")} of code, of which ${profile.size.lines_of_tests.toLocaleString("en-US")} of tests.${frameworks.length === 0 ? "" : ` Built with ${frameworks.join(", ")}.`}`
  ]
}

const firstOfEach = (rules: ReadonlyArray<Rule>): ReadonlyArray<Rule> => {
  const seen = new Set<string>()
  return rules.filter(({ scope }) => {
    const key = JSON.stringify(scope)
    return !seen.has(key) && seen.add(key)
  })
}

/** What only the code names is offered as that. */
const candidateLines = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["- Not stated. Candidates, by how much of the code names them:", ...lines]

/** Short enough to be given to an agent with every task. */
export const instructionsOf = (given: {
  readonly survey: Survey
  readonly profile: Profile
  readonly commands: ReadonlyArray<Command>
  readonly rules: ReadonlyArray<Rule>
  readonly patterns: ReadonlyArray<{ readonly pattern: Pattern; readonly example: Example }>
  readonly skills: ReadonlyArray<Skill>
  readonly traps: ReadonlyArray<Item>
  readonly nouns: ReadonlyArray<Item>
  /** Types that may be nouns. */
  readonly candidates: ReadonlyArray<Item>
  readonly release: ReadonlyArray<Item>
  /** What documents say of folders and commands. */
  readonly described: {
    readonly folders: ReadonlyMap<string, Description>
    readonly commands: ReadonlyArray<DescribedCommand>
  }
  /** Where it starts, what it answers, what imports what, where data is written. */
  readonly outline: ReadonlyArray<Item>
}): string => {
  const { survey, profile, commands, rules, patterns, skills, traps, nouns, candidates, release, described, outline } =
    given
  const inferred = rules.filter(({ origin }) => origin === "inferred")
  const whole = inferred.filter(({ scope }) => scope.folder === "" && scope.suffix === undefined)
  const grouped = inferred.filter((rule) => !whole.includes(rule))
  const bullets = (items: ReadonlyArray<Item>, max: number) => items.slice(0, max).map(({ text }) => `- ${text}`)
  const from = (origin: Rule["origin"], max: number) =>
    bullets(
      rules.filter((rule) => rule.origin === origin),
      max
    )
  const usualWays = patterns
    .slice(0, 8)
    .map(
      ({ pattern: { title, shape, count, of }, example }) =>
        `- ${title}: ${shape} (${percent(count, of)} of ${of.toLocaleString("en-US")}), see ${at(example)}`
    )
  return withinBytes(MAX_BYTES, "# Working on this repository\n", [
    { title: "", lines: identity(survey, profile), first: 4 },
    { title: "Commands", lines: commandLines(commands, described.commands, release), first: 18 },
    { title: "Where things are", lines: layoutLines(profile, described.folders), first: 10 },
    { title: "How it fits together", lines: bullets(outline, 18).map((line) => clip(line, 260)), first: 6 },
    {
      title: "What it is about",
      lines: nouns.length > 0 ? bullets(nouns, 5) : candidateLines(bullets(candidates, 5)),
      first: 3
    },
    { title: "What is asked for", lines: [...from("stated", 8), ...from("enforced", 6)], first: 8 },
    { title: "What the code keeps to", lines: [...bullets(whole, 8), ...bullets(firstOfEach(grouped), 10)], first: 4 },
    { title: "How common things are done", lines: usualWays, first: 6 },
    { title: "Traps", lines: bullets(traps, 6), first: 3 },
    { title: "Recipes", lines: skills.slice(0, 8).map(({ name, intro }) => `- ${code(name)}: ${intro}`), first: 3 }
  ])
}
