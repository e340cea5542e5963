import { isSecondary } from "../architecture/mainLanguages.ts"
import type { Entity, ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { isOfWorkers } from "./declarations.ts"
import { isPlain, type Noun, nounKey, type Placed } from "./Noun.ts"
import { nearestFirst, statesByNoun } from "./nounStates.ts"
import { productWords } from "./products.ts"
import { isApart } from "./Ranking.ts"
import type { Ranked } from "./withSpokenWords.ts"

/** A program of so few files is small. */
const MAX_FILES = 12
/** Of more types than these only some are what it is about. */
const MAX_TYPES = 6
const MIN_FIELDS = 2
const MIN_USES = 2

/** How the program is called, set and run, and what it consists of anyway. */
const isOfProgram =
  /(?:Options?|Opts|Configs?|Configuration|Settings?|Args|Arguments|Params?|Parameters|Errors?|Exceptions?|Warnings?|App|Application|Cli|CLI|Commands?|States?|Status|Window|Dialog|Widget|View|Panel|Screen|Form|Handler|Manager|Server|Client|Connection|Context|Parser|Lexer|Scanner|Tokenizer|Token|Reader|Writer|Formatter|Printer|Builder|Factory|Helpers?|Utils?|Logger|Cache|Buffer|Stream|Iter(?:ator)?|Visitor|Listener|Callback|Mixin|Base|Main|Test\w*|Mock\w*|Generator|Converter|Executor|Runner|Loader|Plugin|Module|Interface|Impl|Metadata|Types?|Enum|Constants?|Globals?|Props|Request|Response|Thread|Task|Queue|Map|List|Table|Set|Tree|Proxy|Wrapper|Adapter|Mojo|Location|Loc|Position|Pos|Range|Span)$/

const isOfOthers = /(?:^|\/)(?:vendor|third_?party|tests?|examples?|compat|\w{0,10}ui|widgets?|views?|dialogs?)\//i

interface Possible {
  readonly key: string
  readonly what: Entity
  readonly file: ObservedFile
}

const possibleIn = (files: ReadonlyArray<ObservedFile>): ReadonlyArray<Possible> => {
  const found = new Map<string, Possible>()
  for (const file of files)
    for (const what of file.has("entities") ? file.entities : []) {
      const key = nounKey(what.name)
      const isThing = isPlain(what.as) && what.fields.length >= MIN_FIELDS && !isOfProgram.test(what.name)
      if (isThing && !found.has(key)) found.set(key, { key, what, file })
    }
  return [...found.values()]
}

const rankedOf = (noun: Noun, key: string): Ranked => ({
  key,
  noun,
  kind: 2,
  rank: noun.uses,
  isStated: false,
  isCentral: false
})

/** Types of a small program that its files share: each of a few is a part of what it is about, whatever it is called. */
export const fewTypes = (survey: Survey, states: ReadonlyArray<Noun["states"][number]>): ReadonlyArray<Ranked> => {
  const isSecond = isSecondary(survey)
  const files = survey.source.filter(
    (file) =>
      (file.has("definitions") || file.has("outline")) &&
      !isOfWorkers.test(file.path) &&
      !isOfOthers.test(file.path) &&
      !isSecond(file)
  )
  if (files.length > MAX_FILES) return []
  const named = files.map((file) => new Set(file.names.split(" ")))
  const products = productWords(survey)
  const shared = possibleIn(files).flatMap((one) => {
    if (products.has(one.key.replaceAll(" ", ""))) return []
    const uses = files.filter((file, at) => file === one.file || named[at]!.has(one.what.name)).length
    return uses < MIN_USES && !isApart(one.key, [one]) ? [] : [{ ...one, uses }]
  })
  if (shared.length > MAX_TYPES) return []
  const declared = new Map<string, ReadonlyArray<Placed<Entity>>>(
    shared.map(({ key, what, file }) => [key, [{ what, file }]])
  )
  const byNoun = statesByNoun(states, declared)
  return shared
    .sort((a, b) => b.uses - a.uses || (a.key < b.key ? -1 : 1))
    .map(({ key, what, file, uses }) => {
      const doc = file.declared.find((one) => one.kind === "type" && one.line === what.line && one.doc !== null)
      const own = nearestFirst(byNoun.get(key) ?? [], declared.get(key)!)
      const about = doc === undefined ? null : { what: doc, file }
      return rankedOf({ name: what.name, declarations: declared.get(key)!, doc: about, uses, states: own }, key)
    })
}
