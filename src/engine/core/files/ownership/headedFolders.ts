import { addTo } from "../../collections/lists.ts"
import type { TreeEntry } from "../../source/TreeSource.ts"
import { directoryOf, isBelow, isBelowAny } from "../../text/paths.ts"
import type { Folders } from "./copiedPackages.ts"
import { authorshipOf, statesTerms } from "./foreign.ts"
import type { TextsOf } from "./foreignFolders.ts"
import { headOf } from "./headOf.ts"
import { isOthers, type NamedFile } from "./namedFiles.ts"
import { distinctWords, namedIn } from "./namedIn.ts"
import type { Owner } from "./Owner.ts"

/** Of a tree with more folders than these, the ones whose names say that they hold what is included, and then the first. */
const MAX_FOLDERS = 200
const MIN_FILES = 2
/** A folder with more of the code than this is what the repository is about. */
const MAX_OF_ALL = 0.3
/** A large library that was added can be most of a small program, and the program is still what is around it. */
const MAX_ADDED = 0.8
/** So many files of a folder are looked at; with what no one heads they are mostly of one holder. */
const MAX_SAMPLE = 8
const MIN_FOREIGN = 2
const MIN_SHARE = 0.6

/** In a folder of such a name lies one folder for each thing that was added. */
const additions = "(?:libs|deps|externals?|extern|extlibs?|3p|thirdparty|bundled|embedded|contrib)"
const added = new RegExp(`(?:^|/)${additions}/[^/]+$`)
const inAddition = new RegExp(`^(?:.*?/)?${additions}/[^/]+(?=/)`)

/** The folder of one thing that was added, in which a file lies. */
export const additionOf = (path: string): string | null => inAddition.exec(path)?.[0] ?? null

const holdsCopies =
  /(?:^|\/)(?:libs?|deps|ext|external|extras?|contrib|3p|compat|util\w*|include|bundled?|embed(?:ded)?|import(?:ed)?|thirdparty|support)(?:\/|$)/i

const spread = <A>(all: ReadonlyArray<A>, most: number): ReadonlyArray<A> =>
  all.length <= most ? all : Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]!)

interface Sample {
  looked: number
  foreign: number
  named: number
  owned: number
  /** Files that name a holder who is not the repository's. */
  others: number
  /** Those of them that state terms. */
  licensed: number
  /** Where the files lie that others hold. */
  readonly held: Array<string>
  /** How many files that are not the repository's name each word. */
  readonly words: Map<string, number>
}

const emptySample = (): Sample => ({
  looked: 0,
  foreign: 0,
  named: 0,
  owned: 0,
  others: 0,
  licensed: 0,
  held: [],
  words: new Map()
})

const look = (sample: Sample, path: string, text: string, owner: Owner): void => {
  sample.looked++
  const head = headOf(path, text)
  const { words, holders, authors } = namedIn(head)
  if (words.size === 0) return
  sample.named++
  if ([...words].some((word) => owner.words.has(word))) {
    sample.owned++
    return
  }
  const names = new Set([...holders, ...authors].flatMap(distinctWords))
  if (authorshipOf(path, text, owner) === "foreign") sample.foreign++
  if (holders.length > 0) {
    sample.others++
    sample.held.push(path)
  }
  if (holders.length > 0 && statesTerms(head)) sample.licensed++
  for (const word of names) sample.words.set(word, (sample.words.get(word) ?? 0) + 1)
}

const samplesOf = async (
  entries: ReadonlyMap<string, ReadonlyArray<TreeEntry>>,
  textsOf: TextsOf,
  owner: Owner
): Promise<ReadonlyMap<string, Sample>> => {
  const samples = new Map<string, Sample>([...entries.keys()].map((folder) => [folder, emptySample()]))
  const foldersOf = new Map<string, Array<string>>()
  for (const [folder, files] of entries) for (const { path } of files) addTo(foldersOf, path, folder)
  const all = new Map([...entries.values()].flat().map((entry) => [entry.path, entry]))
  for await (const { path, text } of textsOf([...all.values()]))
    for (const folder of foldersOf.get(path) ?? []) look(samples.get(folder)!, path, text, owner)
  return samples
}

/** Code by the folders around it, without those that have next to none or most of it. */
const foldersIn = (own: ReadonlyArray<TreeEntry>, known: ReadonlySet<string>) => {
  const below = new Map<string, Array<TreeEntry>>()
  for (const entry of own) {
    if (isBelowAny(known, entry.path)) continue
    for (let folder = directoryOf(entry.path); folder !== ""; folder = directoryOf(folder)) {
      addTo(below, folder, entry)
    }
  }
  const mostOf = (folder: string) => (added.test(folder) ? MAX_ADDED : MAX_OF_ALL) * own.length
  const some = [...below].filter(([folder, { length }]) => length >= MIN_FILES && length <= mostOf(folder))
  if (some.length <= MAX_FOLDERS) return new Map(some)
  const likely = some.filter(([folder]) => holdsCopies.test(folder))
  return new Map([...likely, ...some.filter(([folder]) => !holdsCopies.test(folder))].slice(0, MAX_FOLDERS))
}

/** Most of the files that say whose they are name one holder, who is not the repository's. */
const isOfOne = (count: number, { named, owned, words }: Sample): boolean =>
  owned === 0 &&
  count >= MIN_FOREIGN &&
  count >= MIN_SHARE * named &&
  Math.max(0, ...words.values()) >= MIN_SHARE * count

/** Whom files elsewhere in the tree are of is one of its people, whatever its manifests say. */
const isKnownElsewhere = (folder: string, sample: Sample, samples: ReadonlyMap<string, Sample>): boolean => {
  const top = [...sample.words].filter(([, times]) => times >= MIN_SHARE * sample.others).map(([word]) => word)
  return [...samples].some(
    ([other, { words }]) =>
      other !== folder && !isBelow(folder, other) && !isBelow(other, folder) && top.some((word) => words.has(word))
  )
}

/** No one signs files elsewhere whom the repository does not name: that a folder is signed by someone is an exception. */
const isAlone = (folder: string, files: ReadonlyArray<NamedFile>, { words, foreign }: Owner): boolean =>
  !files.some((one) => isOthers(one, words) && !isBelow(folder, one.path) && !isBelowAny(foreign, one.path))

/** Where all that others hold lies in one folder inside of another one, what is around that may be the repository's. */
const isAround = (folder: string, { held }: Sample): boolean => {
  const [first = "", ...rest] = held.map((path) => path.slice(folder.length + 1))
  const inner = first.slice(0, first.indexOf("/") + 1)
  return inner !== "" && rest.every((path) => path.startsWith(inner))
}

/** So many files of a folder, and such a share of all of them, are headed by the author of the whole of it. */
const MIN_WHOLE = 3
const WHOLE_SHARE = 0.75

/** Where few people sign files, one who signs all of a folder brought it, even if there are several such folders. */
const isWhole = ({ looked, others }: Sample, owner: Owner): boolean =>
  !owner.isSigned && looked >= MIN_WHOLE && others >= WHOLE_SHARE * looked

/**
 * Folders whose files say that they are of one holder who is not the repository's: those among them that say nothing are, too.
 * One file of a folder is read, and more only where it is someone else's. `own` is code that by its paths is the repository's,
 * and `files` are some of all over the tree.
 */
export const headedFolders = async (
  textsOf: TextsOf,
  own: ReadonlyArray<TreeEntry>,
  owner: Owner,
  files: ReadonlyArray<NamedFile>
): Promise<Folders> => {
  const folders = foldersIn(own, owner.foreign)
  const firsts = new Map([...folders].map(([folder, all]) => [folder, spread(all, 2)]))
  const first = await samplesOf(firsts, textsOf, owner)
  const likely = [...folders].filter(([folder]) => {
    const { foreign, others, owned, licensed } = first.get(folder)!
    const mayBeBrought = licensed > 0 && (!owner.isSigned || isAlone(folder, files, owner))
    return owned === 0 && (foreign > 0 || (others > 0 && added.test(folder)) || mayBeBrought)
  })
  const more = await samplesOf(
    new Map(likely.map(([folder, all]) => [folder, spread(all, MAX_SAMPLE)])),
    textsOf,
    owner
  )
  const ofOther = (folder: string, sample: Sample): boolean =>
    isOfOne(sample.others, sample) && !isKnownElsewhere(folder, sample, first)
  const isForeign = ([folder, sample]: readonly [string, Sample]): boolean =>
    isOfOne(sample.foreign, sample) || (added.test(folder) && ofOther(folder, sample))
  const isUncertain = ([folder, sample]: readonly [string, Sample]): boolean =>
    sample.licensed >= MIN_SHARE * sample.others &&
    isOfOne(sample.others, sample) &&
    !isAround(folder, sample) &&
    (isWhole(sample, owner) || (ofOther(folder, sample) && isAlone(folder, files, owner)))
  const namesOf = (isOne: (one: readonly [string, Sample]) => boolean): ReadonlySet<string> =>
    new Set([...more].filter(isOne).map(([folder]) => folder))
  return { foreign: namesOf(isForeign), uncertain: namesOf(isUncertain) }
}
