import { existsSync } from "node:fs"
import { Args, Command, Options } from "@effect/cli"
import { Clock, DateTime, Effect } from "effect"
import { Advisories } from "../engine/index.ts"
import { AppConfig } from "../layers/Config.ts"
import { failed } from "./failures.ts"
import { busy } from "./progress.ts"
import { printable, writeOut } from "./terminal.ts"

const importOptions = {
  paths: Args.text({ name: "zip, json or folder" }).pipe(
    Args.withDescription("OSV dumps: all.zip of an ecosystem as osv.dev publishes it, JSON files, or folders of them."),
    Args.atLeast(1)
  ),
  add: Options.boolean("add").pipe(
    Options.withDescription("Keep what was imported before; otherwise an ecosystem in the dump is replaced.")
  )
}

const count = (n: number, noun: string) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`

const reportOf = ({ records, skipped, written }: Advisories.ImportReport): string => {
  const passedOver = Object.entries(skipped).map(
    ([reason, n]) => `${n.toLocaleString("en")} ${reason.replaceAll("_", " ")}`
  )
  return [
    `Read ${count(records, "advisory").replace("advisorys", "advisories")}.`,
    ...(passedOver.length === 0 ? [] : [`Passed over: ${passedOver.join(", ")}.`]),
    ...written.map(
      ({ ecosystem, advisories, newest }) => `${ecosystem}: ${advisories.toLocaleString("en")}, newest ${dayOf(newest)}`
    )
  ].join("\n")
}

const dayOf = (date: string) => (date === "" ? "without a date" : date.slice(0, 10))

const importCommand = Command.make("import", importOptions, ({ paths, add }) =>
  Effect.gen(function* () {
    const { dataDir } = yield* AppConfig
    const importedAt = DateTime.formatIso(yield* DateTime.now)
    const folder = Advisories.advisoriesFolder(dataDir)
    const report = yield* busy(
      `Importing ${paths.map(printable).join(", ")}`,
      Effect.tryPromise({
        try: () => Advisories.importOsv({ paths, folder, add, importedAt }),
        catch: (error) => failed(error instanceof Error ? error.message : String(error))
      })
    )
    if (report.written.length === 0) {
      return yield* failed(
        `There is no OSV advisory for ${Advisories.ecosystems.join(", ")} in it. Nothing was changed.`
      )
    }
    yield* writeOut(`${reportOf(report)}\n`)
  })
).pipe(Command.withDescription("Import OSV advisories from local files, for audits to compare dependencies with."))

const statusOf = (folder: string, now: number) =>
  Advisories.ecosystems.map((ecosystem) => {
    const file = Advisories.openAdvisoryFile(folder, ecosystem)
    if (file !== null) return lineOf(file.source, file.packages, now)
    return existsSync(Advisories.advisoryPath(folder, ecosystem))
      ? `${ecosystem}: the imported file cannot be read; import it again`
      : `${ecosystem}: nothing imported`
  })

const lineOf = (
  { ecosystem, advisories, source, imported_at, newest }: Advisories.AdvisorySource,
  packages: number,
  now: number
) => {
  const age = Advisories.daysSince(newest, now)
  const days = age === null ? "" : ` (${count(age, "day")} old)`
  return `${ecosystem}: ${advisories.toLocaleString("en")} advisories of ${count(packages, "package")}, newest ${dayOf(newest)}${days}, imported ${dayOf(imported_at ?? "")} from ${printable(source)}`
}

const status = Command.make("status", {}, () =>
  Effect.gen(function* () {
    const { dataDir } = yield* AppConfig
    const now = yield* Clock.currentTimeMillis
    const lines = statusOf(Advisories.advisoriesFolder(dataDir), now)
    const own = `built-in list: ${Advisories.builtInCount} well-known advisories, newest ${Advisories.BUILT_IN_NEWEST} (${count(Advisories.daysSince(Advisories.BUILT_IN_NEWEST, now) ?? 0, "day")} old)`
    yield* writeOut(`${[...lines, own].join("\n")}\n`)
  })
).pipe(Command.withDescription("Show the imported advisories and their age."))

export const advisoriesCommands = [importCommand, status] as const

export const advisories = Command.make("advisories").pipe(
  Command.withDescription("Known vulnerabilities that audits compare dependencies with."),
  Command.withSubcommands(advisoriesCommands)
)
