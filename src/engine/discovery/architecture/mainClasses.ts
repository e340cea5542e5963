import { baseName } from "../../core/text/paths.ts"
import { productNames } from "../commands/programs/productNames.ts"
import { code } from "../Draft.ts"
import type { Survey } from "../Survey.ts"
import type { EntryPoint } from "./EntryPoint.ts"

/** The class that a build of Java, Kotlin or Scala has started, as Maven, Ant and Gradle write it. */
const named =
  /<mainClass>\s*([\w.]+)\s*<|\bname="Main-Class"\s+value="([\w.]+)"|["']Main-Class["']\s*(?::|to)\s*["']([\w.]+)["']|\bmainClass(?:Name)?\s*(?:=|\.set\()\s*["']([\w.]+)["']/g

const builds = /(?:^|\/)(?:pom\.xml|build\.xml|[\w.-]*\.gradle(?:\.kts)?)$/

const isNamesake = (names: ReadonlySet<string>, path: string): boolean =>
  names.has(
    baseName(path)
      .replace(/\.\w+$/, "")
      .toLowerCase()
  )

/** A class with the product's name is the program, though the build may name that of a helper only. */
const namesakeOf = (survey: Survey, stated: ReadonlyArray<EntryPoint>): ReadonlyArray<EntryPoint> => {
  const names = productNames(survey)
  if (stated.length === 0 || stated.some((one) => isNamesake(names, one.file_path))) return []
  return survey.source.flatMap(({ path, isEntryPoint }) =>
    isEntryPoint > 0 && /\.(?:java|kt|scala)$/.test(path) && isNamesake(names, path)
      ? [{ file_path: path, line: isEntryPoint, why: "declares what runs when it is started" }]
      : []
  )
}

/** Programs that builds name by their class, where its source is in the repository. */
export const mainClasses = (survey: Survey): ReadonlyArray<EntryPoint> => {
  const stated = statedClasses(survey)
  return [...namesakeOf(survey, stated), ...stated]
}

const statedClasses = (survey: Survey): ReadonlyArray<EntryPoint> => {
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
