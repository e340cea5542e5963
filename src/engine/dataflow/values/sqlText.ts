import { looksLikeSql } from "../sinks/sinks.ts"

const HOLE = "\u0000"

/** Where in a statement a tainted part stands. */
export type SqlPosition = "quoted" | "value" | "other"

const unevenQuotes = (text: string, quote: string): boolean => {
  let count = 0
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) count++
  return count % 2 === 1
}

/** "value" is where a placeholder could stand; names of tables and columns and whole clauses are "other". */
export const positionIn = (text: string, hole: number): SqlPosition => {
  let at = -1
  for (let i = 0; i <= hole; i++) at = text.indexOf(HOLE, at + 1)
  if (hole < 0 || at < 0 || !looksLikeSql(text)) return "other"
  const before = text.slice(0, at)
  const after = text.slice(at + 1)
  if (unevenQuotes(before, "'")) return after.includes("'") ? "quoted" : "other"
  if (/(?:=|<|>|\blike|\bilike|\bvalues\s*\()\s*"%?$/i.test(before) && /^%?"/.test(after)) return "quoted"
  if (/^[\w.`"([\u0000\u0001]/.test(after)) return "other"
  if (/(?:[=<>]|\blike|\bilike|\bbetween)\s*$/i.test(before)) return "value"
  return /\bvalues\s*\((?:[^()]*,)?\s*$/i.test(before) ? "value" : "other"
}
