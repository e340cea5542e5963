import type { Command, Purpose } from "./commands.ts"
import { at, code, type Guide, type Item } from "./Draft.ts"
import type { Survey } from "./Survey.ts"

const titles: Readonly<Record<Purpose, readonly [title: string, description: string]>> = {
  install: ["Install", "Fetch what the code depends on."],
  run: ["Run", "Start the program."],
  build: ["Build", "Make what is shipped from the sources."],
  test: ["Test", "Run the tests."],
  lint: ["Check style and types", "Linters, formatters and type checkers."],
  migrate: ["Migrate data", "Bring a database to the schema of the code."],
  deploy: ["Deploy and release", "Package and ship."]
}

const MAX_COMMANDS = 12

const itemOf = ({ command, means, folder, path, line, origin }: Command): Item => {
  const where = folder === "" ? "" : ` in ${code(folder)}`
  const source = origin === "convention" ? `, as is usual with ${code(path)}` : ` (${at({ path, line })})`
  return {
    text: `${code(command)}${where}${means === null ? "" : `: ${code(means)}`}${source}`,
    cites: [{ path, line }]
  }
}

/** One guide per purpose that the repository has commands for; the steps of its pipeline are listed separately. */
export const guidesOf = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Guide> =>
  (Object.keys(titles) as ReadonlyArray<Purpose>).flatMap((purpose): ReadonlyArray<Guide> => {
    const own = commands.filter((command) => command.purpose === purpose && command.origin !== "pipeline")
    const seen = new Set<string>()
    const steps = commands.filter((command) => {
      const isNew = command.purpose === purpose && command.origin === "pipeline" && !seen.has(command.command)
      if (isNew) seen.add(command.command)
      return isNew
    })
    if (own.length + steps.length === 0) return []
    const [title, description] = titles[purpose]
    const items = [
      ...own.slice(0, MAX_COMMANDS).map(itemOf),
      ...steps.slice(0, 8).map((step) => ({ ...itemOf(step), text: `The pipeline runs ${itemOf(step).text}` }))
    ]
    if (purpose === "test") items.push(...testFolders(survey))
    return [{ slug: purpose, title, description, items }]
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
