import { existsSync } from "node:fs"
import { Args, Command, Options } from "@effect/cli"
import { Clock, DateTime, Effect, Option } from "effect"
import { Advisories } from "../engine/index.ts"
import { type Updated, updateAdvisories } from "../layers/advisories/AdvisoryUpdate.ts"
import { mirrorOf } from "../layers/advisories/mirror.ts"
import { AppConfig } from "../layers/Config.ts"
import * as OutboundHttp from "../layers/OutboundHttp.ts"
import { outboundSettings } from "../layers/outbound.ts"
import { failed } from "./failures.ts"
import { busy } from "./progress.ts"
import { printable, writeOut } from "./terminal.ts"
import { counted } from "./terminalText.ts"

const importOptions = {
  paths: Args.text({ name: "zip, json or folder" }).pipe(
    Args.withDescription("OSV dumps: all.zip of an ecosystem as osv.dev publishes it, JSON files, or folders of them."),
    Args.atLeast(1)
  ),
  add: Options.boolean("add").pipe(
    Options.withDescription(
      "Keep what was imported before; otherwise an ecosystem that the dump is for is replaced. What it only mentions is added."
    )
  )
}

const reportOf = ({ records, skipped, written }: Advisories.ImportReport): string => {
  const passedOver = Object.entries(skipped).map(
    ([reason, n]) => `${n.toLocaleString("en")} ${reason.replaceAll("_", " ")}`
  )
  return [
    `Read ${counted(records, "advisory").replace("advisorys", "advisories")}.`,
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

const updateOptions = {
  from: Options.text("from").pipe(
    Options.withDescription(
      "Base address of a mirror of OSV dumps (https://…, file:///…) with <ecosystem>/all.zip below it; otherwise ASSAY_ADVISORIES_URL."
    ),
    Options.optional
  ),
  ecosystem: Options.text("ecosystem").pipe(
    Options.withDescription(`Only these, comma-separated: ${Advisories.ecosystems.join(", ")}.`),
    Options.optional
  )
}

/** By the names of the registries, in whatever case. */
const chosen = (names: string): ReadonlyArray<string> | null => {
  const found = names.split(",").map((name) => {
    const given = name.trim().toLowerCase()
    return Advisories.ecosystems.find((known) => known.toLowerCase() === given)
  })
  return found.every((one) => one !== undefined) ? [...new Set(found)] : null
}

const outcomeLine = (one: Updated): string => {
  switch (one.status) {
    case "updated":
      return `${one.ecosystem}: ${one.source.advisories.toLocaleString("en")}, newest ${dayOf(one.source.newest)}`
    case "unchanged":
      return `${one.ecosystem}: unchanged`
    case "failed":
      return `${one.ecosystem}: not updated. ${printable(one.message)}`
  }
}

/** An address of the command line is checked as any that people give; that of the environment may be of the own network. */
const mirrorFrom = (from: string | null, configured: URL | null) =>
  Effect.gen(function* () {
    if (from === null && configured === null) {
      return yield* failed("name a mirror of OSV dumps: --from https://…, or set ASSAY_ADVISORIES_URL.")
    }
    const base = from === null ? configured : mirrorOf(from)
    if (base === null || base === undefined) {
      return yield* failed("--from must be the mirror's https:// or file:/// address, without a query or a user.")
    }
    return { base, isConfigured: from === null }
  })

const updateCommand = Command.make("update", updateOptions, ({ from, ecosystem }) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    const { base, isConfigured } = yield* mirrorFrom(Option.getOrNull(from), config.advisoriesUrl)
    const names = Option.match(ecosystem, { onNone: () => Advisories.ecosystems, onSome: chosen })
    if (names === null) return yield* failed(`--ecosystem takes ${Advisories.ecosystems.join(", ")}.`)
    const { open, openConfigured } = OutboundHttp.make(yield* outboundSettings(config))
    const outcomes = yield* busy(
      `Updating the advisories for ${names.join(", ")}`,
      updateAdvisories({
        base,
        ecosystems: names,
        folder: Advisories.advisoriesFolder(config.dataDir),
        open: isConfigured ? openConfigured : open
      })
    ).pipe(Effect.catchTag("FolderTaken", ({ message }) => failed(message)))
    yield* writeOut(`${outcomes.map(outcomeLine).join("\n")}\n`)
    const isWhole = outcomes.every(({ status }) => status !== "failed")
    if (!isWhole) return yield* failed("what could not be updated stays as it was.")
  })
).pipe(Command.withDescription("Fetch OSV advisories from a mirror, as far as they have changed."))

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
  const days = age === null ? "" : ` (${counted(age, "day")} old)`
  return `${ecosystem}: ${advisories.toLocaleString("en")} advisories of ${counted(packages, "package")}, newest ${dayOf(newest)}${days}, imported ${dayOf(imported_at ?? "")} from ${printable(source)}`
}

const status = Command.make("status", {}, () =>
  Effect.gen(function* () {
    const { dataDir } = yield* AppConfig
    const now = yield* Clock.currentTimeMillis
    const lines = statusOf(Advisories.advisoriesFolder(dataDir), now)
    const own = `built-in list: ${Advisories.builtInCount} well-known advisories, newest ${Advisories.BUILT_IN_NEWEST} (${counted(Advisories.daysSince(Advisories.BUILT_IN_NEWEST, now) ?? 0, "day")} old)`
    yield* writeOut(`${[...lines, own].join("\n")}\n`)
  })
).pipe(Command.withDescription("Show the imported advisories and their age."))

export const advisoriesCommands = [updateCommand, importCommand, status] as const

export const advisories = Command.make("advisories").pipe(
  Command.withDescription("Known vulnerabilities that audits compare dependencies with."),
  Command.withSubcommands(advisoriesCommands)
)
