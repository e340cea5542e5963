import type { SourceKind } from "../../core/tool/AuditTool.ts"
import {
  ALL_KINDS,
  ARGUMENT,
  CODE,
  COMMAND,
  HTML,
  OBJECT,
  PATH,
  REDIRECT,
  SQL,
  TEMPLATE,
  URL
} from "../values/Value.ts"

/**
 * Kinds of sinks that a source without a stranger behind it can harm: who starts a program may choose the address it asks
 * and the page it shows. Kinds that are not named here are reached by anything.
 */
const harmed: Partial<Record<SourceKind, number>> = {
  arguments: SQL | COMMAND | PATH | CODE | OBJECT | TEMPLATE | URL,
  stdin: SQL | COMMAND | PATH | CODE | OBJECT | TEMPLATE | URL,
  environment: SQL | COMMAND | PATH | CODE,
  file: SQL | COMMAND | PATH,
  database: SQL | COMMAND | ARGUMENT | PATH | CODE | OBJECT
}

/** What a page's address or another page says is harmless to servers: it is the user's own browser that reads it. */
const readInBrowser = HTML | REDIRECT | CODE
const browserSource =
  /^(?:dom:|(?:(?:window|document|self|top|parent|globalThis)\.)*location\.|(?:window\.)?document\.|window\.name$|react-router)/

/** Kinds of sinks that a source is harmless to. */
export const safeFrom = (kind: SourceKind | null, path: string): number => {
  if (browserSource.test(path)) return ALL_KINDS & ~readInBrowser
  const reached = kind === null ? undefined : harmed[kind]
  return reached === undefined ? 0 : ALL_KINDS & ~reached
}
