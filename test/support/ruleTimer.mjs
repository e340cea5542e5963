// Times rules in a process of their own, run on dist: another file's heap would be collected on their account.
import { SourceFile } from "../../dist/engine/core/files/SourceFile.js"
import { prepareGrammars } from "../../dist/engine/languages/tree/Grammar.js"
import { tools } from "../../dist/engine/rules/index.js"

const timed = async ({ tool: id, path, text }) => {
  const tool = tools.find((candidate) => candidate.id === id)
  const file = new SourceFile({ path, text })
  await prepareGrammars([file.language])
  // The tree is the parser's work, not the rules'.
  void file.tree
  const facts = { path, language: file.language, role: file.role }
  const started = process.cpuUsage()
  if (tool.appliesTo(facts) && (tool.mentions === undefined || tool.mentions.test(file.text))) {
    tool.inspect?.(file, () => undefined)
  }
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

process.on("message", async (request) => process.send(await timed(request)))
