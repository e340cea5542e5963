import { directoryOf, joined } from "../../../core/text/paths.ts"
import { goalShape } from "../../observers/commands/commandSites.ts"
import { lineOf, type Survey } from "../../Survey.ts"
import type { Start } from "./Start.ts"

const valueOf = (text: string, name: string): string | undefined =>
  new RegExp(`<${name}>\\s*([\\w.-]{1,100})\\s*</${name}>`).exec(text)?.[1]

const packaging = /<packaging>\s*maven-plugin\s*</

/** `maven-shade-plugin` and `shade-maven-plugin` are for the goal `shade`. */
const subjectOf = (artifact: string): string => artifact.replace(/^maven-|-maven(?=-)|-plugin$/g, "")

/** `maven-shade-plugin` and `shade-maven-plugin` are called by the prefix `shade`, unless they state another. */
const prefixOf = (text: string, artifact: string): string | undefined =>
  valueOf(text, "goalPrefix") ??
  /^maven-(\w[\w-]*)-plugin$|^(\w[\w-]*)-maven-plugin$/.exec(artifact)?.slice(1).find(Boolean)

/** Groups that Maven searches for a prefix without any settings. */
const isSearched = (group: string): boolean => /^org\.(?:apache\.maven\.plugins|codehaus\.mojo)$/.test(group)

/** How a plugin is called before the name of a goal: by its prefix where that is found, else by its address. */
const calledBy = (text: string): { readonly artifact: string; readonly called: string } | null => {
  const parent = /<parent>([\s\S]{0,2000}?)<\/parent>/.exec(text)?.[1] ?? ""
  const own = text.replace(/<parent>[\s\S]{0,2000}?<\/parent>/, "").split(/<(?:dependencies|build|profiles)>/, 1)[0]!
  const artifact = valueOf(own, "artifactId")
  const group = valueOf(own, "groupId") ?? valueOf(parent, "groupId")
  if (artifact === undefined || group === undefined) return null
  const prefix = prefixOf(text, artifact)
  if (prefix !== undefined && isSearched(group)) return { artifact, called: prefix }
  const version = valueOf(own, "version") ?? valueOf(parent, "version")
  return version === undefined ? null : { artifact, called: `${group}:${artifact}:${version}` }
}

const goalsBelow = (survey: Survey, folder: string): ReadonlyArray<string> => {
  const start = joined(folder, "src/main/")
  const goals = survey.source.flatMap((file) =>
    file.path.startsWith(start) && file.has("sites")
      ? file.sites.flatMap(({ shape, symbol }) => (shape === goalShape && symbol !== null ? [symbol] : []))
      : []
  )
  return [...new Set(goals)]
}

/** The plugin at the root, or the only one among its modules. */
const pluginOf = (survey: Survey) => {
  const plugins = survey.sourceTexts(/(?:^|\/)pom\.xml$/).filter(({ text }) => packaging.test(text))
  return plugins.find(({ path }) => path === "pom.xml") ?? (plugins.length === 1 ? plugins[0] : undefined)
}

/**
 * The goal of a Maven plugin, where it has one only or one with the name of the plugin (`mvn com.example:kettle-plugin:1.0:boil`);
 * of others it is left open which of them.
 */
export const goalStarts = (survey: Survey): ReadonlyArray<Start> => {
  const plugin = pluginOf(survey)
  const by = plugin === undefined ? null : calledBy(plugin.text)
  if (plugin === undefined || by === null) return []
  const goals = goalsBelow(survey, directoryOf(plugin.path))
  const [first] = goals
  if (first === undefined) return []
  const goal = goals.length === 1 ? first : (goals.find((one) => one === subjectOf(by.artifact)) ?? "<goal>")
  return [
    { name: goal, command: `mvn ${by.called}:${goal}`, path: plugin.path, line: lineOf(plugin.text, packaging) ?? 1 }
  ]
}
