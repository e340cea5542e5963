import { it } from "vitest"
import { fixers, loadFixer } from "../../src/engine/rules/fixers.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { matchesSnapshot } from "../support/snapshots.ts"

const rowOf = async (name: string): Promise<string> => {
  const fixer = await loadFixer(name)
  const title = tools.find(({ id }) => id === fixer?.tool)?.rules[fixer?.rule ?? ""]?.title.replaceAll("|", "\\|")
  return `| [\`${name}\`](rules/${fixer?.tool}.md#${fixer?.rule}) | ${title} | ${[...(fixer?.languages ?? [])].sort().join(", ")} |`
}

const page = async (): Promise<string> => {
  const names = Object.keys(fixers)
  return [
    "# Fixers",
    "",
    "Written by `npm run snapshots` from the code; do not edit it by hand.",
    "",
    `${names.length} rules have a fixer: an edit that needs no judgement. An observation of such a rule shows it as \`suggested_diff\`,`,
    "a fix with the runner `rules` makes it, and `assay audit --fix` applies it to a working copy. Code for which the edit would",
    "need judgement is declined with the reason.",
    "",
    "| Rule | Title | Languages |",
    "| --- | --- | --- |",
    ...(await Promise.all(names.map(rowOf))),
    ""
  ].join("\n")
}

it("docs/fixers.md lists every rule that has a fixer", async () => {
  matchesSnapshot("../../docs/fixers.md", await page())
})
