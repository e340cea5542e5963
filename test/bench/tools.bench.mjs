import { execFileSync } from "node:child_process"
import { lstatSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * What each audit tool costs: CPU time in one thread over a tree of files, after parsing. The shared vocabulary (calls,
 * functions, …) is charged to the first tool that asks for it. `npm run bench -- tools <path>`
 */
export const run = async (args) => {
  const root = resolve(args[0] ?? ".")
  const dist = (path) => import(new URL(`../../dist/engine/${path}`, import.meta.url).href)
  const { tools } = await dist("rules/index.js")
  const { MAX_FILE_BYTES } = await dist("core/files/fileText.js")
  const { SourceFile } = await dist("core/files/SourceFile.js")
  const { prepareGrammars } = await dist("languages/tree/Grammar.js")
  const names = execFileSync("git", ["-C", root, "ls-files", "-z"], { encoding: "utf8", maxBuffer: 1e9 }).split("\0")
  const spent = new Map([["(decode and parse)", 0], ...tools.map((tool) => [tool.id, 0])])
  const add = (id, since) => spent.set(id, spent.get(id) + cpu() - since)
  let lines = 0
  for (const path of names.filter((name) => name !== "")) {
    if (lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() !== true) continue
    const bytes = readFileSync(join(root, path))
    if (bytes.length > MAX_FILE_BYTES || bytes.subarray(0, 8192).includes(0)) continue
    let at = cpu()
    const file = new SourceFile({ path, text: bytes.toString("utf8") })
    if (file.role === "vendored") continue
    const applicable = tools.filter((tool) => tool.inspect !== undefined && tool.appliesTo(file))
    await prepareGrammars([file.language])
    if (applicable.some((tool) => tool.id === "complexity")) file.tree
    add("(decode and parse)", at)
    lines += file.lineCount
    for (const tool of applicable) {
      at = cpu()
      if (tool.mentions === undefined || tool.mentions.test(file.text)) tool.inspect(file, () => undefined)
      add(tool.id, at)
    }
  }
  const total = [...spent.values()].reduce((sum, ms) => sum + ms, 0)
  console.log(
    `${lines} lines, ${(total / 1000).toFixed(2)} s in one thread, ${Math.round(lines / (total / 1000))} lines/s`
  )
  for (const [id, ms] of [...spent].sort((a, b) => b[1] - a[1])) {
    console.log(`${id.padEnd(28)} ${ms.toFixed(0).padStart(7)} ms ${((100 * ms) / total).toFixed(1).padStart(6)} %`)
  }
}
