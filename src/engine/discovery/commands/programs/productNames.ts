import type { Survey } from "../../Survey.ts"
import { titleWords } from "./titleWords.ts"

/** Names that build files give to what they build. */
const projectNames = (survey: Survey): ReadonlyArray<string> =>
  survey
    .texts(
      /^(?:CMakeLists\.txt|meson\.build|configure\.ac|META\.json|[\w-]+\.cabal|[\w.-]+\.rockspec|settings\.gradle(?:\.kts)?|build\.xml)$/
    )
    .flatMap(({ text }) => {
      const name =
        /\b(?:project|AC_INIT)\s*\(\s*\[?["']?([A-Za-z][\w.-]{1,40})/i.exec(text)?.[1] ??
        /<project\s[^>]*?\bname="([A-Za-z][\w.-]{1,40})"/.exec(text)?.[1] ??
        /(?:rootProject\.name|^name|^package)\s*[:=]\s*["']?([\w-]{2,40})/m.exec(text)?.[1]
      return name === undefined ? [] : [name.toLowerCase()]
    })

/** The artifact of the root, not that of its parent. */
const ofMaven = (survey: Survey): ReadonlyArray<string> =>
  survey.texts(/^pom\.xml$/).flatMap(({ text }) => {
    const own = text.replace(/<parent>[\s\S]{0,2000}?<\/parent>/, "")
    const name = /<artifactId>\s*([\w.-]{2,60})\s*</.exec(own)?.[1]?.toLowerCase()
    return name === undefined ? [] : [name]
  })

/** `NAME => 'Net::Kettle'`: of Perl a package is called as its main module. */
const ofPerl = (survey: Survey): ReadonlyArray<string> =>
  survey.texts(/^Makefile\.PL$/).flatMap(({ text }) => {
    const name = /\bNAME["']?\s{0,20}=>\s{0,20}["']([\w:-]{2,60})["']/.exec(text)?.[1]?.toLowerCase()
    return name === undefined ? [] : [name.replaceAll("::", "-")]
  })

/** What the product may be called: as it, or a part of it, is published, or by a word of the readme's title. */
export const productNames = (survey: Survey, where: "root" | "anywhere" = "anywhere"): ReadonlySet<string> =>
  new Set([...publishedNames(survey, where), ...titleWords(survey)])

/** Names under which the repository publishes something. */
export const publishedNames = (survey: Survey, where: "root" | "anywhere" = "anywhere"): ReadonlySet<string> => {
  const names = survey
    .texts(
      /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.py|setup\.cfg|Cargo\.toml|composer\.json|go\.mod|[\w-]+\.gemspec)$/
    )
    .filter(({ path }) => where === "anywhere" || !path.includes("/"))
    .slice(0, 40)
    .flatMap(({ text }) => {
      const name =
        /^\s*["']?name["']?\s*[=:]\s*["']?([\w@./-]{1,80})/m.exec(text)?.[1] ??
        /\.name\s*=\s*["']([\w-]+)/.exec(text)?.[1] ??
        /^module\s+(\S+)/m.exec(text)?.[1]
      return name === undefined
        ? []
        : [
            name.toLowerCase(),
            name
              .toLowerCase()
              .replace(/\/v\d+$/, "")
              .split("/")
              .at(-1)!
          ]
    })
  return new Set([...names, ...projectNames(survey), ...ofMaven(survey), ...ofPerl(survey)])
}
