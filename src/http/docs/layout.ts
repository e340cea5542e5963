import { escaped } from "./html.ts"
import type { DocsPage, Section } from "./Page.ts"

/** The paths of what every page loads. */
export interface PageAssets {
  readonly style: string
  readonly script: string
}

const linkHtml = ({ path, title }: Section["links"][number], current: string) => {
  const mark = path === current ? ' aria-current="page"' : ""
  return `<li><a href="${escaped(path)}"${mark}>${escaped(title)}</a></li>`
}

const sectionHtml = ({ title, links }: Section, current: string) =>
  links.length === 0
    ? ""
    : `<p>${escaped(title)}</p>\n<ul>\n${links.map((link) => linkHtml(link, current)).join("\n")}\n</ul>`

// The same pages without scripts: search, copy buttons and the switch of colours are added by the script alone.
/** A whole page around the main part of one. */
export const layout = (page: DocsPage, sections: ReadonlyArray<Section>, assets: PageAssets) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.title)}${page.title === "Assay" ? "" : " · Assay"}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.script}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="brand" href="/">Assay</a>
<nav aria-label="Site"><a href="/">Guides</a> <a href="/api/">API</a></nav>
<div id="tools"></div>
</header>
<div class="columns">
<nav class="side" aria-label="Pages"><details id="pages" open><summary>All pages</summary>
${sections.map((section) => sectionHtml(section, page.path)).join("\n")}
</details></nav>
<main id="main">
${page.html()}
</main>
</div>
</body>
</html>
`
