import type { Command } from "../Command.ts"

/** What a recipe is given when it is asked for. */
export interface Parameter {
  readonly name: string
  /** Without it the recipe does nothing, or ends with an error. */
  readonly isRequired: boolean
}

/** A target of a Makefile, a recipe of just, a task. */
export interface Recipe {
  readonly name: string
  readonly line: number
  /** What it runs, a line each. */
  readonly body: ReadonlyArray<string>
  /** All its lines as the shell gets them; none where a condition of Make or another interpreter decides what is run. */
  readonly runs?: ReadonlyArray<string>
  readonly isOfRelease?: boolean | undefined
  /** The property in which a test is named that a target runs alone. */
  readonly testIn?: string | undefined
  /** Needs nothing and runs nothing, or only prints. */
  readonly isIdle?: boolean
  readonly parameters?: ReadonlyArray<Parameter>
}

const namesVersion = /^(?:next|new)?_?(?:v|ver|version|tag|rel|release|bump|level|part|kind|type)$/i

/** A variable of Make or Task is named, what just is given is not. */
const argument = (tool: string, name: string): string => {
  const value = `<${name.toLowerCase().replaceAll("_", " ")}>`
  return tool === "just" ? value : `${name}=${value}`
}

/**
 * The command of a recipe as it can be asked for. One that must be given something is no command by itself: what starts the program is
 * shown with what it takes, and a release with its version; a choice of what to build or test is left out.
 */
export const askedWith = (stated: Command, { parameters = [] }: Recipe, tool: string): ReadonlyArray<Command> => {
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  if (required.length === 0) return [stated]
  const isShown =
    stated.purpose === "run" || (stated.purpose === "release" && required.every((name) => namesVersion.test(name)))
  if (!isShown) return []
  return [{ ...stated, command: [stated.command, ...required.map((name) => argument(tool, name))].join(" ") }]
}
