/** How the product is started, by a file of the tree that shows it where nothing states it. */
export interface Start {
  readonly name: string
  readonly command: string
  readonly path: string
  readonly line: number
  readonly origin?: "container"
}
