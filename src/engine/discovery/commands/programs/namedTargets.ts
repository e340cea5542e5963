import type { Survey } from "../../Survey.ts"

/** Where Cargo finds a target of a kind without being given its place. */
const places: Readonly<Record<string, string>> = {
  bin: "src/bin",
  example: "examples",
  test: "tests",
  bench: "benches"
}

const asked =
  /^cargo (?:\+\S+ )?(?:run|r|build|b|test|t|bench|nextest run)\b.*?\s--(bin|example|test|bench)[ =]([\w-]+)/

/** The only kind of target that a manifest may be without where a file has its name. */
const hasFile = (survey: Survey, kind: string, name: string): boolean =>
  [`${name}.rs`, `${name}/main.rs`].some((file) => survey.resolves(`${places[kind]}/${file}`))

/** Cargo is asked for a program, an example or a file of tests that no crate of the tree has. */
export const lacksTarget = (survey: Survey, line: string): boolean => {
  const [, kind, name] = asked.exec(line.split(" -- ", 1)[0]!) ?? []
  if (kind === undefined || name === undefined || hasFile(survey, kind, name)) return false
  const manifests = survey.texts(/(?:^|\/)Cargo\.toml$/)
  return manifests.length > 0 && !manifests.some(({ text }) => text.includes(`"${name}"`))
}
