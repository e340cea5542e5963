import { assert, describe, it } from "vitest"
import { SourceFile } from "../../../src/engine/core/files/SourceFile.ts"
import { hiddenRanges, sliceRedacted } from "../../../src/engine/secrets/hiddenRanges.ts"
import { redactSecrets } from "../../../src/engine/secrets/redact.ts"
import { lookAlikes, planted } from "../../support/plantedCredentials.ts"

const redactedFile = (path: string, text: string): string => {
  const file = new SourceFile({ path, text })
  return sliceRedacted(text, 0, text.length, hiddenRanges(file, []))
}

describe("a credential is redacted by where it is written, whatever its host and its worth", () => {
  for (const { shape, path, text, value } of planted) {
    it(`${shape}: in its file, in a text about it, and in a string of code`, () => {
      assert.include(text, value)
      assert.notInclude(redactedFile(path, `first\n${text}\nlast\n`), value)
      assert.notInclude(redactSecrets(`Reported at line 4: ${text}`), value)
      const script = `const run = (req) => exec(${JSON.stringify(text)} + req.query.q)\n`
      assert.notInclude(redactedFile("src/run.ts", script), value)
      assert.notInclude(redactedFile("src/run.py", `eval(request.args["q"])  # ${text.split("\n").join(" ")}\n`), value)
    })
  }
})

describe("what names where a credential is kept, or none, stays readable", () => {
  for (const [path, text] of lookAlikes) {
    it(text.trim(), () => {
      assert.strictEqual(redactedFile(path, text), text)
    })
  }
})

describe("redaction takes time in proportion to the text", () => {
  const seeds = [
    "curl -u ",
    "curl -u 'a",
    "mysql -p",
    '["curl", "-u", ',
    "curl \\\n",
    "://a:b",
    "a:b@",
    "Cookie: a=",
    "config set a "
  ]
  const more = [
    "echo a|",
    "<password ",
    "auth('a','b',",
    "${PASSWORD:-",
    '\\"',
    "\npassword ",
    "--password ",
    "X-a-a-token",
    "pass.pass/"
  ]
  for (const seed of [...seeds, ...more]) {
    it(JSON.stringify(seed), () => {
      const cpuOf = (length: number): number => {
        const text = seed.repeat(Math.ceil(length / seed.length))
        const started = process.cpuUsage().user
        redactSecrets(text)
        return process.cpuUsage().user - started
      }
      cpuOf(20_000)
      // A quadratic pattern takes two hundred times as long; a busy machine may double a measurement.
      assert.isBelow(cpuOf(400_000), 20_000 + 80 * Math.max(cpuOf(20_000), 2_000))
    })
  }
})
