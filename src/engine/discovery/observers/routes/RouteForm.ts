/** How routes are written for a framework or a kind of server that the audit does not follow. */
export interface RouteForm {
  readonly framework: string
  readonly files: RegExp
  /** Stands in every file that declares routes this way. */
  readonly needs: RegExp
  /** Named groups: `path`, and where they are written `method` and `handler`. */
  readonly pattern: RegExp
  /** The group `name` is a constant of the same file, which has the address. */
  readonly isConstant?: true
  /** What answers has the address by its name where none is written. */
  readonly isPage?: true
  /** Where the name of what answers is the address. */
  readonly addressOf?: (handler: string) => string
}

export const verbs = "get|post|put|patch|delete|del|head|options|any"
