import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Definition, Transition } from "../../Observed.ts"
import { guardedAssignments, stateField } from "./guardedAssignments.ts"
import { machineTransitions } from "./machines.ts"

const MAX_TRANSITIONS = 80
const MAX_STATEMENT = 800

const update = /\bUPDATE\s+(?:ONLY\s+)?["'`[]?([a-zA-Z_][\w.]{0,60})["'`\]]?(?:\s+(?:AS\s+)?\w{1,20})?\s+SET\s/gi
const assigned = new RegExp(String.raw`(?:^|[\s,.])(${stateField})\s*=\s*'([\w .-]{1,40})'`, "i")

const literalsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/'([\w .-]{1,40})'/g)].map(([, value]) => value!)

/** `UPDATE orders SET status = 'paid' WHERE id = $1 AND status = 'open'`. */
const updates = (file: SourceFile): ReadonlyArray<Transition> =>
  [...file.text.matchAll(update)].flatMap((match): ReadonlyArray<Transition> => {
    const rest = file.text.slice(match.index, match.index + MAX_STATEMENT)
    const head = match[0].length
    const length = rest.slice(head).search(/[;`]|"""|\n\s*\n|(?<!\\)"/)
    const whole = length < 0 ? rest : rest.slice(0, head + length)
    const [set, ...conditions] = whole.split(/\bWHERE\b/i)
    const change = assigned.exec(set!.slice(head))
    const condition = conditions.join(" ").split(/\b(?:RETURNING|ON CONFLICT)\b/i)[0]!
    if (change === null || condition === "") return []
    const [, field, to] = change
    if (/^\s*(?:\/\/|\/?\*|#|--)/.test(file.lineText(file.line(match.index)))) return []
    const before = new RegExp(
      String.raw`(?<![\w'])${field}\s*(?:=\s*('[\w .-]{1,40}')|IN\s*\(([^()]{2,300})\))`,
      "i"
    ).exec(condition)
    const from = literalsIn(before?.[1] ?? before?.[2] ?? "")
    if (before === null || from.length === 0) return []
    const end = file.line(match.index + whole.lastIndexOf(before[0]) + before[0].length - 1)
    return [{ of: match[1]!, field: field!.toLowerCase(), from, to: to!, line: file.line(match.index), end }]
  })

/** The innermost type around a line. */
const typeAround = (line: number, definitions: ReadonlyArray<Definition>): string | null =>
  definitions
    .filter(({ kind, line: start, end }) => kind === "type" && start <= line && line <= end)
    .sort((a, b) => b.line - a.line)[0]?.name ?? null

const isOwn = /^(?:this|self|@|my|s|\$this)$/

/** Changes of a state that a file makes when the state was another. */
export const transitionsOf = (file: SourceFile, definitions: ReadonlyArray<Definition>): ReadonlyArray<Transition> => {
  if (file.role !== "source" || !/status|state|phase|stage|transition/i.test(file.text)) return []
  const found = [...updates(file), ...guardedAssignments(file), ...machineTransitions(file)]
  return found
    .flatMap((one) => {
      const of = one.of === "" || isOwn.test(one.of) ? typeAround(one.line, definitions) : one.of
      return of === null ? [] : [{ ...one, of }]
    })
    .slice(0, MAX_TRANSITIONS)
}
