import { Schema } from "effect"
import { Files } from "../../engine/index.ts"
import { CitedLocation, type DiscoveryOutput, RuleOrigin, Support } from "../../schema/Discovery.ts"

// How the discovery keeps what is served piece by piece: see `guidance_slots`.

const Scope = Schema.Struct({
  folder: Schema.String,
  suffix: Schema.optional(Schema.String),
  languages: Schema.optional(Schema.Array(Schema.String)),
  role: Schema.optional(Schema.Literal("source", "test"))
})
type Scope = typeof Scope.Type

const StoredRule = Schema.Struct({
  origin: RuleOrigin,
  text: Schema.String,
  scope: Scope,
  support: Schema.NullOr(Support),
  deviations: Schema.Array(Schema.String),
  cited: Schema.Array(CitedLocation)
})

const StoredPattern = Schema.Struct({
  title: Schema.String,
  shape: Schema.String,
  support: Support,
  scope: Scope,
  canonical: Schema.Struct({
    file_path: Schema.String,
    line_start: Schema.Int,
    line_end: Schema.Int,
    symbol: Schema.NullOr(Schema.String),
    snippet: Schema.NullOr(Schema.String)
  }),
  deviations: Schema.Array(
    Schema.Struct({ shape: Schema.String, count: Schema.Int, file_path: Schema.String, line: Schema.Int })
  )
})

const isRule = Schema.is(StoredRule)
const isPattern = Schema.is(StoredPattern)

export const rulesIn = ({ guidance_slots }: DiscoveryOutput) => Object.values(guidance_slots.rules ?? {}).filter(isRule)

export const patternsIn = ({ guidance_slots }: DiscoveryOutput) =>
  Object.entries(guidance_slots.patterns ?? {}).flatMap(([name, stored]) =>
    isPattern(stored) ? [{ name, ...stored }] : []
  )

const isBelow = (folder: string, path: string): boolean => folder === "" || path.startsWith(`${folder}/`)

/** Whether something rules of a scope is rules of this file, be it there yet or not. */
export const isAbout = (scope: Scope, path: string): boolean => {
  const role = Files.roleOf(path)
  const isDirect = !path.slice(scope.folder === "" ? 0 : scope.folder.length + 1).includes("/")
  return (
    isBelow(scope.folder, path) &&
    // What was seen in the files of one folder is not rules of the folders in it.
    (scope.suffix !== undefined || scope.folder === "" || scope.role === undefined || isDirect) &&
    (scope.suffix === undefined || path.endsWith(scope.suffix)) &&
    (scope.languages === undefined || scope.languages.includes(Files.languageOf(path))) &&
    (scope.role === undefined || scope.role === (role === "test" ? "test" : "source"))
  )
}

const narrowness = ({ folder, suffix }: Scope): number =>
  (folder === "" ? 0 : folder.split("/").length) * 2 + (suffix === undefined ? 0 : 1)

/** The narrowest scope first: a rule of the file's own folder is more specific than one of the whole repository. */
export const about = <A extends { readonly scope: Scope }>(rules: ReadonlyArray<A>, path: string): ReadonlyArray<A> =>
  rules
    .filter(({ scope }) => isAbout(scope, path))
    .map((one, index) => ({ one, index }))
    .sort((a, b) => narrowness(b.one.scope) - narrowness(a.one.scope) || a.index - b.index)
    .map(({ one }) => one)
