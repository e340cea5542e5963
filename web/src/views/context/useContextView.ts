import { useQueries, useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { type EntrySummary, levelsQuery, proposedCountQuery } from "../../api/context.ts"
import { useSession } from "../../api/session.ts"
import type { TreeLevel } from "../../parts/level_tree/LevelTree.tsx"
import { inTreeOrder } from "../../parts/level_tree/tree.ts"

const route = getRouteApi("/shell/context")

/** Levels whose proposed entries are counted at once. */
const maxCounted = 50

export type ContextSearch = ReturnType<typeof route.useSearch>

/** Where the view stands, and how to go elsewhere. */
export const useContextAddress = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: Partial<ContextSearch>, replace = false) =>
    navigate({ search: (current) => ({ ...current, ...next }), replace })
  return { search, address: search.project ?? null, go }
}

/** The levels as a tree, with what waits at each. */
export const useTree = (): ReadonlyArray<TreeLevel> => {
  const { search, address } = useContextAddress()
  const { workspace } = useSession()
  const { data: levels } = useSuspenseQuery(levelsQuery)
  const ordered = inTreeOrder(levels)
  const addresses = [null, ...ordered.slice(0, maxCounted).map(({ level }) => level.slug)]
  const counts = useQueries({ queries: addresses.map(proposedCountQuery) })
  const { status } = search
  return [
    {
      id: "workspace",
      name: workspace.name,
      icon: "context",
      depth: 0,
      count: counts[0]?.data,
      isCurrent: address === null,
      search: { status }
    },
    ...ordered.map(({ level, depth }, index) => ({
      id: level.slug,
      name: level.name,
      icon: level.kind === "project" ? ("issue" as const) : ("folder" as const),
      depth: depth + 1,
      count: counts[index + 1]?.data,
      isCurrent: address === level.slug,
      search: { project: level.slug, status }
    }))
  ]
}

/** What the open level is called. */
export const useLevelName = (): ((slug: string | null) => string) => {
  const { data: levels } = useSuspenseQuery(levelsQuery)
  return (slug) => (slug === null ? "the workspace" : (levels.find((level) => level.slug === slug)?.name ?? slug))
}

/** Why the caller may not write at the open level; null when they may. */
export const useWriteProblem = (): string | null => {
  const { permissions } = useSession()
  const { address } = useContextAddress()
  const { data: levels } = useSuspenseQuery(levelsQuery)
  if (!permissions.includes("manage_context")) return "Your role may read team context, not write it."
  if (permissions.includes("manage_projects")) return null
  if (address === null) return "Only owners and admins write at the workspace."
  const role = levels.find(({ slug }) => slug === address)?.role ?? null
  return role === "editor" || role === "manager" ? null : "Writing here needs the role editor on this level."
}

/** Where an entry lives, seen from the open level. */
export const sourceOf = (entry: EntrySummary, nameOf: (slug: string | null) => string): string => {
  if (entry.level === "own") return "Own"
  if (entry.source_hidden) return "From a hidden level"
  return `From ${nameOf(entry.source_project_slug)}`
}
