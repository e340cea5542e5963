import type { Buffer } from "node:buffer"
import { StringDecoder } from "node:string_decoder"
import { Option, Schema } from "effect"

/** What an agent says about its run: one line of JSON. It may hold more. */
const AgentReport = Schema.parseJson(
  Schema.Struct({
    cost_usd: Schema.optional(Schema.NullOr(Schema.NonNegative.pipe(Schema.finite()))),
    summary: Schema.optional(Schema.NullOr(Schema.String))
  })
)
export type AgentReport = typeof AgentReport.Type

const decode = Schema.decodeOption(AgentReport)

/** None for anything else than one JSON object with these fields. */
export const readReport = (line: string): Option.Option<AgentReport> =>
  line.startsWith("{") ? decode(line) : Option.none()

const maxLine = 64 * 1024

/** Reads an agent's standard output line by line; of a line that is too long nothing is kept. */
export class ReportReader {
  readonly #decoder = new StringDecoder("utf8")
  readonly #onReport: (report: AgentReport) => void
  #open = ""
  #tooLong = false
  #last: Option.Option<AgentReport> = Option.none()

  constructor(onReport: (report: AgentReport) => void) {
    this.#onReport = onReport
  }

  add(chunk: Buffer): void {
    const [first = "", ...rest] = this.#decoder.write(chunk).split("\n")
    this.#extend(first)
    for (const part of rest) {
      this.#endLine()
      this.#extend(part)
    }
  }

  /** The last line that is not blank, if it is a report. */
  end(): Option.Option<AgentReport> {
    this.#endLine()
    return this.#last
  }

  #extend(part: string): void {
    this.#tooLong ||= this.#open.length + part.length > maxLine
    this.#open = this.#tooLong ? "" : this.#open + part
  }

  #endLine(): void {
    const line = this.#open.trim()
    if (line !== "" || this.#tooLong) {
      this.#last = this.#tooLong ? Option.none() : readReport(line)
      Option.map(this.#last, this.#onReport)
    }
    this.#open = ""
    this.#tooLong = false
  }
}
