import { escape as escapeRegExp } from "effect/RegExp"
import type { SinkName, UserModel } from "../../core/settings/UserModel.ts"
import {
  ALL_KINDS,
  CODE,
  COMMAND,
  HTML,
  LDAP,
  NOSQL,
  OBJECT,
  PATH,
  REDIRECT,
  SQL,
  TEMPLATE,
  URL,
  XPATH
} from "../values/Value.ts"
import {
  DIRECTORY_FILTER,
  FILE,
  FILTER,
  OBJECTS,
  QUERY,
  REDIRECTION,
  REQUEST,
  RUN,
  SENT,
  SHELL,
  TEMPLATES,
  XPATH_EXPRESSION
} from "./labels.ts"
import type { Model } from "./Model.ts"

interface NamedSink {
  readonly kind: number
  readonly label: string
}

const namedSinks: Readonly<Record<SinkName, NamedSink>> = {
  sql: { kind: SQL, label: QUERY },
  nosql: { kind: NOSQL, label: FILTER },
  command: { kind: COMMAND, label: SHELL },
  path: { kind: PATH, label: FILE },
  url: { kind: URL, label: REQUEST },
  code: { kind: CODE, label: RUN },
  template: { kind: TEMPLATE, label: TEMPLATES },
  object: { kind: OBJECT, label: OBJECTS },
  html: { kind: HTML, label: SENT },
  redirect: { kind: REDIRECT, label: REDIRECTION },
  xpath: { kind: XPATH, label: XPATH_EXPRESSION },
  ldap: { kind: LDAP, label: DIRECTORY_FILTER }
}

const patternWithin = (text: string): string => escapeRegExp(text).replaceAll("\\*", "[\\w$]*")

/** `*` stays within one name, so that matching takes linear time. */
const patternOf = (path: string): RegExp => {
  const isAnywhere = path.startsWith("*.")
  const plain = patternWithin(isAnywhere ? path.slice(2) : path)
  return new RegExp(`${isAnywhere ? "(?:^|\\.)" : "^"}${plain}${path.endsWith("()") ? "" : "(?:\\(\\))?"}$`)
}

const lastName = (path: string): string => {
  const plain = path.replaceAll("()", "")
  return plain.slice(Math.max(plain.lastIndexOf("."), plain.lastIndexOf("/"), plain.lastIndexOf(":")) + 1)
}

/** What a repository says of its own functions, as a model like those of the engine. */
export const modelOf = (own: UserModel): Model => {
  const paths = [...own.sources, ...own.sinks].map(({ path }) => patternWithin(lastName(path)))
  return {
    name: "repository",
    ...(paths.length === 0 ? {} : { mentions: new RegExp(`(?<![\\w$])(?:${paths.join("|")})(?![\\w$])`) }),
    sources: own.sources.map(({ path, kind }) => ({ kind, path: patternOf(path) })),
    sinks: own.sinks.map(({ path, kind, argument, named }) => ({
      ...namedSinks[kind],
      path: patternOf(path),
      args: [argument],
      ...(named === "" ? {} : { named: [named] })
    })),
    sanitizers: own.sanitizers.map(({ path, kinds }) => ({
      path: patternOf(path),
      kinds: kinds.length === 0 ? ALL_KINDS : kinds.reduce((all, kind) => all | namedSinks[kind].kind, 0)
    })),
    propagators: own.propagators.map((path) => ({ path: patternOf(path) }))
  }
}
