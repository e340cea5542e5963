/** How the product is started, by a file of the tree that shows it where nothing states it. */
export interface Start {
  readonly name: string
  readonly command: string
  readonly path: string
  readonly line: number
  readonly origin?: "container"
}

/** A folder or module for those who work on the repository, or that shows or tries the product: what starts there is not the product. */
export const isOfHelpers = (path: string): boolean => helpers.test(path)

const helpers =
  /(?:^|\/)scripts?(?:\/|$)|(?:^|\/|[.-])(?:tests?|examples?|samples?|demos?|bench\w*|docs?|tools?|build)(?:\/|$|[.-])/i
