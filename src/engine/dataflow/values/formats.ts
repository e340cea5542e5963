import { concat, isTainted, join, literal, unknown, type Value } from "./Value.ts"

const numeric = /[diufFeEgGxXobctTpU]$/

/** Values in the order in which a format takes them, or one value that holds them by name. */
export type Given = ReadonlyArray<Value> | Value

const isList = (given: Given): given is ReadonlyArray<Value> => Array.isArray(given)

const everything = (given: Given): Value =>
  isList(given) ? given.reduce((all, value) => join(all, value), unknown()) : given

/** `"… %s …" % x`, Sprintf, String.format. The template's own holes keep their places. */
export const formatPercent = (template: Value, given: Given, escapes: RegExp | null = null): Value => {
  if (!template.text.includes("%")) return isTainted(template) ? template : concat(template, everything(given))
  let position = 0
  return fill(template, /(%(?:\(\w+\))?(?:\d+\$|\[\d+\])?[-+ #0,]*(?:\d+|\*)?(?:\.\d+)?[a-zA-Z%])/, (directive) => {
    if (directive.endsWith("%")) return literal("%")
    const name = /^%\((\w+)\)/.exec(directive)?.[1]
    const explicit = /^%(?:\[(\d+)\]|(\d+)\$)/.exec(directive)
    const at = explicit === null ? position++ : Number(explicit[1] ?? explicit[2]) - 1
    if (numeric.test(directive) || escapes?.test(directive) === true) return unknown("number")
    return givenAt(given, name ?? String(at), at)
  })
}

const givenAt = (given: Given, name: string, at: number): Value => {
  if (isList(given)) return given[at] ?? unknown()
  if (given.fields === null) return given
  return given.fields.get(name) ?? given.fields.get("*") ?? unknown()
}

/** `"… {} … {name}".format(…)`. */
export const formatBraces = (template: Value, args: ReadonlyArray<Value>, named: ReadonlyMap<string, Value>): Value => {
  let position = 0
  return fill(template, /(\{\{|\}\}|\{[^{}]*\})/, (directive) => {
    if (directive === "{{" || directive === "}}") return literal(directive[0]!)
    const [field = "", spec = ""] = directive.slice(1, -1).split(":", 2)
    if (/[dfeEgGxXob]$/.test(spec)) return unknown("number")
    const name = /^\w*/.exec(field)![0]
    if (name === "") return args[position++] ?? unknown()
    return /^\d+$/.test(name) ? (args[Number(name)] ?? unknown()) : (named.get(name) ?? named.get("*") ?? unknown())
  })
}

const fill = (template: Value, directives: RegExp, valueOf: (directive: string) => Value): Value => {
  let result = literal("")
  let hole = 0
  for (const piece of template.text.split(new RegExp(`${directives.source}|(\u0000)`)).filter((p) => p !== undefined)) {
    if (piece === "") continue
    if (piece === "\u0000") {
      const taint = template.holes[hole++]
      if (taint !== undefined) result = concat(result, { ...unknown(), text: piece, holes: [taint] })
    } else if (new RegExp(`^${directives.source}$`).test(piece)) result = concat(result, valueOf(piece))
    else result = concat(result, piece === "\u0001" ? unknown() : literal(piece))
  }
  return template.rest.length === 0 ? result : { ...result, rest: [...result.rest, ...template.rest] }
}
