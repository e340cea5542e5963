import type { Furnished } from "./furnished.ts"

export interface Picture {
  readonly name: string
  readonly address: (of: Furnished) => string
}

/** The main views, as docs/web-app.md shows them. */
export const pictures: ReadonlyArray<Picture> = [
  { name: "triage", address: () => "/triage" },
  { name: "observation", address: ({ observation }) => observation },
  { name: "repository", address: ({ repository }) => repository },
  { name: "jobs", address: () => "/jobs" },
  { name: "job", address: ({ job }) => job },
  { name: "trends", address: () => "/trends" },
  { name: "context", address: () => "/context?project=checkout" },
  { name: "issues", address: () => "/issues" },
  { name: "issue", address: ({ issue }) => issue },
  { name: "mission", address: ({ mission }) => mission },
  { name: "keys", address: () => "/keys" },
  { name: "settings", address: () => "/settings/members" }
]

export const themes = ["light", "dark"] as const

export const pictureFolder = new URL("../../../docs/images/", import.meta.url)

export const fileOf = ({ name }: Picture, theme: (typeof themes)[number]) => `${name}-${theme}.webp`
