import type { DocsPage, Section } from "./Page.ts"

/** What people come for, in the order in which they need it; pages that no group names are in the last one. */
const groups: ReadonlyArray<{ readonly title: string; readonly pages: ReadonlyArray<string> }> = [
  {
    title: "Start",
    pages: [
      "/README.md",
      "/docs/operations.md",
      "/docs/deployment.md",
      "/docs/security.md",
      "/docs/performance.md",
      "/docs/sizing.md",
      "/docs/reliability.md"
    ]
  },
  { title: "Set up agents", pages: ["/docs/agents/"] },
  {
    title: "Understand audits",
    pages: [
      "/docs/audit-engine.md",
      "/docs/audit-tools.md",
      "/docs/rules/",
      "/docs/audit-precision.md",
      "/docs/audit-readings.md",
      "/docs/audit-known-misses.md"
    ]
  },
  {
    title: "Work with findings",
    pages: [
      "/docs/web-app.md",
      "/docs/triage.md",
      "/docs/review.md",
      "/docs/change-reviews.md",
      "/docs/discovery.md",
      "/docs/fixes-and-knowledge.md",
      "/docs/missions.md",
      "/docs/team-context.md"
    ]
  },
  { title: "More", pages: [] }
]

/** Folders with one entry in the side bar, and their pages only while one of them is read. */
const folders = ["/docs/agents/", "/docs/rules/", "/docs/adr/"]

const folderOf = ({ path }: Pick<DocsPage, "path">) => folders.find((folder) => path.startsWith(folder))

const named = new Set(groups.flatMap(({ pages }) => pages))

const isEntry = (page: DocsPage) =>
  page.path !== "/docs/" && (folderOf(page) === undefined || folders.includes(page.path))

/** The side bar's groups of guides, as the reader of one page sees them. */
export const guideSections = (pages: ReadonlyArray<DocsPage>, current: string): ReadonlyArray<Section> => {
  const open = folderOf({ path: current as DocsPage["path"] })
  const withContents = (page: DocsPage) =>
    page.path === open ? [page, ...pages.filter((one) => one.path !== open && isContent(one, open))] : [page]
  return groups.map(({ title, pages: paths }, at) => {
    const listed = paths.flatMap((path) => pages.filter((page) => page.path === path))
    const others = at < groups.length - 1 ? [] : pages.filter((page) => isEntry(page) && !named.has(page.path))
    return { title, links: [...listed, ...others].flatMap(withContents).map(asEntry) }
  })
}

// The README is what the site begins with.
const asEntry = ({ path, title }: DocsPage) => (path === "/README.md" ? introduction : { path, title })

const introduction = { path: "/", title: "Introduction" } as const

const isContent = ({ path }: DocsPage, folder: string) => path.startsWith(folder) && !path.endsWith("/README.md")
