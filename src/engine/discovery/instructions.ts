import { directoryOf } from "../core/text/paths.ts"
import type { Command, Purpose } from "./commands.ts"
import { at, code, type Item, type Pattern, percent, plural, quoted, type Rule, type Skill } from "./Draft.ts"
import type { Variable } from "./environment.ts"
import { clip } from "./Observed.ts"
import { isReadme } from "./observers/texts.ts"
import type { Profile } from "./profile.ts"
import { languageTitles, lineOf, type Survey } from "./Survey.ts"

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
  const lines = first.text.split("\n")
  const from = lines.findIndex((line) => isProse(line.trim()))
  if (from < 0) return null
  const stop = lines.findIndex((line, i) => i > from && line.trim() === "")
  const paragraph = lines.slice(from, stop < 0 ? from + 6 : stop).join(" ")
  const plain = paragraph.replace(/\[([^\]]{1,120})\]\([^)]{0,300}\)/g, "$1").replace(/\*\*|__|<[^>]{1,200}>/g, "")
  return { text: clip(plain, 400), path: first.path, line: from + 1 }
}

const purposes: ReadonlyArray<readonly [Purpose, string]> = [
  ["install", "Install"],
  ["build", "Build"],
  ["test", "Test"],
  ["lint", "Check"],
  ["run", "Run"],
  ["migrate", "Migrate"]
]

const originRank: Readonly<Record<Command["origin"], number>> = {
  script: 0,
  target: 1,
  convention: 2,
  container: 3,
  pipeline: 4
}

/** The plainest command first: that of the root, with the shortest name. */
const best = (commands: ReadonlyArray<Command>, purpose: Purpose): ReadonlyArray<Command> => {
  const depth = ({ folder }: Command) => (folder === "" ? 0 : folder.split("/").length)
  const ordered = commands
    .filter((command) => command.purpose === purpose)
    .sort(
      (a, b) =>
        depth(a) - depth(b) || originRank[a.origin] - originRank[b.origin] || a.command.length - b.command.length
    )
  const top = ordered[0]
  return ordered.filter(({ origin, folder }) => origin === top!.origin && folder === top!.folder).slice(0, 3)
}

const commandLines = (commands: ReadonlyArray<Command>): ReadonlyArray<string> =>
  purposes.flatMap(([purpose, title]) => {
    const chosen = best(commands, purpose)
    if (chosen.length === 0) return []
    const shown = chosen.map(({ command }) => code(command)).join(", ")
    const { folder, path, line, origin } = chosen[0]!
    return [
      `- ${title}: ${shown}${folder === "" ? "" : ` in ${code(folder)}`} (${origin === "convention" ? `by ${code(path)}` : at({ path, line })})`
    ]
  })

const layoutLines = ({ layout }: Profile): ReadonlyArray<string> =>
  layout
    .slice(0, 8)
    .map(({ folder, files, lines }) => `- ${code(folder)}: ${plural(files, "file")}, ${plural(lines, "line")}`)

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
    .filter(({ language }) => languageTitles[language] !== undefined)
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

const kept = (sections: ReadonlyArray<readonly [title: string, lines: ReadonlyArray<string>]>): string => {
  let text = "# Working on this repository\n"
  for (const [title, lines] of sections) {
    if (lines.length === 0) continue
    let part = title === "" ? "\n" : `\n## ${title}\n\n`
    let count = 0
    for (const line of lines) {
      if (Buffer.byteLength(text + part + line) > MAX_BYTES - 40) break
      part += `${line}\n`
      count++
    }
    if (count > 0) text += part
  }
  return text
}

const firstOfEach = (rules: ReadonlyArray<Rule>): ReadonlyArray<Rule> => {
  const seen = new Set<string>()
  return rules.filter(({ scope }) => {
    const key = JSON.stringify(scope)
    return !seen.has(key) && seen.add(key)
  })
}

/** Short enough to be given to an agent with every task. */
export const instructionsOf = (given: {
  readonly survey: Survey
  readonly profile: Profile
  readonly commands: ReadonlyArray<Command>
  readonly rules: ReadonlyArray<Rule>
  readonly patterns: ReadonlyArray<Pattern>
  readonly skills: ReadonlyArray<Skill>
  readonly traps: ReadonlyArray<Item>
}): string => {
  const { survey, profile, commands, rules, patterns, skills, traps } = given
  const inferred = rules.filter(({ origin }) => origin === "inferred")
  const whole = inferred.filter(({ scope }) => scope.folder === "" && scope.suffix === undefined)
  const grouped = inferred.filter((rule) => !whole.includes(rule))
  const bullets = (items: ReadonlyArray<Item>, max: number) => items.slice(0, max).map(({ text }) => `- ${text}`)
  return kept([
    ["", identity(survey, profile)],
    ["Commands", commandLines(commands)],
    ["Where things are", layoutLines(profile)],
    [
      "What is asked for",
      [
        ...bullets(
          rules.filter(({ origin }) => origin === "enforced"),
          6
        ),
        ...bullets(
          rules.filter(({ origin }) => origin === "stated"),
          8
        )
      ]
    ],
    ["What the code keeps to", [...bullets(whole, 8), ...bullets(firstOfEach(grouped), 10)]],
    [
      "How common things are done",
      patterns
        .filter(({ count, of, shape }) => 2 * count >= of && shape !== "handled in place")
        .slice(0, 8)
        .map(
          ({ title, shape, count, of, canonical }) =>
            `- ${title}: ${shape} (${percent(count, of)} of ${of.toLocaleString("en-US")}), see ${at(canonical)}`
        )
    ],
    ["Traps", bullets(traps, 6)],
    ["Recipes", skills.slice(0, 8).map(({ name, intro }) => `- ${code(name)}: ${intro}`)]
  ])
}
