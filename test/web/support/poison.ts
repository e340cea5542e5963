import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { asOwner } from "../../support/Database.ts"
import type { Files } from "../../support/gitRepository.ts"
import { tricks } from "./tricks.ts"

/** As many texts as it takes to hold all tricks, none longer than the limit. */
const packed = (limit: number): ReadonlyArray<string> => {
  const texts: Array<string> = []
  for (const trick of tricks) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + trick.length + 2 <= limit) texts[texts.length - 1] = `${last}\n\n${trick}`
    else texts.push(trick.slice(0, limit))
  }
  return texts
}

const onOneLine = (texts: ReadonlyArray<string>) => texts.map((text) => text.replace(/\p{Cc}+/gu, " ").trim())

/** Columns that hold what people, agents and repositories wrote, by table, with the longest text the API takes. */
const lines: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  api_keys: { name: 200, agent_label: 200 },
  change_review_criteria: { text: 1000, reason: 2000 },
  change_reviews: { title: 200 },
  context_entries: { title: 200, summary: 500 },
  credentials: { username: 255 },
  issue_criteria: { text: 1000 },
  issues: { title: 200 },
  job_events: { detail: 1000 },
  jobs: { error: 1000 },
  mission_events: { note: 2000 },
  mission_steps: { title: 200, failure: 2000 },
  missions: { title: 200 },
  notices: { text: 500 },
  observation_events: { reason: 2000 },
  observations: { title: 200, symbol: 200, dismissal_note: 500, completion_note: 2000 },
  outbox_mails: { subject: 500, error: 500 },
  projects: { name: 200, description: 2000 },
  repositories: { display_name: 200, description: 2000 },
  rule_settings: { reason: 500 },
  users: { name: 200 },
  views: { name: 200 },
  webhooks: { description: 500 },
  workspaces: { name: 200 }
}

const bodies: Readonly<Record<string, ReadonlyArray<string>>> = {
  context_entries: ["body_md"],
  issues: ["body_md"],
  mission_plans: ["limits_md"],
  mission_steps: ["brief_md"],
  missions: ["goal_md", "limits_md"],
  observations: ["description", "suggested_change", "snippet"],
  repositories: ["guidance", "review_instructions"],
  workspaces: ["review_instructions"]
}

/** Fills every such column of every row with tricks; rows of a table share them out among themselves. */
export const poisoned = asOwner(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // Histories are append-only: their triggers would refuse this.
    yield* sql`SET session_replication_role = 'replica'`
    const fill = (table: string, column: string, texts: ReadonlyArray<string>) =>
      sql`UPDATE ${sql(table)} AS t SET ${sql(column)} = (${[...texts]}::text[])[1 + n.row % ${texts.length}::int]
      FROM (SELECT ctid, row_number() OVER (ORDER BY ctid) AS row FROM ${sql(table)}) n
      WHERE n.ctid = t.ctid AND t.${sql(column)} IS NOT NULL`
    for (const [table, columns] of Object.entries(lines)) {
      for (const [column, limit] of Object.entries(columns)) yield* fill(table, column, onOneLine(packed(limit)))
    }
    for (const [table, columns] of Object.entries(bodies)) {
      for (const column of columns) yield* fill(table, column, packed(8000))
    }
    // Bodies of notes and names of actors are parts of a document.
    const [names, notes] = [onOneLine(packed(200)), packed(8000)]
    yield* sql`UPDATE issue_events SET detail = jsonb_set(detail, '{body_md}', to_jsonb(${notes[0] ?? ""}::text))
    WHERE detail ? 'body_md'`
    for (const table of ["issue_events", "observation_events", "context_events", "mission_events", "audit_log"]) {
      yield* sql`UPDATE ${sql(table)} SET actor = jsonb_set(actor, '{label}', to_jsonb(${names[0] ?? ""}::text))
      WHERE actor ? 'label'`
    }
  })
).pipe(Effect.orDie)

// Git takes everything but what means something in a path.
const asFileName = (trick: string) =>
  trick
    .replace(/\p{C}/gu, " ")
    .split("/")
    .map((part) => part.trim())
    .filter((part) => part !== "" && !part.startsWith("."))
    .join("/")
    .slice(0, 120)

const faulty = (trick: string) => `import { exec } from "node:child_process"
// ${trick.replace(/\p{Cc}/gu, " ")}
app.get("/archive", (req, res) => exec(${JSON.stringify(trick)} + req.query.folder, () => res.end()))
`

/** Files whose names and code hold tricks, each with a fault. */
export const trickyFiles: Files = Object.fromEntries(
  tricks.map((trick, n) => [`src/${n} ${asFileName(trick)}.js`, faulty(trick)])
)
