import { HelpDoc, Options, ValidationError } from "@effect/cli"
import { Clock, Effect, Option } from "effect"
import { type Finding, loadCatalogue, type ScanResult } from "../engine/index.ts"
import { version } from "../layers/version.ts"
import { Priority } from "../schema/Observation.ts"
import { reaches, renderReport } from "./auditReport.ts"
import { asFailure, CommandFailed, failed } from "./failures.ts"
import { compactLine } from "./findingText.ts"
import { toAnnotations } from "./formats/annotations.ts"
import { toJunit } from "./formats/junit.ts"
import { toSarif } from "./formats/sarif.ts"
import { outputFile } from "./outputFile.ts"
import { paintFor, writeOut } from "./terminal.ts"

/** Forms in which an audit or a review gives its result. */
export const outputOptions = {
  json: Options.boolean("json").pipe(Options.withDescription("Print the whole result as JSON instead of a table.")),
  sarif: Options.text("sarif").pipe(
    Options.withPseudoName("file"),
    Options.withDescription("Also write SARIF 2.1.0, as code hosts take it; - prints it instead of a table."),
    Options.optional
  ),
  junit: Options.text("junit").pipe(
    Options.withPseudoName("file"),
    Options.withDescription("Also write JUnit XML, as build servers take it; - prints it instead of a table."),
    Options.optional
  ),
  github: Options.boolean("github").pipe(
    Options.withDescription("Print annotations for GitHub Actions instead of a table.")
  ),
  compact: Options.boolean("compact").pipe(
    Options.withDescription("Print one line for each observation instead of a table.")
  ),
  verbose: Options.boolean("verbose").pipe(
    Options.withDescription("In the table: all advisories in full, and each file that was left out.")
  )
}

export interface OutputFlags {
  readonly json: boolean
  readonly sarif: Option.Option<string>
  readonly junit: Option.Option<string>
  readonly github: boolean
  readonly compact: boolean
  readonly verbose: boolean
}

const priorities = Priority.literals

export const failOnOption = Options.text("fail-on").pipe(
  Options.withPseudoName(priorities.join("|")),
  Options.withDescription("Exit with status 1 when a finding has this priority or a higher one."),
  Options.mapEffect((value) => {
    const priority = priorities.find((one) => one === value)
    return priority === undefined
      ? Effect.fail(invalid(`--fail-on takes one of ${priorities.join(", ")}, not ${JSON.stringify(value)}.`))
      : Effect.succeed(priority)
  }),
  Options.optional
)

const invalid = (message: string) => ValidationError.invalidValue(HelpDoc.p(message))

/** Fails with status 1 when something is as severe as the threshold. */
export const enforce = (findings: ReadonlyArray<Finding>, threshold: Option.Option<Priority>) =>
  Option.isSome(threshold) && reaches(findings, threshold.value)
    ? Effect.fail(
        new CommandFailed({ status: 1, message: `Found something of priority ${threshold.value} or higher.` })
      )
    : Effect.void

export interface Output {
  readonly scan: ScanResult
  readonly commit: string | null
  /** What `--json` prints. */
  readonly document: object
  /** Lines that follow the table. */
  readonly footer?: ReadonlyArray<string>
}

/** Where a document goes: opened before anything is audited, so that no result is lost to a wrong path. */
const destination = (target: Option.Option<string>) => {
  if (Option.isNone(target)) return Effect.succeed(null)
  if (target.value === "-") return Effect.succeed(writeOut)
  return Effect.map(
    outputFile(target.value),
    (write) => (text: string) => Effect.tryPromise({ try: () => write(text), catch: asFailure })
  ).pipe(Effect.mapError((error) => failed(`cannot write ${target.value}: ${error.message}`)))
}

const sarifText = (scan: ScanResult, commit: string | null) =>
  Effect.map(
    Effect.promise(loadCatalogue),
    (tools) => `${JSON.stringify(toSarif({ version, tools, scan, commit }), null, 2)}\n`
  )

/** Standard output takes one document; `others` are further options that print one. */
const onStandardOutput = ({ json, sarif, junit, github, compact }: OutputFlags, others: ReadonlyArray<string>) => [
  ...(json ? ["--json"] : []),
  ...(Option.contains(sarif, "-") ? ["--sarif -"] : []),
  ...(Option.contains(junit, "-") ? ["--junit -"] : []),
  ...(github ? ["--github"] : []),
  ...(compact ? ["--compact"] : []),
  ...others
]

/** Checks what the options ask for together and opens the files; the effect that it gives writes a result to all of them. */
export const openOutputs = (flags: OutputFlags, others: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const printed = onStandardOutput(flags, others)
    if (printed.length > 1) return yield* failed(`${printed.join(" and ")} both print to standard output; choose one.`)
    const sarif = yield* destination(flags.sarif)
    const junit = yield* destination(flags.junit)
    return (output: Output) =>
      Effect.gen(function* () {
        if (sarif !== null) yield* sarif(yield* sarifText(output.scan, output.commit))
        if (junit !== null) yield* junit(toJunit(output.scan))
        const text = printed.length === 0 ? yield* tableText(output, flags.verbose) : printedText(output, flags)
        yield* writeOut(text)
      })
  })

/** What the options print in place of the table; empty where a file of theirs is standard output. */
const printedText = ({ scan, document }: Output, { json, github, compact }: OutputFlags): string => {
  if (json) return `${JSON.stringify(document, null, 2)}\n`
  if (github) return toAnnotations(scan.findings)
  return compact ? scan.findings.map((finding) => `${compactLine(finding)}\n`).join("") : ""
}

const tableText = ({ scan, footer = [] }: Output, verbose: boolean) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const table = renderReport(scan, {
      now,
      width: process.stdout.isTTY ? process.stdout.columns : null,
      paint: paintFor(process.stdout),
      hint: process.stdout.isTTY,
      verbose
    })
    return `${[table, ...footer].join("\n")}\n`
  })
