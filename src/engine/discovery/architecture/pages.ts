import { baseName, directoryOf } from "../../core/text/paths.ts"
import { code, type Item, plural } from "../Draft.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"

const MIN_PAGES = 5
const MAX_SHOWN = 6

/** What a web server shows of a repository, one script for each address. */
const served = /^(?:public|public_html|htdocs|www|web|html|webroot|docroot)$/i

/** What pages include is no page. */
const isIncluded =
  /^(?:config\w*|functions?|common|inc\w*|header|footer|init|bootstrap|autoload|settings|lib\w*)\.php$/i

/** Scripts that a web server runs by their own address; empty where one front controller answers all, or there are few. */
export const pagesOf = (survey: Survey): ReadonlyArray<ObservedFile> => {
  const pages = survey.source.filter(
    ({ path }) => path.endsWith(".php") && served.test(directoryOf(path)) && !isIncluded.test(baseName(path))
  )
  return pages.length >= MIN_PAGES && pages.some(({ path }) => baseName(path) === "index.php") ? pages : []
}

export const pageItems = (survey: Survey): ReadonlyArray<Item> => {
  const pages = pagesOf(survey)
  const [first] = pages
  if (first === undefined) return []
  const shown = pages.slice(0, MAX_SHOWN)
  const more = pages.length > shown.length ? `, and ${pages.length - shown.length} more` : ""
  return [
    {
      text: `${code(directoryOf(first.path))} has ${plural(pages.length, "page")}, each a script that the web server runs by its own address: ${shown.map(({ path }) => code(baseName(path))).join(", ")}${more}`,
      cites: shown.map(({ path }) => ({ path, line: 1 }))
    }
  ]
}
