import { readdir, readFile } from "node:fs/promises"
import { Effect } from "effect"
import { escaped, renderMarkdown } from "./html.ts"
import type { DocsPage, Path } from "./Page.ts"

const root = new URL("../../../", import.meta.url)

/** As the guides write the API's address; a reader sees the one of their installation. */
const exampleUrl = "http://127.0.0.1:4000"

/**
 * The README and everything under `docs`, under the paths they have in the project, so that links between them lead to
 * the same page here as on a code host.
 */
export const guides = (apiUrl: () => string): Effect.Effect<ReadonlyArray<DocsPage>> =>
  Effect.promise(async () => {
    const names = (await readdir(new URL("docs/", root), { recursive: true }))
      .map((name) => `docs/${name.replaceAll("\\", "/")}`)
      .filter((name) => name.endsWith(".md"))
      .sort()
    const pages = await Promise.all(
      ["README.md", ...names].map(async (name): Promise<DocsPage> => {
        const text = await readFile(new URL(name, root), "utf8")
        return {
          path: `/${name}`,
          title: titleOf(text) ?? name,
          html: () => renderMarkdown(text.replaceAll(exampleUrl, apiUrl()))
        }
      })
    )
    return [...pages, ...foldersOf(pages)]
  })

/** A folder is its README, or a list of what it holds. */
const foldersOf = (pages: ReadonlyArray<DocsPage>): ReadonlyArray<DocsPage> => {
  const folders = new Set(pages.flatMap(({ path }) => path.match(/^\/docs\/(?:[^/]+\/)*/) ?? []))
  return [...folders].map((folder): DocsPage => {
    const path = folder as Path
    const readme = pages.find((one) => one.path === `${folder}README.md`)
    if (readme !== undefined) return { ...readme, path }
    const items = pages
      .filter((one) => one.path.startsWith(folder))
      .map((one) => `<li><a href="${escaped(one.path)}">${escaped(one.title)}</a></li>`)
    const title = folderTitles[folder] ?? folder
    return { path, title, html: () => `<h1>${escaped(title)}</h1>\n<ul>\n${items.join("\n")}\n</ul>` }
  })
}

const folderTitles: Readonly<Record<string, string>> = {
  "/docs/": "All guides",
  "/docs/adr/": "Decisions",
  "/docs/rules/": "Rules of the audit"
}

const titleOf = (text: string) => /^# (.+)$/m.exec(text)?.[1]
