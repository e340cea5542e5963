import type { Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"

/** How a program that runs all tests of a build is asked for one of them. */
const ways: ReadonlyArray<readonly [all: RegExp, one: (command: string) => string]> = [
  [
    /^(?:.* && )?ctest(?: --test-dir [\w./-]+)?(?: -V+| --output-on-failure)?$/,
    (command) => `${command} -R '<name of the test>'`
  ],
  [/^(?:.* && )?meson test(?: -C [\w./-]+)?$/, (command) => `${command} '<name of the test>'`]
]

/** Ninja and Make run what CMake or Meson wrote in a folder: one test is asked for with the program that both have. */
const inFolder = /^(?:ninja|make) -C ([\w-]+) (?:test|check)$/

const oneIn = (survey: Survey, command: string): string | null => {
  const folder = inFolder.exec(command)?.[1]
  if (folder === undefined || survey.hasFolder(folder)) return null
  if (survey.has("meson.build")) return `meson test -C ${folder} '<name of the test>'`
  return survey.has("CMakeLists.txt") ? `ctest --test-dir ${folder} -R '<name of the test>'` : null
}

const automake = /(?:^|\/)Makefile\.am$/

/** One test of CMake, Meson or Automake, where nothing else says how it is run. */
export const namedTests = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  if (commands.some(({ purpose, folder }) => purpose === "test_case" && folder === "")) return []
  const all = commands.filter(
    ({ purpose, folder, aside }) => purpose === "test" && folder === "" && aside === undefined
  )
  for (const one of all) {
    const way = ways.find(([pattern]) => pattern.test(one.command))?.[1]
    const other = oneIn(survey, one.command)
    const common = { means: null, folder: "", path: one.path, line: one.line, origin: "convention" } as const
    if (way !== undefined) return [{ ...common, purpose: "test_case", command: way(one.command) }]
    if (other !== null) return [{ ...common, purpose: "test_case", command: other }]
    if (one.origin === "convention" && one.command === "make check" && automake.test(one.path))
      return [{ ...common, purpose: "test_file", command: "make check TESTS='<path of the test>'" }]
  }
  return []
}
