import { addTo } from "../../collections/lists.ts"
import type { TreeEntry } from "../../source/TreeSource.ts"
import { directoryOf, isBelow, isBelowAny } from "../../text/paths.ts"
import { openingComment } from "../openingComment.ts"
import { authorshipOf } from "./foreign.ts"
import { distinctWords, namedIn } from "./namedIn.ts"
import type { Owner } from "./Owner.ts"

/** Of a tree with more folders than these, the ones whose names say that they hold what is included, and then the first. */
const MAX_FOLDERS = 200
const MIN_FILES = 2
/** A folder with more of the code than this is what the repository is about. */
const MAX_OF_ALL = 0.3
/** So many files of a folder are looked at; with what no one heads they are mostly of one holder. */
const MAX_SAMPLE = 8
const MIN_FOREIGN = 2
const MIN_SHARE = 0.6

/** In a folder of such a name lies one folder for each thing that was added. */
const added = /(?:^|\/)(?:libs|deps|external|extern|3p|thirdparty|bundled|embedded|contrib)\/[^/]+$/
const holdsCopies =
  /(?:^|\/)(?:libs?|deps|ext|external|extras?|contrib|3p|compat|util\w*|include|bundled?|embed(?:ded)?|import(?:ed)?|thirdparty|support)(?:\/|$)/i

const spread = <A>(all: ReadonlyArray<A>, most: number): ReadonlyArray<A> =>
  all.length <= most ? all : Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]!)

type TextsOf = (entries: ReadonlyArray<TreeEntry>) => AsyncIterable<{ readonly path: string; readonly text: string }>

interface Sample {
  foreign: number
  named: number
  owned: number
  /** Files that name a holder who is not the repository's. */
  others: number
  /** How many files that are not the repository's name each word. */
  readonly words: Map<string, number>
}

const emptySample = (): Sample => ({ foreign: 0, named: 0, owned: 0, others: 0, words: new Map() })

const look = (sample: Sample, path: string, text: string, owner: Owner): void => {
  const { words, holders, authors } = namedIn(openingComment(text))
  if (words.size === 0) return
  sample.named++
  if ([...words].some((word) => owner.words.has(word))) {
    sample.owned++
    return
  }
  const names = new Set([...holders, ...authors].flatMap(distinctWords))
  if (authorshipOf(path, text, owner) === "foreign") sample.foreign++
  if (holders.length > 0) sample.others++
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
  const some = [...below].filter(([, { length }]) => length >= MIN_FILES && length <= MAX_OF_ALL * own.length)
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

/**
 * Folders whose files say that they are of one holder who is not the repository's: those among them that say nothing are, too.
 * One file of a folder is read, and more only where it is someone else's. `own` is code that by its paths is the repository's.
 */
export const headedFolders = async (
  textsOf: TextsOf,
  own: ReadonlyArray<TreeEntry>,
  owner: Owner
): Promise<ReadonlyArray<string>> => {
  const folders = foldersIn(own, owner.foreign)
  const firsts = new Map([...folders].map(([folder, files]) => [folder, spread(files, 2)]))
  const first = await samplesOf(firsts, textsOf, owner)
  const likely = [...folders].filter(([folder]) => {
    const { foreign, others, owned } = first.get(folder)!
    return owned === 0 && (foreign > 0 || (others > 0 && added.test(folder)))
  })
  const more = await samplesOf(
    new Map(likely.map(([folder, files]) => [folder, spread(files, MAX_SAMPLE)])),
    textsOf,
    owner
  )
  return [...more]
    .filter(
      ([folder, sample]) =>
        isOfOne(sample.foreign, sample) ||
        (added.test(folder) && isOfOne(sample.others, sample) && !isKnownElsewhere(folder, sample, first))
    )
    .map(([folder]) => folder)
}
