import { Args, Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { type DiscoveryResult, discoverInProcess } from "../engine/index.ts"
import { subjectOf } from "./auditSubject.ts"
import { cacheFolder } from "./cacheFolder.ts"
import { failed } from "./failures.ts"
import { busy } from "./progress.ts"
import { printable, writeOut } from "./terminal.ts"

const options = {
  target: Args.text({ name: "path or git URL" }).pipe(
    Args.withDescription("A folder, as it lies there, or what git can clone.")
  ),
  branch: Options.text("branch").pipe(
    Options.withPseudoName("name"),
    Options.withDescription("Branch of a git URL, instead of its default branch."),
    Options.optional
  ),
  noGit: Options.boolean("no-git").pipe(
    Options.withDescription("Read the folder as it lies there, also what git ignores.")
  ),
  noCache: Options.boolean("no-cache").pipe(
    Options.withDescription("Read every file, also those that have not changed since the last discovery.")
  ),
  json: Options.boolean("json").pipe(Options.withDescription("Print the whole result as JSON instead of Markdown."))
}

/** The texts of a discovery one after the other, each with its own heading. */
const markdownOf = ({ output }: DiscoveryResult): string => {
  const { hyrax_md, principles_md, patterns_md, domain_md, env_vars_md, guides, skills } = output
  const texts = [hyrax_md, principles_md, patterns_md, domain_md, env_vars_md].filter((text) => text !== null)
  const written = guides.map(({ content }) => content.replace(/^# /, "# Guide: "))
  const listed = skills.map(({ name, description }) => `- ${name}: ${description}`)
  const more = listed.length === 0 ? [] : [`# Skills\n\n${listed.join("\n")}`]
  const all = [...[...texts, ...written].map((text) => text.trim()), ...more]
  return printableLines(all.length === 0 ? "Nothing was discovered: there are no files to read." : all.join("\n\n"))
}

const printableLines = (text: string): string => text.split("\n").map(printable).join("\n")

export const discover = Command.make("discover", options, ({ target, branch, noGit, noCache, json }) =>
  Effect.gen(function* () {
    const subject = yield* subjectOf(target, { branch, noGit })
    const cache = noCache || subject.home === null ? null : yield* cacheFolder(subject.home)
    const result = yield* busy(
      `Reading ${printable(target)}`,
      discoverInProcess({ source: subject.source, ...(cache === null ? {} : { cache }) }).pipe(
        Effect.mapError(({ message }) => failed(message))
      )
    )
    yield* writeOut(json ? `${JSON.stringify(result.output, null, 2)}\n` : `${markdownOf(result)}\n`)
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("Say what a repository is: its profile, principles, patterns and guides."))
