import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  print_beside_logger: {
    languages: ["go", "java", "javascript", "python"],
    title: "Print statement instead of the logger",
    description:
      "What is printed has no level, no time and no request, cannot be filtered or switched off, and is lost where " +
      "only the logger's output is collected. Log it at the level that fits, or remove it if it was for debugging.",
    example: {
      path: "server/orders.js",
      bad: `const logger = require("./logger")

async function create(order) {
  await store.insert(order)
  logger.info({ order: order.id }, "stored")
  console.log("created", order)
}
`,
      good: `const logger = require("./logger")

async function create(order) {
  await store.insert(order)
  logger.info({ order: order.id }, "created")
}
`
    },
    cwe: [],
    confidence: 0.8,
    effort: "small",
    risk: "low"
  },
  exception_without_cause: {
    languages: ["go", "java", "javascript", "python"],
    title: "Exception logged without its cause or stack trace",
    description:
      "The log says that something failed, and drops the exception or its stack trace: anyone who has to find out why " +
      "must make it happen again. Hand the exception itself to the logger (`logger.error({ err }, …)`, " +
      '`log.error(message, e)`, `logger.exception(…)`, `slog.Error(…, "err", err)`).',
    example: {
      path: "server/orders.js",
      bad: `const logger = require("./logger")

async function create(order) {
  try {
    await store.insert(order)
  } catch (error) {
    logger.error("could not store the order")
  }
}
`,
      good: `const logger = require("./logger")

async function create(order) {
  try {
    await store.insert(order)
  } catch (error) {
    logger.error({ err: error }, "could not store the order")
  }
}
`
    },
    cwe: [778],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  },
  no_health_route: {
    languages: ["go", "java", "javascript", "python"],
    title: "Missing health check endpoint",
    description:
      "The program is shipped as a container and answers several routes, and none of them reports whether it is healthy: " +
      "an orchestrator can see only that the process exists, and keeps sending requests to one that cannot reach its " +
      "database. Add a cheap route that checks what the program depends on, and point the probes to it.",
    example: {
      path: "src/app.js",
      bad: `const app = require("express")()
app.get("/orders", orders)
app.get("/items", items)
app.get("/prices", prices)
app.get("/stock", stock)
app.get("/users", users)
`,
      good: `const app = require("express")()
app.get("/orders", orders)
app.get("/items", items)
app.get("/prices", prices)
app.get("/stock", stock)
app.get("/users", users)
app.get("/healthz", (req, res) => res.send("ok"))
`,
      besides: {
        Dockerfile: `FROM node:22-slim
USER node
CMD ["node", "src/app.js"]
`
      }
    },
    cwe: [],
    confidence: 0.7,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
