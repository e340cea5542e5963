import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { webhookEventTypes } from "../../src/schema/Webhook.ts"
import { newSecret, signedHeaders } from "../../src/services/webhooks/signing.ts"

const page = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8")
const code = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ""

const secret = newSecret()
const body = '{"type":"webhook.test","data":{"text":"ä"}}'
const headers = signedHeaders([newSecret(), secret], { id: "one", timestamp: Math.floor(Date.now() / 1000), body })

const inPython = (sent: string) =>
  execFileSync(
    "python3",
    [
      "-c",
      `${code("python")}\nimport json, sys\nsecret, body, headers = json.load(sys.stdin)\nprint(verified(secret, body.encode(), headers))`
    ],
    { input: JSON.stringify([secret, sent, headers]), encoding: "utf8" }
  ).trim()

const inNode = (sent: string) => {
  const script = `${code("js")}
    import { text } from "node:stream/consumers"
    const [secret, body, headers] = JSON.parse(await text(process.stdin))
    try { verified(secret, body, headers); console.log("True") } catch { console.log("False") }`
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    input: JSON.stringify([secret, sent, headers]),
    encoding: "utf8"
  }).trim()
}

describe("the page about webhooks", () => {
  it("verifies a signature in Node and in Python, and rejects another body", () => {
    assert.deepStrictEqual([inNode(body), inPython(body)], ["True", "True"])
    assert.deepStrictEqual([inNode(`${body} `), inPython(`${body} `)], ["False", "False"])
  })

  it("names every type of event", () => {
    assert.deepStrictEqual(
      webhookEventTypes.filter((type) => !page.includes(`\`${type}\``)),
      []
    )
  })
})
