import { clip } from "../../Observed.ts"
import type { Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"
import { purposeOfLine } from "../words.ts"

const commented = /^#[ \t]*(\S[^\n]{0,200})$/

const isStep = (line: string): boolean =>
  /^twine check\b/.test(line) || /^(?:build|release)$/.test(purposeOfLine(line) ?? "")

/** Steps that comments of a `setup.py` list, one below the other, up to the one that publishes the package. */
export const commentedSteps = (survey: Survey): ReadonlyArray<Command> =>
  survey.sourceTexts(/^setup\.py$/).flatMap(({ path, text }): ReadonlyArray<Command> => {
    const lines = text.split("\n").map((line) => commented.exec(line.trimEnd())?.[1] ?? "")
    const last = lines.findIndex((line) => purposeOfLine(line) === "release")
    if (last < 0) return []
    let first = last
    while (first > 0 && isStep(lines[first - 1]!)) first--
    const command = lines.slice(first, last + 1).join(" && ")
    return [
      {
        purpose: "release",
        command: clip(command, 160),
        means: null,
        folder: "",
        path,
        line: first + 1,
        origin: "document"
      }
    ]
  })
