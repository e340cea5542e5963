import { goalShape } from "../../observers/commands/commandSites.ts"
import { lineOf, type Survey } from "../../Survey.ts"
import type { Start } from "./Start.ts"

const valueOf = (text: string, name: string): string | undefined =>
  new RegExp(`<${name}>\\s*([\\w.-]{1,100})\\s*</${name}>`).exec(text)?.[1]

/** `maven-shade-plugin` and `shade-maven-plugin` are for the goal `shade`. */
const subjectOf = (artifact: string): string => artifact.replace(/^maven-|-maven(?=-)|-plugin$/g, "")

/** The goal of a Maven plugin, where it has one only or one with the name of the plugin: `mvn com.example:kettle-plugin:1.0:boil`. */
export const goalStarts = (survey: Survey): ReadonlyArray<Start> => {
  const text = survey.sourceTexts(/^pom\.xml$/)[0]?.text ?? ""
  if (!/<packaging>\s*maven-plugin\s*</.test(text)) return []
  const parent = /<parent>([\s\S]{0,2000}?)<\/parent>/.exec(text)?.[1] ?? ""
  const own = text.replace(/<parent>[\s\S]{0,2000}?<\/parent>/, "").split(/<(?:dependencies|build|profiles)>/, 1)[0]!
  const [artifact, group, version] = [
    valueOf(own, "artifactId"),
    valueOf(own, "groupId") ?? valueOf(parent, "groupId"),
    valueOf(own, "version") ?? valueOf(parent, "version")
  ]
  if (artifact === undefined || group === undefined || version === undefined) return []
  const goals = new Set(
    survey.source.flatMap((file) =>
      file.has("sites")
        ? file.sites.flatMap(({ shape, symbol }) => (shape === goalShape && symbol !== null ? [symbol] : []))
        : []
    )
  )
  const goal = goals.size === 1 ? [...goals][0] : [...goals].find((one) => one === subjectOf(artifact))
  if (goal === undefined) return []
  const command = `mvn ${group}:${artifact}:${version}:${goal}`
  return [{ name: goal, command, path: "pom.xml", line: lineOf(text, /<packaging>\s*maven-plugin\s*</) ?? 1 }]
}
