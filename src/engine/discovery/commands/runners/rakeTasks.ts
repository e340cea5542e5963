import { directoryOf, joined } from "../../../core/text/paths.ts"
import { lineOf, type Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"
import { purposeOfScript } from "../words.ts"

/** A build file of the product rather than of an example, a test or a bundled library. */
export const isOwn = (survey: Survey, path: string): boolean =>
  !/^(?:fixture|example|test|vendored|docs)$/.test(survey.file(path)?.role ?? "")

const rakeTask =
  /^[ \t]*(?:task\s*\(?\s*:?["']?([\w:-]+)|(Rake::TestTask|Minitest::TestTask|RSpec::Core::RakeTask|RuboCop::RakeTask)\.(?:new|create)(?:\(:?["']?([\w:]+))?)/gm

/** Names that tasks of libraries have where none is given. */
const namesOfTasks: Readonly<Record<string, string>> = {
  "Rake::TestTask": "test",
  "Minitest::TestTask": "test",
  "RSpec::Core::RakeTask": "spec",
  "RuboCop::RakeTask": "rubocop"
}

/** Namespaces that a place of a Rakefile lies in, by their indentation, the outermost first; null where one has no name. */
const namespacesAround = (text: string, at: number): ReadonlyArray<string> | null => {
  const lines = text.slice(0, at).split("\n")
  const found: Array<string> = []
  const ended = new Set<string>()
  let indent = lines.at(-1)!.length
  for (const line of lines.reverse()) {
    const [, space = "", word, name] = /^(\s*)(namespace|end)\b(?:\s*\(?\s*(?::|["'])(\w+))?/.exec(line) ?? []
    if (word === undefined || space.length >= indent) continue
    // What has ended above holds nothing that stands below.
    if (word === "end") ended.add(space)
    else if (!ended.has(space)) {
      // A name that is computed is not known.
      if (name === undefined) return null
      indent = space.length
      found.push(name)
    } else ended.delete(space)
  }
  return found.reverse()
}

/** Names of tasks that a task needs: `task all: %i[spec rubocop]`, `task :all => ["spec", "db:seed"]`. */
const needs = /^[^\n#]*?(?:=>|\w:(?!:))\s*(%[iw]?[[({][^\])}\n]*|\[[^\]\n]*|:?["']?[\w:]+)/

const started = /\b(?:sh|system|exec)[ (]+["']([^"'\n]{1,200})["']|Rake::Task\[:?["']?([\w:]+)["']?\]/g

const MAX_BODY = 1_500

/** What a task needs and runs, as far as it is written out, a line each. */
const runsOf = (text: string, start: number): string => {
  const rest = text.slice(start, start + MAX_BODY)
  const line = rest.split("\n", 1)[0]!
  const indent = start - (text.lastIndexOf("\n", start - 1) + 1)
  const listed = needs.exec(line.replace(/\sdo\b.*$/, ""))?.[1] ?? ""
  const needed = [...listed.replace(/^%[iw]?/, "").matchAll(/[\w:]*\w/g)].map(
    ([name]) => `rake ${name.replace(/^:/, "")}`
  )
  const isBlock = /\sdo\b/.test(line)
  const end = rest.search(new RegExp(`\\n[ \\t]{0,${indent}}end\\b`))
  const body = isBlock ? rest.slice(line.length, end < 0 ? MAX_BODY : end) : ""
  const runs = [...body.matchAll(started)].map(([, shell, task]) => shell ?? `rake ${task}`)
  return [...needed, ...runs].join("\n")
}

/** Of a task for everything only what it needs and runs says what that is: often tests with several versions of a library. */
const purposeOfTask = (name: string, text: string, start: number): Command["purpose"] | null => {
  if (name !== "all") return purposeOfScript(name, "")
  const runs = runsOf(text, start)
  return runs === "" ? null : purposeOfScript("all", runs)
}

/** `task :name` and `Rake::TestTask.new(:test)`. */
const tasksOfRakefile = (text: string): ReadonlyArray<Pick<Command, "purpose" | "line"> & { readonly name: string }> =>
  [...text.matchAll(rakeTask)].flatMap((match) => {
    const own = (match[1] ?? match[3] ?? namesOfTasks[match[2]!]!).replace(/:$/, "")
    const start = match.index + match[0].search(/\S/)
    const line = text.slice(0, start).split("\n").length
    const around = namespacesAround(text, start)
    const name = [...(around ?? []), own].join(":")
    const purpose = own === "default" || around === null ? null : purposeOfTask(name, text, start)
    return purpose === null ? [] : [{ name, purpose, line }]
  })

/** Tasks of Rakefiles, by the words of their names. */
export const rakeTasks = (survey: Survey): ReadonlyArray<Command> =>
  survey
    .texts(/(?:^|\/)Rakefile$/)
    .filter(({ path }) => isOwn(survey, path))
    .slice(0, 8)
    .flatMap(({ path, text }): ReadonlyArray<Command> => {
      const folder = directoryOf(path)
      const rake = survey.has(joined(folder, "Gemfile")) ? "bundle exec rake" : "rake"
      const common = { folder, path, origin: "target" } as const
      const tasks = tasksOfRakefile(text).map(({ name, purpose, line }) => ({
        ...common,
        purpose,
        // Bundler starts nothing before the gems are there.
        command: `${purpose === "install" ? "rake" : rake} ${name}`,
        means: null,
        line
      }))
      const gem = lineOf(text, /bundler\/gem_tasks|Bundler::GemHelper/)
      if (gem === null) return tasks
      const means = "task of bundler/gem_tasks: tags, and pushes the gem"
      const packed = {
        ...common,
        command: `${rake} build`,
        means: "task of bundler/gem_tasks: packs the gem",
        line: gem
      }
      return [
        ...tasks,
        { ...packed, purpose: "build" },
        { ...common, purpose: "release", command: `${rake} release`, means, line: gem }
      ]
    })
