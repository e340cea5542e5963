import type { DocsPage, Path } from "./Page.ts"

/** One place that a search can lead to. */
export interface SearchEntry {
  readonly path: Path | `${Path}#${string}`
  readonly title: string
  readonly page: string
  readonly text: string
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }

const textOf = (html: string) =>
  html
    .replace(/<(pre|script)[\s>][\s\S]*?<\/\1>/g, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "")
    .replace(/\s+/g, " ")
    .trim()

const shortTextLength = 160

/** Every part of a page that has an anchor, with the words that follow it. */
export const searchEntries = (page: DocsPage): ReadonlyArray<SearchEntry> =>
  page
    .html()
    .split(/(?=<h[1-3] id="|<details class="operation" id=")/)
    .flatMap((part) => {
      const [, , id, heading] =
        /^<(h[1-3]) id="([^"]*)">([\s\S]*?)<\/\1>/.exec(part) ??
        /^<(details) class="operation" id="([^"]*)">\s*<summary>([\s\S]*?)<\/summary>/.exec(part) ??
        []
      if (id === undefined || heading === undefined) return []
      const title = textOf(heading)
      const text = textOf(part.replace(heading, ""))
      return [{ path: `${page.path}#${id}` as const, title, page: page.title, text: text.slice(0, shortTextLength) }]
    })
