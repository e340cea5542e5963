import { appendFileSync } from "node:fs"
import pg from "pg"

// Loaded into a server before its program: writes each statement with its values, when it was sent and how long the
// server waited for its result, as lines of JSON.

const file = process.env.BENCH_STATEMENTS
let lines = []

const flush = () => {
  if (lines.length === 0) return
  appendFileSync(file, lines.join(""))
  lines = []
}

const { query } = pg.Client.prototype

pg.Client.prototype.query = function (config, ...rest) {
  const answer = rest[0]
  if (typeof config !== "object" || typeof config.text !== "string" || typeof answer !== "function") {
    return query.call(this, config, ...rest)
  }
  const sent = performance.timeOrigin + performance.now()
  return query.call(this, config, (error, result) => {
    const ms = performance.timeOrigin + performance.now() - sent
    lines.push(`${JSON.stringify({ at: sent, ms, text: config.text, values: config.values ?? [] })}\n`)
    answer(error, result)
  })
}

if (file !== undefined) setInterval(flush, 50).unref()
