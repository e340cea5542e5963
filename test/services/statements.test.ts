import { readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const services = fileURLToPath(new URL("../../src/services", import.meta.url))
const schema = readFileSync(fileURLToPath(new URL("../snapshots/schema.sql", import.meta.url)), "utf8")

const repos = readdirSync(services, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("Repo.ts"))
  .map((path) => ({
    name: path.split(sep).at(-1)!.replace(".ts", ""),
    text: readFileSync(join(services, path), "utf8")
  }))

/** The end of the template that begins at `start`, templates inside it included. */
const endOf = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "`") return at
    if (text.startsWith("${", at)) at = endOfHole(text, at + 2)
  }
  return text.length
}

const endOfHole = (text: string, start: number): number => {
  let depth = 1
  for (let at = start; at < text.length; at++) {
    if (text[at] === "`") at = endOf(text, at)
    else if (text[at] === "{") depth++
    else if (text[at] === "}" && --depth === 0) return at
  }
  return text.length
}

interface Statement {
  /** `Repo.method` */
  readonly method: string
  readonly sql: string
}

const statementsOf = ({ name, text }: { readonly name: string; readonly text: string }): ReadonlyArray<Statement> => {
  const found: Array<Statement> = []
  for (let at = text.indexOf("sql`"); at >= 0; at = text.indexOf("sql`", at)) {
    const end = endOf(text, at + 3)
    const method = [...text.slice(0, at).matchAll(/\n {4}const (\w+)\b/g)].at(-1)?.[1] ?? ""
    found.push({ method: `${name}.${method}`, sql: text.slice(at + 4, end) })
    at = end
  }
  return found
}

const statements = repos.flatMap(statementsOf)

/** Tables whose rows belong to a workspace. */
const tenantTables = [...schema.matchAll(/CREATE TABLE (\w+) \((.*?)\n\)/gs)]
  .filter(([, , columns = ""]) => /\n {2}workspace_id /.test(columns))
  .map(([, table = ""]) => table)

const namesTenantTable = new RegExp(`\\b(?:FROM|JOIN|UPDATE|INTO|USING)\\s+(?:${tenantTables.join("|")})\\b`)

const isBound = (sql: string) =>
  /workspace_id = (?:\$\{|excluded)/.test(sql) ||
  // Rows of the workspace that the statement is about.
  /\bid = \$\{[\w.]*workspace_?id\}/i.test(sql) ||
  // A new row has its workspace in it.
  /INSERT INTO \w+(?: AS \w+)? (?:\((?:(?!VALUES|SELECT)[\s\S])*\bworkspace_id\b|\$\{sql\.insert\()/.test(sql)

/** Conditions on the workspace that statements of the same repo share. */
const sharedConditions = new Set(statements.filter(({ sql }) => isBound(sql)).map(({ method }) => method))

const usesSharedCondition = ({ method, sql }: Statement) =>
  // A list of conditions, which the method builds before.
  (sql.includes("${sql.and(") && sharedConditions.has(method)) ||
  [...sql.matchAll(/\$\{(\w+)\(/g)].some(([, name]) => sharedConditions.has(`${method.split(".")[0]}.${name}`))

const engine = "the job engine addresses a job by its id and run, or by an id that `open` has returned"
const missions = "the run looks at the missions of all workspaces, and goes on within each one's"
const operator = "for the operator of the installation, about all workspaces"
const person = "a person's own sign-ins, whatever workspace they belong to"
const secret = "a secret that only its owner has identifies the row, and with it the workspace"

const own = "a signed-in person's own rows, whatever workspace they belong to"

const narrowed = "its condition comes from `ObservationFiltersRepo`, which binds the workspace"
const targeted = "its target, built beside it, binds the workspace"

/** Statements on rows of workspaces that do not bind one, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  "AccountRepo.endSession": own,
  "AccountRepo.hasLinkSince": own,
  "AccountRepo.sessionsOf": own,
  "AccountRepo.workspacesOf": own,
  "BulkTriageRepo.lock": targeted,
  "ChangeReviewsRepo.containing": "the part that all reads of reviews begin with binds it",
  "ChangeReviewsRepo.pushed": "a repository on GitHub may be registered in several workspaces",
  "FacetsRepo.ages": narrowed,
  "FacetsRepo.combinationsOf": narrowed,
  "IdentitiesRepo.ownerSignedInBy": operator,
  "InvitationsRepo.openWhere": secret,
  "IssuesRepo.endRunOut": operator,
  "JobClaimsRepo.claimPending": operator,
  "JobEventsRepo.append": engine,
  "JobEventsRepo.addCost": engine,
  "GitHubDeliveriesRepo.candidates": "an installation of the app may serve repositories of several workspaces",
  "GitHubDeliveriesRepo.setStatus": "an installation of the app may serve repositories of several workspaces",
  "JobsRepo.end": engine,
  "JobsRepo.endAbove": engine,
  "JobsRepo.open": engine,
  "JobsRepo.running": operator,
  "KeysRepo.credentialsByHash": secret,
  "KeysRepo.markUsed": "keys of all workspaces that this process has admitted",
  "KeysRepo.takeExpiring": operator,
  "LiveCallersRepo.among": "keys and sessions of all workspaces that this process has admitted",
  "MissionRunsRepo.due": missions,
  "NoticesRepo.forget": operator,
  "ObservationFiltersRepo.filters": "a condition of lists; `within` beside it binds the workspace",
  "ObservationListRepo.count": narrowed,
  "ObservationListRepo.selection": narrowed,
  "ObservationListRepo.numbers": narrowed,
  "ObservationListRepo.preview": narrowed,
  "ObservationStateRepo.changing": targeted,
  "ObservationStateRepo.previousOf": targeted,
  "OutboxRepo.claimDue": operator,
  "OutboxRepo.giveUp": operator,
  "ProjectsRepo.projects": "the beginning of `find` and `list`, which bind it",
  "RetentionRepo.deleteKeys": operator,
  "RetentionRepo.deleteLinks": operator,
  "RetentionRepo.deleteMails": operator,
  "RetentionRepo.deleteRecords": operator,
  "RetentionRepo.deleteSessions": operator,
  "RetentionRepo.isBusy": operator,
  "RetentionRepo.ofEndedJobs": operator,
  "SessionsRepo.accountByEmail": "who signs in has no workspace yet",
  "SessionsRepo.closeLinksOf": person,
  "SessionsRepo.deleteExpired": operator,
  "SessionsRepo.deleteSessionsOf": person,
  "SessionsRepo.firstOwner": operator,
  "SessionsRepo.sessionByToken": secret,
  "SessionsRepo.takeLink": secret,
  "StagesRepo.finish": engine,
  "StagesRepo.look": engine,
  "StagesRepo.lock": engine,
  "StagesRepo.seen": engine,
  "StagesRepo.start": engine,
  "TicketCommentsRepo.claimDue": operator,
  "TicketCommentsRepo.giveUp": operator,
  "TrendsRepo.history": targeted,
  "UsersRepo.endSessions": operator,
  "UsersRepo.list": operator,
  "UsersRepo.lockOwnersBeside": operator,
  "UsersRepo.membershipsOf": operator,
  "UsersRepo.ownedAlone": operator,
  "WebhookSendingRepo.dueOf": operator,
  "WebhookSendingRepo.forget": operator,
  "WebhookSendingRepo.parkSome": operator,
  "WebhookSendingRepo.take": operator,
  "WebhookSendingRepo.waitsFor": operator,
  "WorkspacesRepo.list": operator
}

const unbound = [
  ...new Set(
    statements
      .filter((statement) => namesTenantTable.test(statement.sql))
      .filter((statement) => !isBound(statement.sql) && !usesSharedCondition(statement))
      .map(({ method }) => method)
  )
].sort()

describe("statements of repos", () => {
  it("are found, with the tables of workspaces", () => {
    assert.isAbove(statements.length, 150)
    assert.isAbove(tenantTables.length, 12)
    assert.include(tenantTables, "observations")
  })

  it("bind the workspace where they are about rows of one, with exceptions that have a reason", () => {
    assert.deepStrictEqual(unbound, Object.keys(exceptions).sort())
  })

  it("have their rows decoded: none is cast, and none runs outside support/rows.ts", () => {
    const casts = repos.flatMap(({ name, text }) =>
      [...text.matchAll(/\bsql<|(?:orDie|yield\*)\s*\(?\s*sql`|as unknown/g)].map(([cast]) => `${name}: ${cast}`)
    )
    assert.deepStrictEqual(casts, [])
  })

  it("hand JSON to columns through `jsonb` only", () => {
    assert.deepStrictEqual(
      repos.filter(({ text }) => text.includes("JSON.stringify")).map(({ name }) => name),
      []
    )
  })
})
