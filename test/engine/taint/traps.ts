import { describe } from "vitest"
import { type Dialect, dialects } from "./dialects.ts"
import { holds } from "./flows.ts"

export interface Trap {
  readonly title: string
  /** Statements of the handler; `sink` ends in a sink, `hit` is one that is reached. */
  readonly body: (d: Form) => ReadonlyArray<string> | null
  readonly functions?: (d: Form) => ReadonlyArray<string>
  readonly only?: "sql" | "command"
  /** Languages in which it is known to be missed or reported wrongly, listed in docs/audit-known-misses.md. */
  readonly except?: ReadonlyArray<string>
}

export interface Form extends Dialect {
  /** Names of variables in the language's spelling. */
  readonly v: (name: string) => string
  readonly sink: (value: string) => string
  readonly hit: (value: string) => string
}

const formOf = (d: Dialect, kind: "sql" | "command"): Form => {
  const sink = kind === "sql" ? d.sql : d.command
  return {
    ...d,
    v: (name) => (d.name === "PHP" ? `$${name}` : name),
    sink,
    hit: (value) => `${sink(value)}${d.reached}`
  }
}

export const paren = (d: Dialect, text: string): string => (d.name === "Go" ? text : `(${text})`)

/** A trap in one language, for SQL and for commands: tests by title. */
const tests = (dialect: Dialect, trap: Trap): ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> =>
  (["sql", "command"] as const).flatMap((kind) => {
    if (trap.except?.includes(dialect.name) === true || (trap.only !== undefined && trap.only !== kind)) return []
    const form = formOf(dialect, kind)
    const body = trap.body(form)
    return body === null ? [] : [[`${kind}: ${trap.title}`, dialect.file(body, trap.functions?.(form))] as const]
  })

/** Every trap in every language that has its forms. */
export const springTraps = (groups: Readonly<Record<string, ReadonlyArray<Trap>>>): void => {
  for (const dialect of dialects) {
    describe(dialect.name, () => {
      for (const [group, traps] of Object.entries(groups)) {
        const found = traps.flatMap((trap) => tests(dialect, trap))
        if (found.length === 0) continue
        describe(group, () => {
          for (const [title, texts] of found) holds(title, texts)
        })
      }
    })
  }
}
