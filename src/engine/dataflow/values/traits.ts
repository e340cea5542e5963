import { isCheck, isGuard } from "../evaluation/checks.ts"
import type { Sanitiser, SinkRule, TaintLanguage } from "../TaintLanguage.ts"

/** What the tables of a language say of a callee, looked up once per access path. */
export interface Traits {
  readonly sinks: ReadonlyArray<SinkRule>
  readonly isSource: boolean
  /** Bits of the kinds of sinks it makes its arguments harmless to; 0 for most. */
  readonly sanitises: number
  /** Those that depend on what they are given. */
  readonly shaped: ReadonlyArray<Sanitiser>
  readonly carries: boolean
  readonly formats: boolean
  readonly builds: boolean
  readonly fills: boolean
  /** Its answer says whether its argument is harmless. */
  readonly tests: boolean
  /** Nothing after it runs. */
  readonly stops: boolean
  /** It throws unless its argument is harmless. */
  readonly guards: boolean
}

const stopping =
  /^\\?(?:die|exit|quit|wp_die|wp_send_json(?:_error|_success)?|abort)$|^(?:flask|werkzeug\.exceptions|bottle|quart)\.abort$|^(?:sys\.exit|os\._exit|os\.Exit|log\.(?:Fatal|Panic)\w*|panic|System\.exit|process\.exit|http:context\.throw|next\/navigation\.(?:notFound|redirect|permanentRedirect))$/

/** Functions of a program's own that show a message and end it: `UI::exitError($text)`, `die_with_message()`. */
const stoppingByName = /(?:^|\.)(?:exit|die)_?(?:[eE]rror|[mM]essage|[wW]ith\w*)$|(?:_and_|And)(?:[eE]xit|[dD]ie)$/

/** Its first answer says whether a pattern matches. */
const matching = /^regexp\.Match(?:String)?$/

const isPlain = (rule: Sanitiser, path: string): boolean => rule.text === undefined && rule.path.test(path)

const MAX_KNOWN = 20_000
const known = new Map<TaintLanguage, Map<string, Traits>>()

export const traitsOf = (language: TaintLanguage, sinks: ReadonlyArray<SinkRule>, path: string): Traits => {
  let table = known.get(language)
  if (table === undefined || table.size > MAX_KNOWN) {
    table = new Map()
    known.set(language, table)
  }
  const found = table.get(path)
  if (found !== undefined) return found
  const traits: Traits = {
    sinks: sinks.filter((rule) => rule.path.test(path)),
    isSource: language.sources.test(`${path}()`),
    sanitises: language.sanitisers.reduce((all, rule) => (isPlain(rule, path) ? all | rule.kinds : all), 0),
    shaped: language.sanitisers.filter((rule) => rule.text !== undefined && rule.path.test(path)),
    carries: language.carriers.test(path),
    formats: language.formats.test(path),
    builds: language.builders.test(path),
    fills: language.fillers.test(path),
    tests: language.shapeTests.test(path) || isCheck(path) || matching.test(path),
    stops: stopping.test(path) || stoppingByName.test(path),
    guards: isGuard(path)
  }
  table.set(path, traits)
  return traits
}
