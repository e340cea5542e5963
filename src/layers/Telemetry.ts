import { Layer, Logger, type LogLevel } from "effect"

/** Log lines go to stderr: for people where it is a terminal, else one JSON object a line. */
export const loggingLayer = (level: LogLevel.LogLevel) =>
  Layer.merge(
    Logger.replace(
      Logger.defaultLogger,
      process.stderr.isTTY === true
        ? Logger.prettyLogger({ stderr: true, colors: "auto" })
        : Logger.withConsoleError(Logger.jsonLogger)
    ),
    Logger.minimumLogLevel(level)
  )
