import { directoryOf } from "../../core/text/paths.ts"
import { nounKey } from "../domain/Noun.ts"
import { lastPart, type TypeHierarchy } from "../domain/TypeHierarchy.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Family } from "./Family.ts"
import { mainFolder, shapeOf, siblingOf } from "./recipeParts.ts"

const MIN_FILES = 4
const MIN_SHARE = 0.6
const MIN_SHARE_OF_FOLDER = 0.5

/** What a program consists of anyway, whatever it can be extended by. */
const isOfAnyProgram =
  /(?:Errors?|Exceptions?|Warning|Test\w*|Case|Events?|Node|Expr\w*|Statement|Component|Model|Entity|Record|View|Widget|Dialog|Window|Panel|Button|Form|Props|State|Status|Options?|Config\w*|Settings|Requests?|Responses?|Message|Utils?|Helper|Factory|Mixin|Object|Item|Element|Data|Info|Value|Type|Context|Builder|Visitor|Listener|Callback|Iterator|Activity|Fragment|Screen|Service|Repository|Store|Stream|Thread|Struct|Enum|Schema|Serializer|Manager|Handler|Wrapper|Proxy)(?:Base|Interface)?$/

const plainName = (name: string): string =>
  name.replace(/^(?:I|Abstract|Base)(?=[A-Z][a-z])/, "").replace(/(?<=[a-z])(?:Base|Interface)$/, "")

/**
 * Types that derive from one of the program's own, where they fill a folder beside it or below: another of them is added
 * there, whatever it is called.
 */
export const implementedFamilies = (
  files: ReadonlyArray<ObservedFile>,
  hierarchy: TypeHierarchy
): ReadonlyArray<Family> => {
  const inFolder = new Map<string, number>()
  for (const { path } of files) inFolder.set(directoryOf(path), (inFolder.get(directoryOf(path)) ?? 0) + 1)
  return hierarchy.bases.flatMap((base): ReadonlyArray<Family> => {
    const { name, bases } = base.what
    const isRoot = !bases.some((one) => hierarchy.byName.has(lastPart(one)))
    if (!isRoot || isOfAnyProgram.test(name)) return []
    const members = hierarchy.derivedFrom(name).map(siblingOf)
    const places = [...new Set(members.map(({ file }) => file))]
    const { folder, count } = mainFolder(places)
    const beside = directoryOf(base.file.path)
    const isTheirs =
      folder !== "" &&
      (folder === beside || beside === "" || folder.startsWith(`${beside}/`)) &&
      count >= MIN_SHARE * places.length &&
      count >= MIN_SHARE_OF_FOLDER * inFolder.get(folder)!
    if (places.length < MIN_FILES || !isTheirs) return []
    const own = siblingOf(base)
    return [{ noun: nounKey(plainName(name)), shape: shapeOf(own), base: own, members }]
  })
}
