import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  untrusted_url: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Server-side request forgery (SSRF)",
    description:
      "An attacker reaches what only the server can reach: cloud metadata with credentials in it, administration " +
      "interfaces, databases. Untrusted input determines the URL or the host of a request that the server sends. " +
      "Compare the host of the parsed URL with an allowlist before the request, reject private and local addresses " +
      "after resolving the name, and do not follow redirects.",
    example: {
      path: "server/preview.js",
      bad: `app.get("/preview", async (req, res) => {
  const page = await fetch(req.query.url)
  res.send(await page.text())
})
`,
      good: `const HOSTS = ["docs.example.com", "blog.example.com"]

app.get("/preview", async (req, res) => {
  const url = new URL(req.query.url)
  if (!HOSTS.includes(url.hostname)) return res.sendStatus(400)
  const page = await fetch(url, { redirect: "error" })
  res.send(await page.text())
})
`
    },
    cwe: [918],
    confidence: 0.85,
    effort: "medium",
    risk: "low"
  },
  untrusted_host: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Server-side request forgery (SSRF): connection to any host",
    description:
      "An attacker makes the server connect to any host and port it can reach, which maps the internal network and " +
      "talks to services that trust the server. Untrusted input is the host of a connection that the server opens. " +
      "Look the host up in an allowlist.",
    example: {
      path: "server/check.js",
      bad: `const net = require("node:net")

app.post("/check", (req, res) => {
  const socket = net.connect(25, req.body.host, () => res.json({ open: true }))
  socket.on("error", () => res.json({ open: false }))
})
`,
      good: `const net = require("node:net")
const MAIL_HOSTS = { main: "mail.example.com", backup: "backup.example.com" }

app.post("/check", (req, res) => {
  const socket = net.connect(25, MAIL_HOSTS[req.body.host], () => res.json({ open: true }))
  socket.on("error", () => res.json({ open: false }))
})
`
    },
    cwe: [918],
    confidence: 0.8,
    effort: "medium",
    risk: "low"
  },
  exported_url: {
    languages: ["javascript", "python"],
    title: "Server-side request forgery (SSRF): parameter part of the host",
    description:
      "Anyone whose text reaches this function through a program that uses the library makes it send requests to another " +
      "server. A function that the library exports makes its parameter part of the host of a URL. Allow only letters, " +
      "digits and dashes in it, or compare it with an allowlist.",
    example: {
      path: "index.js",
      bad: `exports.ask = (region, id) => fetch(\`https://\${region}.example.com/items/\${encodeURIComponent(id)}\`)
`,
      good: `const REGIONS = { eu: "https://eu.example.com", us: "https://us.example.com" }

exports.ask = (region, id) => fetch(\`\${REGIONS[region]}/items/\${encodeURIComponent(id)}\`)
`,
      besides: { "package.json": '{ "name": "sample", "version": "1.0.0", "main": "index.js" }' }
    },
    cwe: [918],
    confidence: 0.5,
    effort: "small",
    risk: "low",
    priority: "P3"
  }
})

export type RuleId = keyof typeof rules
