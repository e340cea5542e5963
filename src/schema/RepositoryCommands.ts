import type { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { RepoName } from "./Repository.ts"
import { Instant, nullable, optionalOrNull, text } from "./Text.ts"

export const commandNames = ["format", "build", "lint", "test"] as const
export type CommandName = (typeof commandNames)[number]

const maxCommand = 2000

const example = { format: null, build: "npm run build", lint: "npm run lint", test: "npm test" }

const commandLine = (what: string) =>
  optionalOrNull(text(1, maxCommand), `Command line for \`/bin/sh\` that ${what}; null or left out: none.`)

export const SetRepositoryCommands = closed(
  {
    format: commandLine("checks the format"),
    build: commandLine("builds"),
    lint: commandLine("runs the linter"),
    test: commandLine("runs the tests")
  },
  "SetRepositoryCommandsRequest",
  example
)
export type SetRepositoryCommands = typeof SetRepositoryCommands.Type

const storedLine = (what: string) => nullable(text(0, maxCommand), `Command line that ${what}; null if there is none.`)

const lines = {
  format: storedLine("checks the format"),
  build: storedLine("builds"),
  lint: storedLine("runs the linter"),
  test: storedLine("runs the tests")
}

/** What a fix of a repository is checked with, where the operator allows commands. */
export const RepositoryCommands = record("RepositoryCommands", {
  repo_name: RepoName,
  ...lines,
  updated_at: nullable(Instant, "When they last changed; null if they never did.")
})
export type RepositoryCommands = typeof RepositoryCommands.Type

export const CommandLines = closed(lines)
export type CommandLines = Schema.Schema.Type<typeof CommandLines>
