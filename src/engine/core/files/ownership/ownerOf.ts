import { createHash } from "node:crypto"
import { addTo } from "../../collections/lists.ts"
import { segmentMatches } from "../../settings/PathPattern.ts"
import type { TreeEntry, TreeSource } from "../../source/TreeSource.ts"
import { compareText } from "../../text/compareText.ts"
import { baseName, directoryOf, isBelowAny } from "../../text/paths.ts"
import { decodeText, MAX_FILE_BYTES } from "../fileText.ts"
import { isCodePath } from "../libraries.ts"
import { packageOf } from "../packageOf.ts"
import { aboutPackage } from "./aboutPackage.ts"
import { asFolders, copiedPackages, nestedPackages } from "./copiedPackages.ts"
import { copiedPatterns, isCopyrightFile, wordsOfAll } from "./copyrightFile.ts"
import { namesOwner as namesPeople } from "./foreign.ts"
import { foreignFolders, namingHolders, type TextsOf } from "./foreignFolders.ts"
import { additionOf, headedFolders } from "./headedFolders.ts"
import { headOf } from "./headOf.ts"
import { knownLibrariesIn } from "./knownLibraries.ts"
import { firstLicence, licenceFamilies } from "./licenceFamilies.ts"
import { areSigned, type NamedFile } from "./namedFiles.ts"
import { distinctWords, namedIn } from "./namedIn.ts"
import type { Owner } from "./Owner.ts"

/** What names the project and its people, at the root: all of it does in some, only addresses and titles in others. */
const listsPeople = /^(?:authors|contributors|maintainers|credits|thanks)(?:\.\w+)?$/i
const manifest =
  /^(?:package\.json|composer\.json|bower\.json|pyproject\.toml|setup\.(?:py|cfg)|PKG-INFO|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|[\w.-]+\.(?:gemspec|cabal|nuspec|csproj)|dist\.ini|META\.json|Makefile\.PL|configure\.(?:ac|in)|CMakeLists\.txt|meson\.build|[\w.-]+\.dist-info\/METADATA|debian\/(?:control|copyright)|\.reuse\/dep5)$/i
const isTerms = /^(?:licen[cs]e|copying|copyright|notice)(?:\.\w+)?$/i
const describes = /^(?:read[-_ ]?me|licen[cs]e|copying|copyright|notice)(?:\.\w+)?$/i

const MAX_TEXT = 16_000
const MAX_SAMPLE = 48
/** Of the files looked at, how many have to name someone: a header of one file may be that of a copy. */
const SHARE = 0.2

/** In JSON, and in all other manifests, what the names of the project and its people stand beside. */
const jsonNames =
  /"(?:name|authors?|contributors|maintainers|repository|homepage|url|organization)"\s*:\s*(?:"[^"\n]*"|\{[^{}]{0,600}\}|\[[^\]]{0,4000}\])/g
const otherNames =
  /^[ \t<*{"'_]{0,40}(?:(?:package|project)?_?name|id|authors?(?:[_-]email)?|maintainers?(?:[_-]email)?|uploaders|repository|home-?page|[\w-]{0,20}url|upstream-\w+|source|module|organi[sz]ation|(?:group|artifact)Id|developers?|AC_INIT|project)(?:__)?\b[^\n]*/gim

/** Where terms go on with those of what was copied. */
const othersTerms =
  /third[- ]part(?:y|ies)|\b(?:following|bundled|included|incorporated|embedded|external|certain|some|other) (?:[\w-]+ ){0,3}(?:files?|components?|software|librar(?:y|ies)|code|sources?|packages?|modules|parts|portions)\b|\b(?:also|additionally) (?:includes?|contains?|bundles?|uses?)\b|\bportions of\b|\bfiles? (?:in|under|below) (?:the )?[\w./-]{1,60} (?:director(?:y|ies)|folder)|^[ \t]*[-=*#]{20,}[ \t]*$/im
/** Before this there are the repository's own terms, whatever their title. */
const MIN_TERMS = 300

const ownTerms = (text: string): string => {
  const rest = text.slice(MIN_TERMS)
  const at = rest.search(othersTerms)
  return at < 0 ? text : text.slice(0, MIN_TERMS + at)
}

/** Few enough words for the people of the project themselves. */
const MAX_OWN_PEOPLE = 30

const AGAIN = 2

const timesOf = (parts: Iterable<string>): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const part of parts) times.set(part, (times.get(part) ?? 0) + 1)
  return times
}

/** Addresses that a readme gives more than once: its badges lead to the project, other links to what it names. Those of its name are enough. */
const repeatedAddresses = (addresses: ReadonlyArray<string>, title: string): ReadonlyArray<string> => {
  const repeated = [...timesOf(addresses)].filter(([, times]) => times >= AGAIN).map(([address]) => address)
  const name = new Set(distinctWords(title))
  const ofName = repeated.filter((address) => distinctWords(address).some((word) => name.has(word)))
  return ofName.length > 0 ? ofName : repeated
}

/** The first line of a readme has the project's name. */
const wordsOfText = (path: string, text: string): ReadonlyArray<string> => {
  if (listsPeople.test(path)) return distinctWords(text)
  if (isTerms.test(path)) return namedIn(ownTerms(text)).holders.flatMap(distinctWords)
  if (manifest.test(path))
    return [...text.matchAll(path.endsWith(".json") ? jsonNames : otherNames)].flatMap(([found]) =>
      distinctWords(found)
    )
  const { holders, addresses } = namedIn(text)
  const isReadme = /^read/i.test(path)
  const title = isReadme
    ? text
        .split("\n", 20)
        .filter((line) => /^[#\s=*]*[A-Za-z]/.test(line))
        .slice(0, 1)
    : []
  return [...title, ...holders, ...(isReadme ? repeatedAddresses(addresses, title.join()) : [])].flatMap(distinctWords)
}

const textsOf = async function* (source: Pick<TreeSource, "read">, entries: ReadonlyArray<TreeEntry>) {
  for await (const { entry, bytes } of source.read(entries))
    yield { path: entry.path, text: decodeText(bytes.subarray(0, MAX_TEXT)) }
}

const spread = (entries: ReadonlyArray<TreeEntry>): ReadonlyArray<TreeEntry> => {
  const step = Math.max(1, entries.length / MAX_SAMPLE)
  return Array.from({ length: Math.min(MAX_SAMPLE, entries.length) }, (_, i) => entries[Math.floor(i * step)]!)
}

/**
 * What several of the files themselves are headed with: a company's name, or a project's of another name. What only those
 * of one addition are headed with is not the repository's, however large it is.
 */
const headedWith = (
  samples: ReadonlyArray<Sample>,
  partsOf: (sample: Sample) => Iterable<string>
): ReadonlyArray<string> => {
  const least = Math.max(2, samples.length * SHARE)
  const placesOf = new Map<string, Array<string>>()
  for (const sample of samples) for (const part of partsOf(sample)) addTo(placesOf, part, additionOf(sample.path) ?? "")
  const isAdded = (places: ReadonlyArray<string>) =>
    places[0] !== "" && samples.length - places.length >= MIN_HEADED && places.every((place) => place === places[0])
  return [...placesOf].filter(([, places]) => places.length >= least && !isAdded(places)).map(([part]) => part)
}

/** Fewer files than these have no custom. */
const MIN_HEADED = 8
const HEADED_SHARE = 0.6

/** So few that name others are exceptions: where more do, people write under their own names. */
const MAX_OTHERS = 0.05

/** Most files are headed with people whom the repository names, and hardly any with others. */
const areHeaded = (comments: ReadonlyArray<string>, words: ReadonlySet<string>): boolean => {
  const holders = comments.map((comment) => namedIn(comment).holders.flatMap(distinctWords))
  const own = holders.filter((ofFile) => ofFile.some((word) => words.has(word))).length
  const others = holders.filter((ofFile) => ofFile.length > 0 && !ofFile.some((word) => words.has(word))).length
  return (
    comments.length >= MIN_HEADED && own >= HEADED_SHARE * comments.length && others <= MAX_OTHERS * comments.length + 1
  )
}

/** Of a tree most of which is copied, its packaging says something else. */
const MAX_COPIED = 0.5
/** Of a tree of many packages the first ones say enough. */
const MAX_FOLDERS = 300

const HOME_SHARE = 0.7

/** The package that most classes of Java and its relatives are in. */
const homeOf = (paths: ReadonlyArray<string>): string | null => {
  const packages = paths.flatMap((path) => packageOf(path) ?? [])
  const [most] = [...timesOf(packages)].sort(([, a], [, b]) => b - a)
  return most !== undefined && most[1] >= HOME_SHARE * packages.length ? most[0] : null
}

const namesOwner = (path: string): boolean => [listsPeople, manifest, describes].some((named) => named.test(path))

/** The folder that all of a tree lies in, as archives of releases have one; with its slash, empty for none. */
const commonFolder = (paths: ReadonlyArray<string>): string => {
  const [first = "", last = ""] = [paths[0], paths[paths.length - 1]]
  let end = 0
  for (let at = first.indexOf("/"); at >= 0; at = first.indexOf("/", at + 1)) {
    if (!last.startsWith(first.slice(0, at + 1))) break
    end = at + 1
  }
  return first.slice(0, end)
}

/** No word begins so. */
const LICENCE = "licence "
const PERSON = "person "

/** Families that a text at the root speaks of: of terms those that they begin with. */
const licencesAt = (path: string, text: string): ReadonlyArray<string> => {
  if (!isTerms.test(path)) return licenceFamilies(text)
  const own = ownTerms(text)
  return [firstLicence(own)].flatMap((family) => family ?? [])
}

/**
 * Whom a tree belongs to; null where neither its root nor a package of classes says so. `isOwn` says which of its files
 * are taken for its own by their paths.
 */
export const ownerOf = async (
  source: Pick<TreeSource, "read">,
  listed: ReadonlyArray<TreeEntry>,
  isOwn: (path: string) => boolean
): Promise<Owner | null> => {
  const read = listed.filter(({ size }) => size <= MAX_FILE_BYTES).sort((a, b) => compareText(a.path, b.path))
  const top = commonFolder(read.map(({ path }) => path))
  const naming = read.filter(({ path }) => namesOwner(path.slice(top.length)))
  const libraries = knownLibrariesIn(read.map(({ path }) => path))
  const own = read.filter(({ path }) => isCodePath.test(path) && isOwn(path))
  const home = homeOf(own.map(({ path }) => path))
  if (naming.length === 0 && home === null) return null
  const parts: Array<string> = []
  const licencesIn = (text: string) => licenceFamilies(text).map((family) => LICENCE + family)
  const copyrights: Array<string> = []
  for await (const { path, text } of textsOf(source, naming)) {
    const name = path.slice(top.length)
    const found = wordsOfText(name, text)
    const isLong = listsPeople.test(name) && new Set(found).size > MAX_OWN_PEOPLE
    parts.push(...(isLong ? found.map((word) => PERSON + word) : found))
    parts.push(...licencesAt(name, text).map((family) => LICENCE + family))
    if (isCopyrightFile(path.slice(top.length))) copyrights.push(text)
  }
  parts.push(...copyrights.flatMap(wordsOfAll))
  const texts: TextsOf = (entries) => textsOf(source, entries)
  for await (const { path, text } of texts(aboutPackage(own, top, new Set(parts))))
    parts.push(...namedIn(headOf(path, text)).words, ...distinctWords(baseName(directoryOf(path))))
  const all = await samplesOf(texts, spread(outside(libraries, own)))
  const packages = await copiedPackages(texts, own, nestedPackages(own, read, top), namesAmong(parts), all)
  const inPackages = new Set(packages.map(({ folder }) => folder))
  const samples = all.filter(({ path }) => !isBelowAny(inPackages, path))
  const comments = samples.map(({ comment }) => comment)
  parts.push(...headedWith(samples, ({ named, comment }) => [...named.words, ...licencesIn(comment)]))
  if (home !== null) parts.push(...distinctWords(home))
  const sorted = [...new Set(parts)].sort()
  const startingWith = (kind: string): ReadonlySet<string> =>
    new Set(sorted.filter((part) => part.startsWith(kind)).map((part) => part.slice(kind.length)))
  const words = namesAmong(sorted)
  const isNamed = naming.length > 0
  const isHeaded = areHeaded(comments, words)
  const isSigned = areSigned(samples, words)
  const people = startingWith(PERSON)
  const licences = startingWith(LICENCE)
  const nested = asFolders(packages, licences)
  const owner: Owner = {
    words,
    people,
    licences,
    isNamed,
    home,
    isHeaded,
    isSigned,
    foreign: isNamed ? await foreignIn(source, read, top, new Set([...words, ...people]), licences) : new Set(),
    uncertain: new Set(),
    listed: new Set(copiedFiles(copyrights, own, top, words)),
    digest: createHash("sha1")
      .update([home ?? "", String(isNamed), String(isHeaded), String(isSigned), ...sorted].join("\n"))
      .digest("hex")
      .slice(0, 12)
  }
  if (!isNamed) return owner
  const known = await copiedLibraries(source, libraries, read, owner)
  const withKnown = { ...owner, foreign: new Set([...owner.foreign, ...known, ...nested.foreign]) }
  const headed = await headedFolders(texts, own, withKnown, samples)
  return {
    ...owner,
    foreign: new Set([...withKnown.foreign, ...headed.foreign]),
    uncertain: new Set([...nested.uncertain, ...headed.uncertain])
  }
}

interface Sample extends NamedFile {
  readonly comment: string
}

const samplesOf = async (texts: TextsOf, entries: ReadonlyArray<TreeEntry>): Promise<ReadonlyArray<Sample>> => {
  const samples: Array<Sample> = []
  for await (const { path, text } of texts(entries)) {
    const comment = headOf(path, text)
    samples.push({ path, comment, named: namedIn(comment) })
  }
  return samples
}

/** Parts that are words: licences and people have a space in them. */
const namesAmong = (parts: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(parts.filter((part) => !part.includes(" ")))

/** Many files of one library would name its people as those of the repository. */
const outside = (libraries: ReadonlyMap<string, string>, own: ReadonlyArray<TreeEntry>): ReadonlyArray<TreeEntry> => {
  const folders = new Set(libraries.keys())
  return own.filter(({ path }) => !isBelowAny(folders, path))
}

/** Folders of well-known libraries, unless a file in them names the repository's people or they have its name. */
const copiedLibraries = async (
  source: Pick<TreeSource, "read">,
  folders: ReadonlyMap<string, string>,
  read: ReadonlyArray<TreeEntry>,
  owner: Owner
): Promise<ReadonlyArray<string>> => {
  const first = new Set(folders.values())
  const owned = new Set<string>()
  for await (const { path, text } of textsOf(
    source,
    read.filter(({ path }) => first.has(path))
  ))
    if (namesPeople(headOf(path, text), owner)) owned.add(path)
  return [...folders]
    .filter(([folder, path]) => !owned.has(path) && !owner.words.has(baseName(folder).toLowerCase()))
    .map(([folder]) => folder)
}

/** Files that lists of holders say were copied. */
const copiedFiles = (
  copyrights: ReadonlyArray<string>,
  own: ReadonlyArray<TreeEntry>,
  top: string,
  words: ReadonlySet<string>
): ReadonlyArray<string> => {
  const patterns = copyrights.flatMap((text) => copiedPatterns(text, words))
  const isCopied = (path: string) => patterns.some((pattern) => segmentMatches(pattern, path))
  const copied = own.map(({ path }) => path).filter((path) => isCopied(path.slice(top.length)))
  return copied.length > MAX_COPIED * own.length ? [] : copied
}

const foreignIn = async (
  source: Pick<TreeSource, "read">,
  read: ReadonlyArray<TreeEntry>,
  top: string,
  words: ReadonlySet<string>,
  licences: ReadonlySet<string>
): Promise<ReadonlySet<string>> => {
  const naming = namingHolders(read.filter(({ path }) => path.slice(top.length).includes("/")))
  const texts: Array<{ readonly path: string; readonly text: string }> = []
  for await (const one of textsOf(source, naming.slice(0, MAX_FOLDERS))) texts.push(one)
  return foreignFolders(texts, read, words, licences)
}
