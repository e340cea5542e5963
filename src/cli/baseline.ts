import { readFile } from "node:fs/promises"
import { Effect, Either, Option, Schema } from "effect"
import { type CommandFailed, failed } from "./failures.ts"

const AuditDocument = Schema.Struct({
  findings: Schema.Array(
    Schema.Struct({ signatures: Schema.Struct({ located: Schema.String, primary: Schema.String }) })
  )
})

const Fingerprints = Schema.Struct({ "assay/v1": Schema.String, "assayLocated/v1": Schema.String })

const SarifDocument = Schema.Struct({
  runs: Schema.Array(Schema.Struct({ results: Schema.Array(Schema.Struct({ partialFingerprints: Fingerprints })) }))
})

const signaturesIn = (document: unknown): ReadonlyArray<string> | null => {
  const audit = Schema.decodeUnknownEither(AuditDocument)(document)
  if (Either.isRight(audit)) {
    return audit.right.findings.map(({ signatures: { located, primary } }) => `${located} ${primary}`)
  }
  const sarif = Schema.decodeUnknownEither(SarifDocument)(document)
  if (Either.isLeft(sarif)) return null
  return sarif.right.runs.flatMap(({ results }) =>
    results.map(({ partialFingerprints: prints }) => `${prints["assayLocated/v1"]} ${prints["assay/v1"]}`)
  )
}

/** The findings of an earlier audit, from the JSON or the SARIF that it wrote: by these they are re-identified. */
export const readBaseline = (file: Option.Option<string>): Effect.Effect<ReadonlyArray<string>, CommandFailed> =>
  Option.match(file, { onNone: () => Effect.succeed([]), onSome: signaturesOf })

const signaturesOf = (path: string) =>
  Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: () => readFile(path, "utf8"),
      catch: (error) => failed(`--baseline: cannot read ${path}: ${error instanceof Error ? error.message : error}`)
    })
    const signatures = yield* Effect.try({
      try: () => signaturesIn(JSON.parse(text)),
      catch: () => failed(`--baseline: ${path} is not JSON.`)
    })
    if (signatures !== null) return signatures
    return yield* failed(
      `--baseline: ${path} is no result of an audit. Write one with: assay audit --json > ${path}, or --sarif ${path}.`
    )
  })
