import { isRecord, parseConfiguration } from "../../../structure/importGraph/jsonc.ts"
import type { Survey } from "../../Survey.ts"
import type { Command } from "../Command.ts"
import { partsOf, purposeOfLine, unwrapped } from "../words.ts"

const servesPages =
  /^(?:mkdocs serve|zensical serve|sphinx-autobuild|docusaurus start|hugo serve(?:r)?|jekyll serve|vitepress (?:dev|serve|preview)|vuepress dev|mdbook serve)(?=\s|$)/

const manifests =
  /^(?:pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|CMakeLists\.txt|meson\.build|composer\.json|mix\.exs|[\w-]+\.(?:gemspec|cabal))$/

/** A package that others start or load, as its manifest says. */
const isPackage = (survey: Survey): boolean => {
  const text = survey.texts(/^package\.json$/)[0]?.text
  const manifest = text === undefined ? null : parseConfiguration(text)
  return isRecord(manifest) && ["bin", "main", "exports", "module"].some((key) => key in manifest)
}

/** Of a text's commands one serves pages, and none starts anything else. */
const servesOnlyPages = (text: string): boolean => {
  const parts = partsOf(text).map(unwrapped)
  return (
    parts.some((part) => servesPages.test(part)) &&
    !parts.some((part) => !servesPages.test(part) && purposeOfLine(part) === "run")
  )
}

/**
 * What shows the pages of a program's documents does not start the program, and is shown where nothing builds them; a site has
 * nothing else to start.
 */
export const withDocumentsApart = (survey: Survey, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const isOfPages = ({ purpose, command, means }: Command): boolean =>
    purpose === "run" && servesOnlyPages(means ?? command)
  const hasProgram =
    commands.some(isOfPages) &&
    survey.source.length > 0 &&
    (survey.rootFile(manifests) !== undefined || isPackage(survey))
  if (!hasProgram) return commands
  const others = commands.filter((one) => !isOfPages(one))
  return others.some(({ purpose }) => purpose === "docs")
    ? others
    : commands.map((one) => (isOfPages(one) ? { ...one, purpose: "docs" } : one))
}
