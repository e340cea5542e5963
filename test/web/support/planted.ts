import type { Files } from "../../support/gitRepository.ts"

const route = (name: string) => `import { exec } from "node:child_process"
import express from "express"
import { db } from "./db.js"

const app = express()

app.get("/${name}/archive", (req, res) => exec("tar cf out.tar " + req.query.folder, () => res.end()))

app.get("/${name}/rows", async (req, res) => {
  const rows = await db.query("SELECT * FROM ${name} ORDER BY " + req.query.sort)
  res.json(rows)
})

app.get("/${name}/next", (req, res) => res.redirect(req.query.next))

export default app
`

/** So many routes, each with faults of several rules. */
export const plantedRoutes = (count: number): Files => ({
  "package.json": JSON.stringify({ name: "shop", type: "module", dependencies: { express: "4.21.2", pg: "8.13.1" } }),
  "src/db.js": 'import pg from "pg"\nexport const db = new pg.Pool()\n',
  ...Object.fromEntries(
    Array.from({ length: count }, (_, n) => {
      const name = `route${String(n + 1).padStart(2, "0")}`
      return [`src/${name}.js`, route(name)] as const
    })
  )
})
