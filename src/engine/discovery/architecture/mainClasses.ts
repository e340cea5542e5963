import { code } from "../Draft.ts"
import type { Survey } from "../Survey.ts"
import type { EntryPoint } from "./EntryPoint.ts"

/** The class that a build of Java, Kotlin or Scala has started, as Maven, Ant and Gradle write it. */
const named =
  /<mainClass>\s*([\w.]+)\s*<|\bname="Main-Class"\s+value="([\w.]+)"|["']Main-Class["']\s*(?::|to)\s*["']([\w.]+)["']|\bmainClass(?:Name)?\s*(?:=|\.set\()\s*["']([\w.]+)["']/g

const builds = /(?:^|\/)(?:pom\.xml|build\.xml|[\w.-]*\.gradle(?:\.kts)?)$/

/** Programs that builds name by their class, where its source is in the repository. */
export const mainClasses = (survey: Survey): ReadonlyArray<EntryPoint> => {
  const classes = new Map<string, string>()
  for (const { path, text } of survey.texts(builds))
    for (const match of text.matchAll(named)) {
      const name = match.slice(1).find((one) => one !== undefined)!
      if (!classes.has(name)) classes.set(name, path)
    }
  return [...classes].flatMap(([name, build]): ReadonlyArray<EntryPoint> => {
    const stem = `/${name.replaceAll(".", "/")}`
    const ends = [`${stem}.java`, `${stem}.kt`, `${stem}.scala`, `${stem.replace(/Kt$/, "")}.kt`]
    const file = survey.source.find(({ path }) => ends.some((end) => `/${path}`.endsWith(end)))
    return file === undefined
      ? []
      : [
          {
            file_path: file.path,
            line: file.isEntryPoint > 0 ? file.isEntryPoint : 1,
            why: `main class ${code(name)}, by ${build}`
          }
        ]
  })
}
