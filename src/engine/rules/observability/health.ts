import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type FileSummary, type Match, type Project } from "../../core/tool/AuditTool.ts"
import { routeTable } from "../../structure/routes/routeTable.ts"
import type { RuleId } from "./rules.ts"

interface HealthFacts {
  readonly routes: number
  readonly start: number
  readonly end: number
  readonly hasHealth: boolean
}

const MIN_ROUTES = 5

/** In a route, or anywhere else: a string that a framework or a library may make a route of. */
const health =
  /["'`/](?:_?health(?:z|check|-check|_check)?|readyz?|readiness|livez?|liveness|ping|heartbeat|status|up|_status|alive|selfcheck|monitor)["'`/?]|terminus|lightship|HealthIndicator|healthcheck|health_check|actuator|MapHealthChecks/i

export const healthFacts = (file: SourceFile): HealthFacts | undefined => {
  const hasHealth = health.test(file.text)
  const { routes } = routeTable(file)
  const [first] = routes
  if (!hasHealth && first === undefined) return undefined
  return {
    routes: routes.length,
    start: first?.start ?? 0,
    end: first === undefined ? 0 : Math.min(first.end, first.start + 120),
    hasHealth
  }
}

const serverLanguages: ReadonlySet<string> = new Set(["javascript", "typescript", "python", "go", "java"])

/** One per repository, and only for what is shipped as a container: there the probes need something to ask. */
export const reportHealth = (
  all: ReadonlyArray<FileSummary<HealthFacts>>,
  project: Project,
  emit: (path: string, hit: Match<RuleId>) => void
): void => {
  const facts = all.map(({ path, facts: one }) => ({ path, ...one }))
  const total = facts.reduce((sum, { routes }) => sum + routes, 0)
  if (total < MIN_ROUTES || facts.some(({ hasHealth }) => hasHealth)) return
  const isShipped = project.files.some(({ language, role }) => language === "dockerfile" && role === "source")
  const manifests = ["pom.xml", "build.gradle", "build.gradle.kts", "package.json"].map(
    (name) => project.manifest(name) ?? ""
  )
  if (!isShipped || manifests.some((text) => /actuator|terminus|lightship|healthcheck/.test(text))) return
  const languageOf = new Map(project.files.map(({ path, language }) => [path, language]))
  const [most] = facts
    .filter(({ path, routes }) => routes > 0 && serverLanguages.has(languageOf.get(path) ?? ""))
    .sort((a, b) => b.routes - a.routes || (a.path < b.path ? -1 : 1))
  if (most === undefined) return
  const message = `None of the ${total} routes of this server reports whether it is healthy; this file declares ${most.routes} of them.`
  emit(most.path, { rule: "no_health_route", start: most.start, end: most.end, message })
}
