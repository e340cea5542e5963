import type { SourceKind } from "../../core/tool/AuditTool.ts"
import {
  ALL_KINDS,
  ARGUMENT,
  CODE,
  COMMAND,
  CUT,
  HTML,
  JOINED,
  OBJECT,
  PATH,
  REDIRECT,
  RESOLVED,
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

/** Without the marks of paths and texts, which are no sinks. */
const HARM = ALL_KINDS & ~(RESOLVED | JOINED | CUT)

/** What a page's address or another page says is harmless to servers: it is the user's own browser that reads it. */
const readInBrowser = HTML | REDIRECT | CODE
const browserSource =
  /^(?:dom:|(?:(?:window|document|self|top|parent|globalThis)\.)*location\.|(?:window\.)?document\.|window\.name$|react-router)/

/** The page's own address, to which a link may append a path: what the server runs is not chosen by it. */
const ownAddress = /^\$_SERVER\.PHP_SELF$/
/** Django keeps the base name of what the client called its file. */
const baseName = /^(?:http:django|self:\w+\.request)\.FILES\b/
/** A part of an address between slashes, decoded before it is matched: the most it can name is the folder above. */
const segment = /^http:request\.segment$/
/** Headers that a page of a stranger cannot make a visitor's browser send: no one but the sender reads what they become. */
const ownHeader = /^\$_SERVER\.HTTP_(?:HOST|USER_AGENT|ACCEPT(?:_\w+)?|CONNECTION)$/

/** Kinds of sinks that a source is harmless to. */
export const safeFrom = (kind: SourceKind | null, path: string): number => {
  if (ownAddress.test(path)) return HARM & ~(HTML | REDIRECT)
  if (ownHeader.test(path)) return HTML
  if (baseName.test(path) || segment.test(path)) return PATH
  if (browserSource.test(path)) return HARM & ~readInBrowser
  const reached = kind === null ? undefined : harmed[kind]
  return reached === undefined ? 0 : HARM & ~reached
}

/** Anyone may send it: what the program is started with, reads from disk or is called with is chosen by fewer. */
export const isFromStranger = (kind: SourceKind): boolean => /^(?:request|message|socket)$/.test(kind)
