import { filled, type WorstCase } from "../../support/worstCase.ts"

const around: readonly [string, string] = [
  'const net = require("net")\napp.get("/x", async (req, res) => {\nlet u = req.query.u\n',
  "\n})\n"
]

export const worstCases: ReadonlyArray<WorstCase> = [
  { rules: ["untrusted_url"], path: "src/a.js", text: (size) => filled(size, "await fetch(u)\n", around) },
  {
    rules: ["untrusted_url"],
    path: "src/b.js",
    text: (size) =>
      filled(size, "if (!HOSTS.includes(new URL(u).hostname)) u = `http://${u}`\nawait fetch(u)\n", around)
  },
  {
    rules: ["untrusted_url"],
    path: "src/c.js",
    text: (size) => filled(size, "//", [`${around[0]}fetch("`, '" + u)\n})\n'])
  },
  { rules: ["untrusted_host"], path: "src/d.js", text: (size) => filled(size, "net.connect(80, u)\n", around) },
  {
    rules: ["exported_url"],
    path: "index.js",
    text: (size) => filled(size, "await fetch(`https://${u}.example.com/`)\n", ["exports.x = (u) => {\n", "\n}\n"])
  }
]
