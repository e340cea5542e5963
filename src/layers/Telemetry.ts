import { Effect, FiberRef, Layer, Logger, LogLevel, Runtime } from "effect"
import type { EndedRequest } from "../http/observedServer.ts"

/** People read prose on a terminal; elsewhere each line is one JSON object. */
const isTerminal = process.stderr.isTTY === true

/** Writes lines in batches, one per turn of the event loop: a system call for each would cost more than the rest of it. */
const batched = (write: (text: string) => void) => {
  let lines = ""
  const flush = () => {
    const text = lines
    lines = ""
    if (text !== "") write(text)
  }
  process.on("exit", flush)
  return (line: string) => {
    if (lines === "") setImmediate(flush)
    lines += `${line}\n`
  }
}

const jsonLines = Logger.map(
  Logger.jsonLogger,
  batched((text) => process.stderr.write(text))
)

/** Log lines go to stderr: for people where it is a terminal, else one JSON object a line. */
export const loggingLayer = (level: LogLevel.LogLevel) =>
  Layer.merge(
    Logger.replace(
      Logger.defaultLogger,
      isTerminal ? Logger.prettyLogger({ stderr: true, colors: "auto" }) : jsonLines
    ),
    Logger.minimumLogLevel(level)
  )

const described = ({ isStream, millis, requestId, ...request }: EndedRequest) => ({
  ...request,
  ms: Math.round(millis * 10) / 10,
  request_id: requestId,
  ...(isStream ? { stream: true } : {})
})

/** Writes a line for each request, unless a person reads along: they see jobs, sign-ins and what goes wrong. */
export const requestLog = Effect.gen(function* () {
  const minimum = yield* FiberRef.get(FiberRef.currentMinimumLogLevel)
  if (isTerminal || LogLevel.greaterThan(minimum, LogLevel.Info)) return () => undefined
  const runFork = Runtime.runFork(yield* Effect.runtime<never>())
  return (request: EndedRequest) => {
    runFork(Effect.annotateLogs(Effect.logInfo("request"), described(request)))
  }
})
