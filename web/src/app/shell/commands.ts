import type { Repository } from "../../api/repositories.ts"
import type { IconName } from "../../parts/icon/Icon.tsx"
import type { Shortcut } from "../../parts/shortcuts/registry.ts"
import { places } from "./places.ts"

export interface Command {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly keys?: string
  /** Where it leads, or what it does. */
  readonly href?: string
  readonly run?: () => void
}

interface Known {
  readonly shortcuts: ReadonlyArray<Shortcut>
  readonly repositories: ReadonlyArray<Repository>
}

const references = { OBS: "observations", ISS: "issues", MSN: "missions" } as const
const referencePattern = /^(OBS|ISS|MSN)-?([1-9]\d{0,9})$/i

const opened = (words: string): ReadonlyArray<Command> => {
  const [, kind = "", number = ""] = referencePattern.exec(words) ?? []
  const prefix = (["OBS", "ISS", "MSN"] as const).find((one) => one === kind.toUpperCase())
  if (prefix === undefined) return []
  const ref = `${prefix}-${number}`
  return [{ id: ref, label: `Open ${ref}`, icon: "open", href: `/${references[prefix]}/${ref}` }]
}

const searched = (words: string): ReadonlyArray<Command> =>
  words === ""
    ? []
    : [
        {
          id: "search",
          label: `Search observations for “${words}”`,
          icon: "search",
          href: `/triage?${new URLSearchParams({ q: words })}`
        }
      ]

const gone = places
  .flatMap(({ places: inGroup }) => inGroup)
  .map(
    ({ label, icon, to, key }): Command => ({
      id: `go ${label}`,
      label: `Go to ${label}`,
      icon,
      href: String(to),
      ...(key === undefined ? {} : { keys: `g ${key}` })
    })
  )

/** Keys that move within a list mean nothing in a menu. */
const withoutMeaning = new Set(["j", "k", "x", "shift+x", "enter", "esc", "mod+k"])

const acted = (shortcuts: ReadonlyArray<Shortcut>): ReadonlyArray<Command> =>
  shortcuts
    .filter(({ keys, group }) => group !== "Go to" && !withoutMeaning.has(keys))
    .map(({ keys, label, run }) => ({ id: `do ${keys}`, label, icon: "right", keys, run }))

const repositoryCommands = (repositories: ReadonlyArray<Repository>): ReadonlyArray<Command> =>
  repositories.map(({ id, github_org, github_repo, github_base_branch, repo_name }) => ({
    id,
    label: `Open ${github_org}/${repo_name}`,
    icon: "repo",
    href: `/repos/${[github_org, github_repo, github_base_branch].map(encodeURIComponent).join("/")}`
  }))

const shownCommands = 12

/** What fits the words: a reference first, then the actions of the view, places and repositories, and a search last. */
export const commandsFor = (text: string, { shortcuts, repositories }: Known): ReadonlyArray<Command> => {
  const words = text.trim()
  const parts = words.toLowerCase().split(/\s+/)
  const fits = ({ label }: Command) => parts.every((part) => label.toLowerCase().includes(part))
  const all = [...acted(shortcuts), ...gone, ...(words === "" ? [] : repositoryCommands(repositories))]
  return [...opened(words), ...all.filter(fits).slice(0, shownCommands), ...searched(words)]
}
