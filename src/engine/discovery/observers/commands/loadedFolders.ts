import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { directoryOf } from "../../../core/text/paths.ts"
import type { Site } from "../../Observed.ts"
import { languageName } from "../languageName.ts"

interface Loading {
  readonly languages: RegExp
  /** The first group is the folder as it is written, absent where it is the file's own. */
  readonly pattern: RegExp
  /** Stands within the next lines, where the first says only that the folder is listed. */
  readonly loads?: RegExp
  /** Folders are written with dots, from the root or a folder of sources. */
  readonly isModule?: true
}

const script = /^(?:typescript|javascript)$/
const requires = /\b(?:require|import)\(\s*(?!["'`][^"'`$]*["'`]\s*\))/

/** How modules of a folder are loaded whose names the program does not list. */
const loadings: ReadonlyArray<Loading> = [
  {
    languages: script,
    pattern: /\b(?:require|import)\(\s*["'`](\.{1,2}\/[\w./-]{1,80})\/(?:["']\s*\+|\$\{)/g
  },
  {
    languages: script,
    pattern:
      /\brequire\(\s*path\.(?:join|resolve)\(\s*__dirname\s*,\s*["']([\w./-]{1,80})["']\s*,\s*[a-z]\w{0,30}\s*\)\s*\)/g
  },
  {
    languages: script,
    pattern:
      /\breaddir(?:Sync)?\(\s*(?:path\.(?:join|resolve)\(\s*__dirname\s*,\s*["']([\w./-]{1,80})["']\s*\)|__dirname\s*\+\s*["']\/?([\w./-]{1,80})["']|["'](\.\/[\w./-]{1,80})["'])/g,
    loads: requires
  },
  {
    languages: /^python$/,
    pattern: /\b(?:import_module|load_extension|__import__)\(\s*f["']([\w.]{1,80})\.\{/g,
    isModule: true
  },
  {
    languages: /^python$/,
    pattern: /\b(?:import_module|load_extension|__import__)\(\s*["']([\w.]{1,80})\.["']\s*\+/g,
    isModule: true
  },
  {
    languages: /^ruby$/,
    pattern:
      /\bDir(?:\.glob)?[[(]\s*(?:File\.(?:join|expand_path)\(\s*(?:__dir__|File\.dirname\(__FILE__\))\s*,\s*["']([\w./-]{1,80}?)["']\s*,\s*["']\*\.rb["']|"#\{__dir__\}\/([\w./-]{1,80}?)\/\*\.rb")/g,
    loads: /\brequire(?:_relative)?\b/
  },
  {
    languages: /^php$/,
    pattern: /\bglob\(\s*(?:__DIR__|dirname\(__FILE__\))\s*\.\s*["']\/([\w./-]{1,80}?)\/\*\.php["']\s*\)/g,
    loads: /\b(?:require|include)(?:_once)?\b/
  }
]

const MAX_BODY = 500
const MAX_LOADED = 10

const folderOf = ({ path }: SourceFile, { isModule }: Loading, written: string): string => {
  if (isModule === true) return written.replaceAll(".", "/")
  const parts: Array<string> = directoryOf(path) === "" ? [] : directoryOf(path).split("/")
  for (const part of written.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "." && part !== "") parts.push(part)
  }
  return parts.join("/")
}

/** Folders of which a file loads each module, by a name that it computes. The folder is the site's symbol. */
export const loadedFolders = (file: SourceFile): ReadonlyArray<Site> => {
  const language = languageName(file)?.toLowerCase() ?? ""
  return loadings
    .filter(({ languages }) => languages.test(language))
    .flatMap((loading) =>
      [...file.text.matchAll(loading.pattern)].slice(0, MAX_LOADED).flatMap((match): ReadonlyArray<Site> => {
        const written = match.slice(1).find((one) => one !== undefined)
        const after = match.index + match[0].length
        if (written === undefined || loading.loads?.test(file.text.slice(after, after + MAX_BODY)) === false) return []
        const line = file.line(match.index)
        if (/^\s*(?:\/\/|\*|#)/.test(file.lineText(line))) return []
        return [
          {
            kind: "loaded_folder",
            shape: "modules of a folder",
            line,
            end: line,
            symbol: folderOf(file, loading, written)
          }
        ]
      })
    )
}
