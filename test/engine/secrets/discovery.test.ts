import { assert, it } from "vitest"
import { planted } from "../../support/plantedCredentials.ts"
import { outputOf } from "../../support/survey.ts"

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, " ")

/** Where discovery quotes from: instructions, scripts, targets, settings, and files as people name them. */
const tree = (): Record<string, string> => ({
  "CONTRIBUTING.md": planted.map(({ text }) => `- You must always run this first: \`${oneLine(text)}\`\n`).join(""),
  "README.md": `# Shop\n\n## Run\n\n\`\`\`sh\n${planted.map(({ text }) => oneLine(text)).join("\n")}\n\`\`\`\n`,
  "package.json": JSON.stringify({
    name: "shop",
    scripts: Object.fromEntries(planted.map(({ text }, i) => [`step${i}`, oneLine(text)]))
  }),
  Makefile: planted.map(({ text }, i) => `target${i}:\n\t${oneLine(text)}\n`).join("\n"),
  ...Object.fromEntries(planted.map(({ path, text }, i) => [`shapes/${i}/${path}`, `${text}\n`]))
})

it("Discovery quotes no credential from instructions, scripts or settings", async () => {
  const output = await outputOf(tree())
  const text = JSON.stringify(output)
  assert.include(text, "[redacted]")
  assert.deepStrictEqual(
    planted.filter(({ value }) => text.includes(value)).map(({ shape }) => shape),
    []
  )
})
