import { readdir, readFile } from "node:fs/promises"
import { Effect } from "effect"
import { escaped, renderMarkdown } from "./html.ts"

/** A page of the docs site. */
export interface Guide {
  readonly path: `/${string}`
  readonly title: string
  readonly html: () => string
}

const root = new URL("../../", import.meta.url)

/** As the guides write the API's address; a reader sees the one of their installation. */
const exampleUrl = "http://127.0.0.1:4000"

/**
 * The README and everything under `docs`, under the paths they have in the project, so that links between them lead to
 * the same page here as on a code host.
 */
export const guides = (apiUrl: () => string): Effect.Effect<ReadonlyArray<Guide>> =>
  Effect.promise(async () => {
    const names = (await readdir(new URL("docs/", root), { recursive: true }))
      .map((name) => `docs/${name.replaceAll("\\", "/")}`)
      .filter((name) => name.endsWith(".md"))
      .sort()
    const files = await Promise.all(
      ["README.md", ...names].map(async (name) => {
        const text = await readFile(new URL(name, root), "utf8")
        return { path: `/${name}`, title: titleOf(text) ?? name, text } as const
      })
    )
    const pages = files.map(({ path, title, text }): Guide => {
      const html = () => page(title, renderMarkdown(text.replaceAll(exampleUrl, apiUrl())))
      return { path, title, html }
    })
    return [...pages, ...foldersOf(pages)]
  })

/** A folder is its README, or a list of what it holds. */
const foldersOf = (pages: ReadonlyArray<Guide>): ReadonlyArray<Guide> => {
  const folders = new Set(pages.flatMap(({ path }) => path.match(/^\/docs\/(?:[^/]+\/)*/) ?? []))
  return [...folders].map((folder): Guide => {
    const path = folder as `/${string}`
    const readme = pages.find((one) => one.path === `${folder}README.md`)
    if (readme !== undefined) return { ...readme, path }
    const items = pages
      .filter((one) => one.path.startsWith(folder))
      .map((one) => `<li><a href="${escaped(one.path)}">${escaped(one.title)}</a></li>`)
    const title = folder === "/docs/" ? "Guides" : "Decisions"
    return { path, title, html: () => page(title, `<h1>${title}</h1>\n<ul>\n${items.join("\n")}\n</ul>`) }
  })
}

const titleOf = (text: string) => /^# (.+)$/m.exec(text)?.[1]

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Assay</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/guide.css">
</head>
<body>
<nav><a href="/README.md">Assay</a> <a href="/docs/agents/">Agents</a> <a href="/docs/">Guides</a> <a href="/">API</a></nav>
<main>
${body}
</main>
</body>
</html>
`

export const guideStyle = `body { margin: 0 auto; max-width: 52rem; padding: 1rem 1.25rem 4rem; background: #fafafa; color: #1c2430;
  font: 1rem/1.55 system-ui, sans-serif; }
nav a { margin-right: 1rem; }
a { color: #24527a; }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 0.75rem; }
code, pre { font: 0.88rem/1.5 ui-monospace, monospace; background: #eef1f4; border-radius: 4px; }
code { padding: 0.1rem 0.25rem; overflow-wrap: anywhere; }
pre { padding: 0.75rem 1rem; overflow-x: auto; }
pre code { padding: 0; overflow-wrap: normal; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid #d8dee5; }
@media (prefers-color-scheme: dark) {
  body { background: #14181d; color: #dbe2ea; }
  a { color: #8cc0ee; }
  code, pre { background: #20262e; }
  th, td { border-color: #343d48; }
}
`
