import { Effect, Option } from "effect"
import { Files, Secrets } from "../../engine/index.ts"
import { clip } from "../../schema/characters.ts"
import {
  type Location,
  ObservationNotFound,
  type ObservationNumber,
  refOf,
  type Step
} from "../../schema/Observation.ts"
import {
  type ObservationCode as Code,
  type CodeLocation,
  type CodeQuery,
  defaultCodeContext
} from "../../schema/ObservationCode.ts"
import { Caller } from "../access/Caller.ts"
import { CodeHost } from "../ports/CodeHost.ts"
import { ObservationsRepo } from "./ObservationsRepo.ts"

const maxLocations = 10
const maxLines = 200
const maxLineLength = 400
/** Characters of all lines together. */
const maxCharacters = 200_000
/** Audits read no larger files. */
const maxFileBytes = 512 * 1024

/** The code that an observation is about, as it was when the observation was last seen. */
export class ObservationCode extends Effect.Service<ObservationCode>()("ObservationCode", {
  effect: Effect.gen(function* () {
    const repo = yield* ObservationsRepo
    const host = yield* CodeHost

    /** Lines of a text file. Redacting takes a while for a large one: others get their turn between two. */
    const quotable = (path: string, bytes: Uint8Array | undefined) =>
      bytes === undefined || Files.isBinary(bytes)
        ? Effect.succeed(null)
        : Effect.zipRight(
            Effect.yieldNow(),
            Effect.sync(() => Secrets.redactedFile(path, Files.decodeText(bytes)))
          )

    const read = Effect.fn("ObservationCode.read")(function* (
      number: ObservationNumber,
      { context = defaultCodeContext, step }: CodeQuery
    ) {
      const { workspace_id } = yield* Caller
      const occurrence = Option.getOrNull(yield* repo.lastOccurrence({ workspace_id, number }))
      if (occurrence === null) return yield* new ObservationNotFound({ message: `No observation ${refOf(number)}.` })
      const { repository_id, commit, locations, steps } = occurrence
      const places = step === undefined ? locations : linesOf(steps[step - 1])
      const shown = places.slice(0, maxLocations)
      const paths = [...new Set(shown.map(({ file_path }) => file_path))]
      const content =
        commit === null
          ? new Map<string, Uint8Array>()
          : yield* host.files({ repositoryId: repository_id, commit, paths, maxBytes: maxFileBytes })
      const files = new Map<string, Secrets.RedactedFile | null>()
      for (const path of paths) files.set(path, yield* quotable(path, content.get(path)))
      return quotationOf(shown, places.length, commit, context, (path) => files.get(path) ?? null)
    })

    return { read }
  })
}) {}

type Lines = Pick<Location, "file_path" | "line_start" | "line_end">

/** The line of a step, where it names one. */
const linesOf = (step: Step | undefined): ReadonlyArray<Lines> =>
  step === undefined || step.line === null
    ? []
    : [{ file_path: step.file_path, line_start: step.line, line_end: step.line }]

const quotationOf = (
  locations: ReadonlyArray<Lines>,
  total: number,
  commit: string | null,
  context: number,
  fileAt: (path: string) => Secrets.RedactedFile | null
): Code => {
  let left = maxCharacters
  let truncated = total > locations.length
  const quoted = locations.map(({ file_path, line_start, line_end }): CodeLocation => {
    const lines: Array<CodeLocation["lines"][number]> = []
    const file = fileAt(file_path)
    const from = Math.max(1, line_start - context)
    const to = Math.min(file?.lineCount ?? 0, line_end + context)
    for (let n = from; n <= to && !(lines.length === maxLines || left <= 0); n++) {
      const whole = file?.line(n) ?? ""
      const text = clip(whole, maxLineLength)
      truncated ||= text !== whole
      left -= text.length
      lines.push({ n, text })
    }
    truncated ||= lines.length < to - from + 1
    return { file_path, commit, line_start, line_end, lines }
  })
  return { locations: quoted, truncated }
}
