import { directoryOf, joined } from "../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../structure/importGraph/jsonc.ts"
import { code } from "../Draft.ts"
import { clip } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import type { EntryPoint } from "./EntryPoint.ts"

const MAX_PACKAGES = 40

/** What is compiled to JavaScript, which is written beside it or in another folder. */
const compiledTo = (stems: ReadonlyArray<string>): ReadonlyArray<string> =>
  stems.flatMap((stem) => ["coffee", "ls", "litcoffee"].map((extension) => `${stem}.${extension}`))

/** What `bin` and `main` name is often built from a source of the same name. */
const sourceOf = (survey: Survey, target: string): string | undefined => {
  const built = target.replace(/(?:^|\/)(?:dist|build|lib|out)\//, (match) =>
    match.replace(/dist|build|lib|out/, "src")
  )
  const stem = built.replace(/\.[cm]?js$/, "")
  const format = /(?:^|\/)(?:dist|build|lib|out)\/(?:cjs|esm?|commonjs|module|umd|node)\/([\w./-]+?)\.[cm]?js$/.exec(
    target
  )?.[1]
  // Of what a package brings along built, the source is what one reads.
  const written = built === target ? [] : [`${stem}.ts`, `${stem}.tsx`]
  const ofFormat =
    format === undefined ? [] : ["src", "lib"].flatMap((at) => [`${at}/${format}.ts`, `${at}/${format}.js`])
  return [
    ...written,
    ...ofFormat,
    target,
    `${target}.js`,
    `${target}/index.js`,
    `${stem}.ts`,
    `${stem}.tsx`,
    `${stem}.js`,
    ...compiledTo([stem, target.replace(/\.[cm]?js$/, "")])
  ].find((path) => survey.has(path))
}

/** Programs and the main module that packages of npm name. */
export const fromPackages = (survey: Survey): ReadonlyArray<EntryPoint> =>
  survey
    .sourceTexts(/(?:^|\/)package\.json$/)
    .slice(0, MAX_PACKAGES)
    .flatMap(({ path, text }) => {
      const manifest = parseConfiguration(text)
      const named: Array<readonly [string, unknown]> = []
      if (typeof manifest?.bin === "string") named.push(["program", manifest.bin])
      else if (isRecord(manifest?.bin))
        for (const [name, target] of Object.entries(manifest.bin))
          named.push([`program ${code(clip(name, 40))}`, target])
      named.push(["what an import of the package loads", manifest?.main ?? manifest?.module])
      return named.flatMap(([what, target]): ReadonlyArray<EntryPoint> => {
        const found =
          typeof target === "string"
            ? sourceOf(survey, joined(directoryOf(path), target.replace(/^\.\//, "")))
            : undefined
        return found === undefined ? [] : [{ file_path: found, line: 1, why: `${what}, by ${path}` }]
      })
    })
