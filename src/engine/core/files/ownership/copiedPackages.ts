import { escape as escapeRegExp } from "effect/RegExp"
import type { TreeEntry } from "../../source/TreeSource.ts"
import { baseName, directoryOf, isBelowAny } from "../../text/paths.ts"
import type { FolderText, TextsOf } from "./foreignFolders.ts"
import { headOf, isReleased } from "./headOf.ts"
import { licenceFamilies } from "./licenceFamilies.ts"
import { groupsOf, isOthers, MAX_GUESTS, type NamedFile, peopleOf } from "./namedFiles.ts"
import { distinctWords, type Named, namedIn } from "./namedIn.ts"

/** Folders that others wrote, as far as that is known: "uncertain" where a colleague may have written them as well. */
export interface Folders {
  readonly foreign: ReadonlySet<string>
  readonly uncertain: ReadonlySet<string>
}

const init = "__init__.py"
const isInit = (path: string): boolean => baseName(path) === init
const builtWith = /(?:^|\/)(?:setup\.(?:py|cfg)|pyproject\.toml)$/
const MAX_READ = 400
/** Names of folders that say nothing of what is in them. */
const isGeneral =
  /^(?:utils?|common|core|base|libs?|models?|modules?|config|data|datasets?|helpers?|tools?|api|apps?|plugins?|tests?|services?|views?|types|layers?|engine|src|scripts|agents?|envs?|main|server|client|backend|frontend|contrib|gui|ui|cli|io|web|db|net|math|plot\w*|analysis|parsers?|commands?)$/i

/** What a package inside of another one says of itself. */
interface Nested {
  readonly folder: string
  readonly named: Named
  /** By what it is part of, by its address or by its own imports it is a project of the name of its folder. */
  readonly isProject: boolean
  /** Its title is the name of its folder. */
  readonly isTitled: boolean
  readonly isReleased: boolean
  readonly licences: ReadonlyArray<string>
}

/** `"""ZSI: Zolera Soap Infrastructure`, or the name alone on a line of its own. */
const isTitledFor = (comment: string, name: string): boolean =>
  new RegExp(`^[\\s/*#"'rRuU-]{0,12}${escapeRegExp(name)}\\b[ \\t]*(?::|--?|–|—|v?\\d|$)`, "im").test(comment)

/** Imports itself as if it were not inside of another package: `from bells.tower import ring` in `till/contrib/bells`. */
const importsItself = (text: string, folder: string, paths: ReadonlySet<string>): boolean => {
  const name = baseName(folder)
  if (isGeneral.test(name) || !paths.has(`${directoryOf(folder)}/${init}`)) return false
  const own = new RegExp(`^[ \\t]*(?:from|import)[ \\t]+${escapeRegExp(name)}\\.(\\w+)`, "gm")
  return [...text.matchAll(own)].some(
    ([, part]) => paths.has(`${folder}/${part}.py`) || paths.has(`${folder}/${part}/${init}`)
  )
}

const isOfProject = (named: Named, name: string): boolean => {
  const own = new Set(distinctWords(name))
  return [...named.projects, ...named.addresses].flatMap(distinctWords).some((word) => own.has(word))
}

const nestedIn = ({ path, text }: FolderText, paths: ReadonlySet<string>): Nested => {
  const folder = directoryOf(path)
  const name = baseName(folder)
  const head = headOf(path, text)
  const named = namedIn(head)
  return {
    folder,
    named,
    isProject: isOfProject(named, name) || importsItself(text, folder, paths),
    isTitled: !isGeneral.test(name) && isTitledFor(head, name),
    isReleased: isReleased(path, text),
    licences: licenceFamilies(head)
  }
}

const outermost = (all: ReadonlyArray<Nested>): ReadonlyArray<Nested> => {
  const folders = new Set(all.map(({ folder }) => folder))
  return all.filter(({ folder }) => !isBelowAny(folders, folder))
}

/** Packages of Python inside of others that lie in no project with a manifest of its own. */
export const nestedPackages = (
  own: ReadonlyArray<TreeEntry>,
  listed: ReadonlyArray<TreeEntry>,
  top: string
): ReadonlyArray<TreeEntry> => {
  const projects = new Set(
    listed.flatMap(({ path }) =>
      builtWith.test(path) && directoryOf(path) !== directoryOf(top) ? directoryOf(path) : []
    )
  )
  const isNested = (path: string) =>
    path
      .slice(top.length)
      .replace(/^(?:src|lib|python)\//, "")
      .split("/").length > 2
  return own
    .filter(({ path, size }) => isInit(path) && size > 0 && isNested(path) && !isBelowAny(projects, path))
    .slice(0, MAX_READ)
}

/**
 * Packages of Python inside of others that name other people than the repository and are a project by themselves: they
 * have a title, a release or an address. `words` are those of the repository's root, and `samples` files of all of it:
 * anyone who signs files elsewhere is one of its people, and where several others do, to sign is its custom.
 */
export const copiedPackages = async (
  textsOf: TextsOf,
  own: ReadonlyArray<TreeEntry>,
  candidates: ReadonlyArray<TreeEntry>,
  words: ReadonlySet<string>,
  samples: ReadonlyArray<NamedFile>
): Promise<ReadonlyArray<Nested>> => {
  const paths = new Set(own.map(({ path }) => path))
  const found: Array<Nested> = []
  for await (const one of textsOf(candidates)) {
    const nested = nestedIn(one, paths)
    const isApart = nested.isProject || nested.isTitled || nested.isReleased
    if (isApart && isOthers(nested, words)) found.push(nested)
  }
  const copies = outermost(found)
  const folders = new Set(copies.map(({ folder }) => folder))
  const elsewhere = samples.filter((one) => isOthers(one, words) && !isBelowAny(folders, one.path)).map(peopleOf)
  const unsure = copies.filter(({ isProject }) => !isProject).map(peopleOf)
  const isCustom = groupsOf([...unsure, ...elsewhere]) > MAX_GUESTS
  const signers = new Set(elsewhere.flat())
  return copies.filter((one) => (one.isProject || !isCustom) && !peopleOf(one).some((word) => signers.has(word)))
}

/** A project by its own name, or one with its own releases under terms that the repository is not under, was copied. */
export const asFolders = (packages: ReadonlyArray<Nested>, licences: ReadonlySet<string>): Folders => {
  const isUnderOthers = (one: Nested) =>
    licences.size > 0 && one.licences.length > 0 && !one.licences.some((family) => licences.has(family))
  const isCopy = (one: Nested) => one.isProject || (one.isReleased && isUnderOthers(one))
  return {
    foreign: new Set(packages.filter(isCopy).map(({ folder }) => folder)),
    uncertain: new Set(packages.filter((one) => !isCopy(one)).map(({ folder }) => folder))
  }
}
