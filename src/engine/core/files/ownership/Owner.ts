/** Whom a repository belongs to, in the words that its manifests, its readme and the headers of its files say it with. */
export interface Owner {
  readonly words: ReadonlySet<string>
  /** Words of the lists of all who contributed something, among whom are those whose files were copied. */
  readonly people: ReadonlySet<string>
  /** Families of licences that it is under. */
  readonly licences: ReadonlySet<string>
  /** Whether something at its root names it: else only its packages are known. */
  readonly isNamed: boolean
  /** The package that its classes are in, as a path with its slash; null where no package has most of them. */
  readonly home: string | null
  /** Most of its files are headed with whose they are. */
  readonly isHeaded: boolean
  /** Several people whom nothing else of it names sign files of it. */
  readonly isSigned: boolean
  /** Folders that by their own terms or manifests are of other people. */
  readonly foreign: ReadonlySet<string>
  /** Folders that others may have written, unless a file in them names the repository's people. */
  readonly uncertain: ReadonlySet<string>
  /** Files that packaging says are of other people under other terms. */
  readonly listed: ReadonlySet<string>
  /** Of the words, for what depends on them. */
  readonly digest: string
}
