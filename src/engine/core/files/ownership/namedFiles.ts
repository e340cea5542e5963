import { distinctWords, type Named } from "./namedIn.ts"

/** A text of the tree, and whom it names. */
export interface NamedFile {
  readonly path: string
  readonly named: Named
}

type Naming = Pick<NamedFile, "named">

/** So many who sign files and whom the repository does not name are guests; of more it is the custom. */
export const MAX_GUESTS = 2

/** Whom a file names as its holders and authors. */
export const peopleOf = ({ named: { holders, authors } }: Naming): ReadonlyArray<string> =>
  [...holders, ...authors].flatMap(distinctWords)

/** Whether it names people, and not the repository. */
export const isOthers = (one: Naming, words: ReadonlySet<string>): boolean =>
  peopleOf(one).length > 0 && ![...one.named.words].some((word) => words.has(word))

/** How many there are of those who have no word in common. */
export const groupsOf = (all: ReadonlyArray<ReadonlyArray<string>>): number => {
  const groups: Array<Set<string>> = []
  for (const people of all) {
    const known = groups.find((group) => people.some((word) => group.has(word)))
    if (known === undefined) groups.push(new Set(people))
    else for (const word of people) known.add(word)
  }
  return groups.length
}

/** People sign their own files here, whatever the manifests say: a university's, or a community's. */
export const areSigned = (files: ReadonlyArray<NamedFile>, words: ReadonlySet<string>): boolean =>
  groupsOf(files.filter((one) => isOthers(one, words)).map(peopleOf)) > MAX_GUESTS
