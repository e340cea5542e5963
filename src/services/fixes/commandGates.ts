import { clip } from "../../schema/characters.ts"
import type { FailureKind } from "../../schema/Job.ts"
import type { CommandName } from "../../schema/RepositoryCommands.ts"
import type { CommandOutcome } from "../ports/CommandSandbox.ts"
import { failingTests } from "./failingTests.ts"
import { failed, type Gate, passed, skipped, warned } from "./gates.ts"

const kinds: Readonly<Record<CommandName, FailureKind>> = {
  format: "lint_failed",
  build: "build_failed",
  lint: "lint_failed",
  test: "test_regression"
}

const maxNamed = 5
const maxTail = 1000

/** What a command said last, for the reason of a gate. */
const endOf = ({ output }: CommandOutcome): string => {
  const text = output.trim()
  if (text === "") return "It printed nothing."
  const tail = text.slice(-maxTail)
  return `The end of its output:\n${tail.length < text.length ? tail.slice(tail.indexOf("\n") + 1) : tail}`
}

const tests = (n: number) => (n === 1 ? "one test" : `${n} tests`)

const named = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, maxNamed).map((name) => clip(name, 200))
  const more = names.length - shown.length
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

const endedAs = ({ status, exit_code }: CommandOutcome): string => {
  switch (status) {
    case "timeout":
      return "took too long"
    case "resource_limit":
      return "needed too much memory, too many processes or printed too much"
    case "exited":
      return `ended with exit code ${exit_code}`
  }
}

const isGreen = ({ status, exit_code }: CommandOutcome) => status === "exited" && exit_code === 0

/** Red before and red after: only what is newly red counts, where the output says what is red. */
const stillRed = (name: CommandName, before: CommandOutcome, after: CommandOutcome): Gate => {
  const known = failingTests(before.output)
  const red = [...failingTests(after.output)]
  if (known.size === 0) {
    return skipped(
      name,
      `The command ${endedAs(before)} before the fix, too, and its output does not say which tests fail.`
    )
  }
  if (red.length === 0 || after.status !== "exited") {
    return failed(name, kinds[name], `The command ${endedAs(after)} and reports no tests any more. ${endOf(after)}`)
  }
  const fresh = red.filter((test) => !known.has(test))
  if (fresh.length === 0)
    return passed(name, `As before the fix, ${tests(red.length)} of the repository fail; no other one does.`)
  return before.truncated
    ? warned(name, `These may fail only since the fix; the output before it was too long to know: ${named(fresh)}.`)
    : failed(
        name,
        kinds[name],
        `Since the fix ${fresh.length === 1 ? "one more test fails" : `${fresh.length} more tests fail`}: ${named(fresh)}.`
      )
}

/** A command of the repository on the tree before a fix and after it. What was red before does not count against the fix. */
export const commandGate = (name: CommandName, before: CommandOutcome, after: CommandOutcome): Gate => {
  if (isGreen(after)) return passed(name, isGreen(before) ? "Passes as before." : "Passes; before the fix it did not.")
  if (isGreen(before)) {
    const red = [...failingTests(after.output)]
    const names = red.length === 0 ? "" : ` These fail: ${named(red)}.`
    return failed(name, kinds[name], `Since the fix the command ${endedAs(after)}.${names} ${endOf(after)}`)
  }
  if (before.status !== "exited")
    return skipped(name, `The command ${endedAs(before)} before the fix, so it cannot judge it.`)
  return stillRed(name, before, after)
}
