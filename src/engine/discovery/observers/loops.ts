import type { SourceFile } from "../../core/files/SourceFile.ts"
import { singular } from "../domain/Noun.ts"
import type { LoopOver } from "../Observed.ts"
import { languageName } from "./languageName.ts"

const MAX_LOOPS = 40

const ofScripts: ReadonlyArray<RegExp> = [
  /\bfor[ \t]*(?:await[ \t]*)?\([ \t]*(?:const|let|var)[ \t]+(?<one>\w{3,30})[ \t]+(?:of|in)[ \t]+(?<all>[\w.$?]{3,80})/g,
  /(?<![\w.$?])(?<all>[\w.$?]{3,80})\.(?:forEach|map|filter|find|some|every|flatMap)\([ \t]*(?:async[ \t]*)?(?:function)?[ \t]*\(?[ \t]*(?<one>\w{3,30})[ \t]*[,)=]/g
]

/** A loop over a collection, and what each of it is called there. */
const loops: Readonly<Record<string, ReadonlyArray<RegExp>>> = {
  JavaScript: ofScripts,
  TypeScript: ofScripts,
  Vue: ofScripts,
  Python: [/\bfor[ \t]+(?:\w{1,30},[ \t]*)?(?<one>\w{3,30})[ \t]+in[ \t]+(?:\w{1,12}\()?(?<all>[\w.]{3,80})/g],
  Perl: [/\bforeach[ \t]+(?:my[ \t]+)?\$(?<one>\w{3,30})[ \t]*\([^()@%\n]{0,30}[@%][{$]*(?<all>[\w>:{-]{3,60})/g],
  PHP: [
    /\bforeach[ \t]*\([ \t]*\$(?<all>[\w>()-]{3,60})[ \t]+as[ \t]+(?:\$\w{1,30}[ \t]*=>[ \t]*)?&?\$(?<one>\w{3,30})/g
  ],
  Ruby: [
    /(?<![\w.@])(?<all>[\w.@]{3,60})\.(?:each\w{0,11}|map|select|find)[ \t]*(?:do|\{)[ \t]*\|[ \t]*(?<one>\w{3,30})[ \t]*[,|]/g
  ],
  Tcl: [/\bforeach[ \t]+(?<one>\w{3,30})[ \t]+(?:\[[\w: \t]{1,40})?\$\{?(?<all>[\w:]{3,60})/g],
  Shell: [/\bfor[ \t]+(?<one>\w{3,30})[ \t]+in[ \t]+"?\$\{?(?<all>\w{3,60})/g],
  Lua: [/\bfor[ \t]+\w{1,30},[ \t]*(?<one>\w{3,30})[ \t]+in[ \t]+i?pairs[ \t]*\([ \t]*(?<all>[\w.:]{3,60})/g],
  Go: [/\bfor[ \t]+\w{1,30},[ \t]*(?<one>\w{3,30})[ \t]*:?=[ \t]*range[ \t]+(?<all>[\w.]{3,80})/g],
  Rust: [/\bfor[ \t]+(?:\(\w{1,30},[ \t]*)?(?<one>\w{3,30})\)?[ \t]+in[ \t]+&?(?:mut[ \t]+)?(?<all>[\w.]{3,80})/g],
  "C++": [/\bfor[ \t]*\([\w:<>*& \t]{1,60}?[&* \t](?<one>\w{3,30})[ \t]*:[ \t]*(?<all>[\w.>()-]{3,80})/g],
  Java: [/\bfor[ \t]*\([\w<>. \t]{1,60}?[ \t](?<one>\w{3,30})[ \t]*:[ \t]*(?<all>[\w.()]{3,80})/g]
}

/** A collection that is empty at first, with a name in the plural. */
const emptied: Readonly<Record<string, RegExp>> = {
  JavaScript: /(?<![\w.$])(?:this\.|self\.)?(?<all>[a-z]\w{2,30}s)[ \t]*=[ \t]*(?:\[\]|\{\}|new (?:Map|Set)\()/g,
  TypeScript:
    /(?<![\w.$])(?:this\.)?(?<all>[a-z]\w{2,30}s)(?:[ \t]*:[^=\n]{1,60})?[ \t]*=[ \t]*(?:\[\]|\{\}|new (?:Map|Set)\b)/g,
  Python:
    /(?<![\w.])(?:self\.)?_?(?<all>[a-z]\w{2,30}s)(?:[ \t]*:[^=\n]{1,60})?[ \t]*=[ \t]*(?:\[\]|\{\}|set\(\)|list\(\)|dict\(\)|defaultdict\()/g,
  Perl: /\b(?:my|our|local)[ \t]+[@%](?<all>[a-z]\w{2,30}s)\b/g,
  PHP: /\$(?:this->)?(?<all>[a-z]\w{2,30}s)[ \t]*=[ \t]*(?:\[\]|array\([ \t]*\))/g,
  Ruby: /(?<![\w.])@?(?<all>[a-z]\w{2,30}s)[ \t]*\|?\|?=[ \t]*(?:\[\]|\{\})/g,
  Lua: /(?<![\w])(?:local[ \t]+|self\.)?(?<all>[a-z]\w{2,30}s)[ \t]*=[ \t]*\{\}/g,
  Tcl: /\bset[ \t]+(?:::)?(?<all>[a-z]\w{2,30}s)[ \t]+(?:\{\}|"")/g,
  Shell: /\b(?:declare|local|typeset)[ \t]+-[aA][ \t]+(?<all>[a-z]\w{2,30}s)\b/g
}

const isOfAny = /^(?:|items|values|keys|iter|iter_mut|entries|all|get)$/

/** The last name of a path: `self.depot.wagons`, `$this->wagons`, `depot.wagons()`. */
const lastName = (path: string): string => path.split(/[^\w@]+/).findLast((part) => !isOfAny.test(part)) ?? ""

/** `wagon` of `wagons` and `loadedWagons`: the collection is called for what it holds. */
const isEachOf = (one: string, collection: string): boolean => {
  const [name, all] = [one.toLowerCase(), collection.toLowerCase()]
  return [`${name}s`, `${name}es`, name.replace(/y$/, "ies"), `${name}list`, `${name}_list`].some(
    (plural) => plural !== name && all.endsWith(plural)
  )
}

/** `wagons` holds wagons; `status` and `class` are no plurals. */
const singularOf = (name: string): string => (/(?:ss|us|is|args|params)$/i.test(name) ? "" : singular(name))

type Named = readonly [name: string, index: number]

const loopedIn = (text: string, language: string): ReadonlyArray<Named> =>
  (loops[language] ?? []).flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ index, groups }): ReadonlyArray<Named> => {
      const { one = "", all = "" } = groups ?? {}
      return isEachOf(one, lastName(all)) ? [[one, index]] : []
    })
  )

const filledIn = (text: string, language: string): ReadonlyArray<Named> => {
  const pattern = emptied[language]
  return pattern === undefined
    ? []
    : [...text.matchAll(pattern)].map(({ index, groups }) => [singularOf(groups?.["all"] ?? ""), index])
}

/** Names of what a program has several of: what it goes over, and what a collection is called for that is empty at first. */
export const loopsIn = (file: SourceFile): ReadonlyArray<LoopOver> => {
  const language = file.role === "source" ? languageName(file) : null
  if (language === null) return []
  const found = new Map<string, number>()
  for (const [name, index] of [...loopedIn(file.text, language), ...filledIn(file.text, language)])
    if (found.size < MAX_LOOPS && name !== "" && !found.has(name)) found.set(name, file.line(index))
  return [...found]
}
