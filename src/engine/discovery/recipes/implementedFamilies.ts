import { addTo } from "../../core/collections/lists.ts"
import { directoryOf } from "../../core/text/paths.ts"
import { at, code } from "../Draft.ts"
import { nounKey } from "../domain/Noun.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Family, Sibling } from "./Family.ts"
import { mainFolder } from "./recipeParts.ts"

const MIN_FILES = 4
const MIN_SHARE = 0.6
const MIN_SHARE_OF_FOLDER = 0.5
const MAX_LEVELS = 4

/** What a program consists of anyway, whatever it can be extended by. */
const isOfAnyProgram =
  /(?:Errors?|Exceptions?|Warning|Test\w*|Case|Events?|Node|Expr\w*|Statement|Component|Model|Entity|Record|View|Widget|Dialog|Window|Panel|Button|Form|Props|State|Status|Options?|Config\w*|Settings|Requests?|Responses?|Message|Utils?|Helper|Factory|Mixin|Object|Item|Element|Data|Info|Value|Type|Context|Builder|Visitor|Listener|Callback|Iterator|Activity|Fragment|Screen|Service|Repository|Store|Stream|Thread|Struct|Enum|Schema|Serializer|Manager|Handler|Wrapper|Proxy)(?:Base|Interface)?$/

const plainName = (name: string): string =>
  name.replace(/^(?:I|Abstract|Base)(?=[A-Z][a-z])/, "").replace(/(?<=[a-z])(?:Base|Interface)$/, "")

const lastPart = (name: string): string => name.split(/[.:\\]+/).at(-1)!

interface Types {
  readonly declared: ReadonlyMap<string, Sibling & { readonly bases: ReadonlyArray<string> }>
  readonly byBase: ReadonlyMap<string, ReadonlyArray<Sibling>>
}

const typesOf = (files: ReadonlyArray<ObservedFile>): Types => {
  const declared = new Map<string, Sibling & { readonly bases: ReadonlyArray<string> }>()
  const byBase = new Map<string, Array<Sibling>>()
  for (const file of files)
    for (const { kind, name, line, bases } of file.has("definitions") ? file.definitions : []) {
      if (kind !== "type") continue
      if (!declared.has(name)) declared.set(name, { name, line, file, bases: bases.map(lastPart) })
      for (const base of bases) addTo(byBase, lastPart(base), { name, line, file })
    }
  return { declared, byBase }
}

/** What derives from a type, also through types in between, which are none that a new one is like. */
const derivedFrom = (name: string, { byBase }: Types): ReadonlyArray<Sibling> => {
  const found = new Map<string, Sibling>()
  let level = [name]
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth++) {
    const next = level.flatMap((base) => byBase.get(base) ?? []).filter((one) => !found.has(one.name))
    for (const one of next) found.set(one.name, one)
    level = [...new Set(next.map((one) => one.name))]
  }
  return [...found.values()].filter((one) => !/^(?:Abstract|Base)[A-Z]/.test(one.name) && one.name !== name)
}

/**
 * Types that derive from one of the program's own, where they fill a folder beside it or below: another of them is added
 * there, whatever it is called.
 */
export const implementedFamilies = (files: ReadonlyArray<ObservedFile>): ReadonlyArray<Family> => {
  const types = typesOf(files)
  const inFolder = new Map<string, number>()
  for (const { path } of files) inFolder.set(directoryOf(path), (inFolder.get(directoryOf(path)) ?? 0) + 1)
  return [...types.byBase.keys()].flatMap((name): ReadonlyArray<Family> => {
    const base = types.declared.get(name)
    const isRoot = base !== undefined && !base.bases.some((one) => types.declared.has(one))
    if (!isRoot || isOfAnyProgram.test(name)) return []
    const members = derivedFrom(name, types)
    const places = [...new Set(members.map(({ file }) => file))]
    const { folder, count } = mainFolder(places)
    const beside = directoryOf(base.file.path)
    const isTheirs =
      folder !== "" &&
      (folder === beside || beside === "" || folder.startsWith(`${beside}/`)) &&
      count >= MIN_SHARE * places.length &&
      count >= MIN_SHARE_OF_FOLDER * inFolder.get(folder)!
    if (places.length < MIN_FILES || !isTheirs) return []
    const shape = `a type that derives from ${code(name)} (${at({ path: base.file.path, line: base.line })})`
    return [{ noun: nounKey(plainName(name)), shape, base, members }]
  })
}
