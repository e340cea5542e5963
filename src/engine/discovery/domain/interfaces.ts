import type { Entity, ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { nounKey, type Placed, stemOf } from "./Noun.ts"
import { isApart } from "./Ranking.ts"
import type { PlacedType, TypeHierarchy } from "./TypeHierarchy.ts"
import type { Ranked } from "./withSpokenWords.ts"

const MIN_DERIVED = 3
const MIN_NOUNS = 3
/** Those that are read first. */
const MAX_LED = 12

/** Parts of any program, however many of them a noun holds. */
const isOfAnyProgram =
  /(?:Errors?|Exceptions?|Options?|Config\w*|Settings?|Params?|Args|Listener|Handler|Callback|Observer|Visitor|Factory|Builder|Provider|Helper|Utils?|Widget|View|Dialog|Window|Button|Label|Thread|Stream|Buffer|Line|String|Value|Item|Entry|Element|Object|Node|Child|Field|Method|Class|Type|Key|Name|Test\w*|Event|Base|Context|Service|Manager)$/

/** With its fields, where those of the type are read. */
const declarationOf = ({ what: { name, line }, file }: PlacedType): Placed<Entity> => {
  const known = file.has("entities") ? file.entities.find((one) => one.name === name && one.line === line) : undefined
  return { what: known ?? { name, as: "type", line, fields: [], relations: [] }, file }
}

class Types {
  readonly byKey = new Map<string, PlacedType>()
  private readonly hierarchy: TypeHierarchy
  private readonly files: ReadonlyArray<ObservedFile>

  constructor(survey: Survey, hierarchy: TypeHierarchy) {
    this.files = survey.source.filter((file) => file.has("definitions"))
    this.hierarchy = hierarchy
    for (const one of this.hierarchy.types) {
      const key = nounKey(one.what.name)
      if (!this.byKey.has(key) || stemOf(one.file.path) === key) this.byKey.set(key, one)
    }
  }

  /** What several types implement, one of which is this: a transformer of manifests is one of the transformers. */
  implementedBy({ key, noun }: Ranked): PlacedType | null {
    const most = this.hierarchy.above(noun.name).at(-1)
    if (most === undefined) return null
    const files = new Set(this.hierarchy.derivedFrom(most.what.name).map(({ file }) => file))
    const isSeveral = files.size >= MIN_DERIVED
    const isSame = nounKey(most.what.name).split(" ").at(-1) === key.split(" ").at(-1)
    return isSeveral && isSame ? most : null
  }

  nounOf({ what, file }: PlacedType): Ranked {
    const key = nounKey(what.name)
    const { name } = what
    const declarations = [declarationOf({ what, file })]
    const uses = this.files.filter(({ names }) => ` ${names} `.includes(` ${name} `)).length
    const doc = what.doc === null ? null : { what, file }
    const noun = { name, declarations, doc, uses: Math.max(1, uses), states: [] }
    return { key, noun, kind: 2, rank: uses, isStated: true, isCentral: false }
  }
}

/** Types of which a noun holds several, by its fields, such as `relocators`: in files of their own, or beside the noun. */
const heldBy = (nouns: ReadonlyArray<Ranked>, types: Types): ReadonlyArray<Ranked> => {
  const known = new Set(nouns.map(({ key }) => key))
  const fields = nouns.flatMap(({ noun }) =>
    noun.declarations.flatMap(({ what, file }) => what.fields.map((field) => ({ field, file })))
  )
  return fields.flatMap(({ field, file }) => {
    if (known.size >= MIN_NOUNS) return []
    const key = nounKey(field)
    const type =
      field.toLowerCase().endsWith("s") && !field.toLowerCase().endsWith(key.split(" ").at(-1)!)
        ? types.byKey.get(key)
        : undefined
    if (type === undefined || known.has(key) || isOfAnyProgram.test(type.what.name)) return []
    if (type.file !== file && !isApart(key, [declarationOf(type)])) return []
    known.add(key)
    return [types.nounOf(type)]
  })
}

/** With the type that several implement in place of one that does, and, where that leaves few, with what a noun holds several of. */
export const withInterfaces = (
  survey: Survey,
  hierarchy: TypeHierarchy,
  nouns: ReadonlyArray<Ranked>
): ReadonlyArray<Ranked> => {
  if (!nouns.some(({ kind }) => kind === 2)) return nouns
  const types = new Types(survey, hierarchy)
  const seen = new Set<string>()
  const led = nouns
    .map((one, at) => {
      const above = one.kind === 2 && at < MAX_LED ? types.implementedBy(one) : null
      return above === null ? one : types.nounOf(above)
    })
    .filter(({ key }) => !seen.has(key) && seen.add(key))
  return led.length >= MIN_NOUNS ? led : [...led, ...heldBy(led, types)].slice(0, MIN_NOUNS)
}
