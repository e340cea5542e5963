export type Path = `/${string}`

/** A page of the docs site: what is in its main part. */
export interface DocsPage {
  readonly path: Path
  readonly title: string
  readonly html: () => string
}

/** A group of the side bar. */
export interface Section {
  readonly title: string
  readonly links: ReadonlyArray<Pick<DocsPage, "path" | "title">>
}
