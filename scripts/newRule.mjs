import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * `npm run new:rule -- <tool>.<rule>` makes the files of a rule of the audit engine, of a new tool where there is none of that
 * name: its description, its check, a fixture that fails until the check finds the marked line, and its worst case.
 */
const root = fileURLToPath(new URL("../", import.meta.url))
const usage = "Usage: npm run new:rule -- <tool>.<rule>, for example insecure_cookies.cookie_without_secure"

const fail = (message) => {
  console.error(message)
  process.exit(2)
}

const [tool, rule] = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)$/.exec(process.argv[2] ?? "")?.slice(1) ?? fail(usage)

const paths = {
  rules: `src/engine/rules/${tool}/rules.ts`,
  tool: `src/engine/rules/${tool}/tool.ts`,
  list: "src/engine/rules/index.ts",
  fixture: `test/fixtures/audit/${tool}/${rule}.ts`,
  hostile: `test/engine/hostile/${tool}.ts`
}

const read = (path) => readFileSync(root + path, "utf8")
const write = (path, text) => {
  mkdirSync(dirname(root + path), { recursive: true })
  writeFileSync(root + path, text)
  console.log(`  ${path}`)
}

/** Puts text in front of the last occurrence of a mark, and fails where a file has another shape than expected. */
const insert = (path, mark, text) => {
  const source = read(path)
  const at = source.lastIndexOf(mark)
  if (at < 0) fail(`${path} has no ${JSON.stringify(mark)}: add the rule by hand; CONTRIBUTING.md says how.`)
  write(path, `${source.slice(0, at).replace(/(?<=[}\]])\n$/, ",\n")}${text}${source.slice(at)}`)
}

const description = `  ${rule}: {
    languages: ["javascript"],
    title: "Standard name of the weakness: the specific case",
    description:
      "First what an attacker or user experiences. Then how it comes about in code like this. Last how to fix it, with " +
      "the function or setting to use.",
    example: {
      path: "src/example.ts",
      bad: "",
      good: ""
    },
    cwe: [],
    confidence: 0.7,
    effort: "small",
    risk: "low"
  }
`

const worstCase = `  { rules: ["${rule}"], path: "src/a.ts", text: (size) => filled(size, "f(a)\\n") }
`

const makeRule = () => {
  if (new RegExp(`^  ${rule}: `, "m").test(read(paths.rules)))
    fail(`${tool}.${rule} is there already, in ${paths.rules}.`)
  insert(paths.rules, "})\n", description)
  insert(paths.hostile, "]\n", worstCase)
}

const makeTool = () => {
  write(
    paths.rules,
    `import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
${description}})

export type RuleId = keyof typeof rules
`
  )
  write(
    paths.tool,
    `import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Emit } from "../../core/tool/AuditTool.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { span } from "../../languages/tree/excerpt.ts"
import { type RuleId, rules } from "./rules.ts"

/** Nothing matches yet: this is where the rule is written. */
const isMatch = (_call: Call): boolean => false

const checkCalls = (file: SourceFile, emit: Emit<RuleId>): void => {
  const { tree } = file
  if (tree === null) return
  for (const call of calls(file)) {
    if (!isMatch(call)) continue
    emit({ rule: "${rule}", ...span(tree, call.node), message: \`\\\`\${call.callee}\\\` is called here.\` })
  }
}

export default auditTool({
  id: "${tool}",
  suite: "full",
  kind: "finding",
  domain: "code_quality",
  category: "correctness",
  priority: "P3",
  version: 1,
  rules,
  appliesTo: ({ language, role }) => role === "source" && /^(?:javascript|typescript|tsx)$/.test(language),
  inspect: (file, emit) => {
    checkCalls(file, emit)
    return undefined
  }
})
`
  )
  const importLine = `import ${tool} from "./${tool}/tool.ts"\n`
  const source = read(paths.list)
  const imports = source.split(/(?<=\n)/).filter((line) => /^import \w+ from "\.\//.test(line))
  const entries = source.split(/(?<=\n)/).filter((line) => /^ {2}\w+,?\n$/.test(line))
  const nextImport = imports.find((line) => line > importLine)
  const nextEntry = entries.find((line) => line.replace(/\W/g, "") > tool)
  const withImport =
    nextImport === undefined
      ? source.replace(imports.at(-1), imports.at(-1) + importLine)
      : source.replace(nextImport, importLine + nextImport)
  write(
    paths.list,
    nextEntry === undefined
      ? withImport.replace(/\n\]\n/, `,\n  ${tool}\n]\n`)
      : withImport.replace(`\n${nextEntry}`, `\n  ${tool},\n${nextEntry}`)
  )
  write(
    paths.hostile,
    `import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
${worstCase}]
`
  )
}

if (existsSync(root + paths.fixture)) fail(`${paths.fixture} is there already.`)
console.log("Written:")
if (existsSync(root + paths.rules)) makeRule()
else makeTool()
write(
  paths.fixture,
  `const value = "replace this code by some that the rule reports"
console.info(value) // expect:finding ${rule}

const other = "replace this code by some that looks alike and is right"
console.warn(other)
`
)
console.log(`
Next: the texts in ${paths.rules}, the check in src/engine/rules/${tool}/, real code in ${paths.fixture}. Then
  npx vitest run test/engine -t ${tool}   fails until the check finds the marked line, and no other
  npx vitest run test/engine/overlaps   fails when another tool reports the same line
  npm run snapshots                       adds the rule to docs/audit-tools.md`)
