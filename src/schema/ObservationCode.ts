import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { Count, field, integerQuery, nullable, optional } from "./Text.ts"

export const defaultCodeContext = 5
const maxCodeContext = 50

export const CodeQuery = closed({
  context: optional(
    integerQuery(0, maxCodeContext),
    `Lines before and after each location, at most ${maxCodeContext}; default ${defaultCodeContext}.`
  ),
  step: optional(
    integerQuery(1, 1000),
    "Instead of the locations: the line of this one of the observation's `steps`, counted from 1. No location where there is no such step, or it names no line."
  )
})
export type CodeQuery = typeof CodeQuery.Type

const CodeLine = record("CodeLine", {
  n: field(Count, "Number of the line, counted from 1."),
  text: field(Schema.String, "Its text, secrets redacted; the beginning of a long one.")
})

export const CodeLocation = record("CodeLocation", {
  file_path: field(Schema.String, "Path from the repository's root."),
  commit: nullable(Schema.String, "Commit in which the observation was last seen; null where that is not known."),
  line_start: field(Count, "First line of the location."),
  line_end: field(Count, "Last line of the location, included."),
  lines: field(
    Schema.Array(CodeLine),
    "The lines and those around them; empty where this server has no copy of the commit or the file, or the file is no text of moderate size."
  )
})
export type CodeLocation = typeof CodeLocation.Type

export const ObservationCode = record(
  "ObservationCode",
  {
    locations: field(Schema.Array(CodeLocation), "The main location first."),
    truncated: field(
      Schema.Boolean,
      "Whether locations, lines or ends of lines were left out because there are too many."
    )
  },
  {
    locations: [
      {
        file_path: "src/report.ts",
        commit: "a9ec74f3647c323d14b026723a201a8f7fb020e6",
        line_start: 12,
        line_end: 12,
        lines: [
          { n: 11, text: "export const report = (name: string) => {" },
          { n: 12, text: '  return exec("report " + name)' },
          { n: 13, text: "}" }
        ]
      }
    ],
    truncated: false
  }
)
export type ObservationCode = typeof ObservationCode.Type
