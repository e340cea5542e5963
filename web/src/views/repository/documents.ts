import type { Schema } from "../../api/client.ts"

type Discovery = Schema<"DiscoveryFilesResponse">

export interface RepositoryDocument {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly text: string
}

const isSimple = (value: unknown) => ["string", "number", "boolean"].includes(typeof value)

/** What a discovery looked for and did not find takes no place in the document. */
const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

const valueText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(valueText).join(", ")
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .map(([name, of]) => `${name.replaceAll("_", " ")}: ${valueText(of)}`)
      .join("; ")
  return value === null || value === undefined ? "none" : String(value)
}

const heading = (name: string) => {
  const text = name.replaceAll("_", " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The profile, which is data, as a document: one heading a field, one line an item. */
export const profileText = (profile: Readonly<Record<string, unknown>>): string =>
  Object.entries(profile)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => {
      if (!Array.isArray(value) || value.every(isSimple)) return `# ${heading(name)}\n\n${valueText(value)}`
      return `# ${heading(name)}\n\n${value.map((item) => `- ${valueText(item)}`).join("\n")}`
    })
    .join("\n\n")

const parts = [
  ["instructions", "Instructions for agents", "hyrax_md"],
  ["principles", "Principles", "principles_md"],
  ["patterns", "Patterns", "patterns_md"],
  ["domain", "Domain", "domain_md"],
  ["environment", "Environment variables", "env_vars_md"]
] as const

/** Everything that a discovery has written, in reading order. */
export const documentsOf = (discovery: Discovery): ReadonlyArray<RepositoryDocument> => {
  const { profile, guides, skills } = discovery
  return [
    ...(profile === null ? [] : [{ id: "profile", title: "Profile", group: "Overview", text: profileText(profile) }]),
    ...parts.flatMap(([id, title, field]) => {
      const text = discovery[field]
      return text === null ? [] : [{ id, title, group: "Overview", text }]
    }),
    ...guides.map(({ slug, title, content }) => ({
      id: `guide:${slug}`,
      title: title ?? slug,
      group: "Guides",
      text: content
    })),
    ...skills.map(({ name, content }) => ({ id: `skill:${name}`, title: name, group: "Skills", text: content }))
  ]
}
