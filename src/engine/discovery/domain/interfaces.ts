import { addTo } from "../../core/collections/lists.ts"
import type { Definition, ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { nounKey, type Placed, stemOf } from "./Noun.ts"
import { isApart } from "./Ranking.ts"
import type { Ranked } from "./withSpokenWords.ts"

const MIN_DERIVED = 3
const MAX_LEVELS = 4
const MIN_NOUNS = 3
/** Those that are read first. */
const MAX_LED = 12

/** Parts of any program, however many of them a noun holds. */
const isOfAnyProgram =
  /(?:Errors?|Exceptions?|Options?|Config\w*|Settings?|Params?|Args|Listener|Handler|Callback|Observer|Visitor|Factory|Builder|Provider|Helper|Utils?|Widget|View|Dialog|Window|Button|Label|Thread|Stream|Buffer|Line|String|Value|Item|Entry|Element|Object|Node|Child|Field|Method|Class|Type|Key|Name|Test\w*|Event|Base|Context|Service|Manager)$/

const lastPart = (name: string): string => name.split(/[.:\\]+/).at(-1)!

type Type = Placed<Definition>

const typesIn = (files: ReadonlyArray<ObservedFile>): ReadonlyArray<Type> =>
  files.flatMap((file) => file.definitions.flatMap((what) => (what.kind === "type" ? [{ what, file }] : [])))

class Types {
  readonly byName = new Map<string, Type>()
  readonly byKey = new Map<string, Type>()
  private readonly derived = new Map<string, Array<Type>>()
  private readonly files: ReadonlyArray<ObservedFile>

  constructor(survey: Survey) {
    this.files = survey.source.filter((file) => file.has("definitions"))
    for (const one of typesIn(this.files)) {
      const { name, bases } = one.what
      const key = nounKey(name)
      if (!this.byName.has(name)) this.byName.set(name, one)
      if (!this.byKey.has(key) || stemOf(one.file.path) === key) this.byKey.set(key, one)
      for (const base of bases) addTo(this.derived, lastPart(base), one)
    }
  }

  /** In how many files a type of the program's own is derived from, also through others. */
  private filesWith(name: string): number {
    const seen = new Set<string>([name])
    const files = new Set<string>()
    let level = [name]
    for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth++) {
      const next = level.flatMap((base) => this.derived.get(base) ?? []).filter((one) => !seen.has(one.what.name))
      for (const { what, file } of next) {
        seen.add(what.name)
        files.add(file.path)
      }
      level = [...new Set(next.map(({ what }) => what.name))]
    }
    return files.size
  }

  /** The first of the types that one derives from, up to that which derives from none of the program's own. */
  private above(name: string): ReadonlyArray<Type> {
    const found: Array<Type> = []
    let at: string | undefined = name
    for (let level = 0; level < MAX_LEVELS && at !== undefined; level++) {
      at = this.byName
        .get(at)
        ?.what.bases.map(lastPart)
        .find((base) => this.byName.has(base) && base !== name)
      if (at !== undefined) found.push(this.byName.get(at)!)
    }
    return found
  }

  /** What several types implement, one of which is this: a transformer of manifests is one of the transformers. */
  implementedBy({ key, noun }: Ranked): Type | null {
    const above = this.above(noun.name)
    const most = above.at(-1)
    if (most === undefined) return null
    const isSeveral = this.filesWith(most.what.name) >= MIN_DERIVED
    const isSame = nounKey(most.what.name).split(" ").at(-1) === key.split(" ").at(-1)
    return isSeveral && isSame ? most : null
  }

  nounOf({ what, file }: Type): Ranked {
    const key = nounKey(what.name)
    const { name, line } = what
    const declarations = [{ what: { name, as: "type", line, fields: [], relations: [] }, file }]
    const uses = this.files.filter(({ names }) => ` ${names} `.includes(` ${name} `)).length
    const doc = what.doc === null ? null : { what, file }
    const noun = { name, declarations, doc, uses: Math.max(1, uses), states: [] }
    return { key, noun, kind: 2, rank: uses, isStated: true, isCentral: false }
  }
}

/** Types in files of their own of which a noun holds several, by its fields: `relocators`. */
const heldBy = (nouns: ReadonlyArray<Ranked>, types: Types): ReadonlyArray<Ranked> => {
  const known = new Set(nouns.map(({ key }) => key))
  const fields = nouns.flatMap(({ noun }) => noun.declarations.flatMap(({ what }) => what.fields))
  return fields.flatMap((field) => {
    const key = nounKey(field)
    const type =
      field.toLowerCase().endsWith("s") && !field.toLowerCase().endsWith(key.split(" ").at(-1)!)
        ? types.byKey.get(key)
        : undefined
    if (type === undefined || known.has(key) || isOfAnyProgram.test(type.what.name)) return []
    const one = types.nounOf(type)
    if (!isApart(key, one.noun.declarations)) return []
    known.add(key)
    return [one]
  })
}

/** With the type that several implement in place of one that does, and, where that leaves few, with what a noun holds several of. */
export const withInterfaces = (survey: Survey, nouns: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> => {
  if (!nouns.some(({ kind }) => kind === 2)) return nouns
  const types = new Types(survey)
  const seen = new Set<string>()
  const led = nouns
    .map((one, at) => {
      const above = one.kind === 2 && at < MAX_LED ? types.implementedBy(one) : null
      return above === null ? one : types.nounOf(above)
    })
    .filter(({ key }) => !seen.has(key) && seen.add(key))
  return led.length >= MIN_NOUNS ? led : [...led, ...heldBy(led, types)].slice(0, MIN_NOUNS)
}
