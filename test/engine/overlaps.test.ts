import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { inspectFiles, sourceFiles, treeOf } from "../support/audit.ts"
import { fixturesOf, HISTORY_FILE, historyOf, withoutMarks } from "../support/fixtures.ts"

/**
 * Rules of two tools that report the same line for two reasons, each with their difference: a user who fixes one still
 * has the other. Two rules with one reason do not belong here; one of them has to leave the line to the other.
 */
const twoReasons: Readonly<Record<string, string>> = {
  "performance_antipatterns.sync_in_handler + weak_cryptography.static_salt":
    "a call that blocks, and a salt that is the same for every password",
  "secret_detection.hardcoded_password + shell_script_safety.password_on_command_line":
    "a password in the repository, and one that other processes of the machine see",
  "async_concurrency.stale_effect_response + frontend_quality.response_not_checked":
    "a response that arrives late, and one that failed",
  "code_duplication.copied_file + complexity.deep_nesting": "copied code, and nested code",
  "code_hotspots.hotspot + complexity.deep_nesting": "a file that changes often, and a function that nests",
  "code_hotspots.single_owner + complexity.deep_nesting": "a file with one author, and a function that nests",
  "complexity.cognitive_complexity_extreme + dead_code.unreferenced_private": "hard to follow, and not used",
  "complexity.deep_nesting + test_gaps.untested_complex_file": "nested code, and code without tests",
  "complexity.deep_nesting + test_gaps.untested_sensitive_module": "nested code, and code without tests",
  "dead_code.unused_import + dependency_structure.undeclared_distribution":
    "an import without a use, and a package that nothing declares",
  "dead_code.unreferenced_private + secret_detection.hardcoded_password": "a name without a use, and its value",
  "dead_code.unreferenced_private + secret_detection.hardcoded_secret": "a name without a use, and its value",
  "dead_code.unreferenced_private + secret_detection.provider_token": "a name without a use, and its value",
  "dead_code.unreferenced_private + secret_detection.url_password": "a name without a use, and its value",
  "error_handling.overwritten_error + resource_management.request_without_timeout":
    "a lost error, and a missing time-out",
  "error_handling.overwritten_error + resource_management.unclosed_response": "a lost error, and a leaked response",
  "path_traversal.untrusted_path + performance_antipatterns.sync_in_handler":
    "whose path it is, and that reading blocks",
  "path_traversal.untrusted_path + resource_management.unclosed_file_read": "whose path it is, and a leaked file",
  "path_traversal.zip_slip + resource_management.unclosed_file": "whose path it is, and a leaked file",
  "query_efficiency.columns_by_position + resource_management.unclosed_connection":
    "columns read by position, and a leaked connection",
  "query_efficiency.query_in_loop + sql_injection.untrusted_sql": "many queries, and whose text they hold",
  "resource_management.request_without_timeout + sensitive_data_exposure.api_key_in_url":
    "a missing time-out, and a secret in the address",
  "resource_management.request_without_timeout + sensitive_data_exposure.secret_in_url":
    "a missing time-out, and a secret in the address",
  "correctness_bugs.result_ignored + regex_dos.polynomial_regex_in_library": "an unused result, and a slow pattern",
  "query_efficiency.query_in_loop + sql_injection.built_sql_unquoted": "a query per item, and how its text is made",
  "resource_management.request_without_timeout + server_side_request_forgery.exported_url":
    "a missing time-out, and whose host it is",
  "resource_management.request_without_timeout + server_side_request_forgery.untrusted_url":
    "a missing time-out, and whose address it is",
  "resource_management.request_without_timeout + weak_cryptography.tls_verification_disabled":
    "a missing time-out, and an unverified server",
  "resource_management.unclosed_connection + sql_injection.untrusted_sql":
    "a leaked connection, and whose text it runs",
  "security_misconfiguration.log_injection + sensitive_data_exposure.secret_in_log":
    "line breaks that begin entries, and a secret in the log"
}

/** Fixtures of other tools are excerpts, whose missing parts these rules rightly miss. */
const aboutExcerpts: ReadonlySet<string> = new Set(["correctness_bugs.undefined_name"])

/** Pairs of which one rule leaves the line to the other. */
const yielding = new Set(
  tools.flatMap((tool) =>
    Object.entries(tool.rules).flatMap(([rule, { yieldsTo = [] }]) =>
      yieldsTo.map((other) => [`${tool.id}.${rule}`, other].sort().join(" + "))
    )
  )
)

interface Reported {
  readonly tool: string
  readonly id: string
}

/** Pairs of rules of different tools among those that report one line. */
const pairsOf = (reported: ReadonlyArray<Reported>): ReadonlyArray<string> =>
  reported.flatMap((a) => reported.filter((b) => a.tool !== b.tool && a.id < b.id).map((b) => `${a.id} + ${b.id}`))

it("no two tools report one line of the fixtures for the same reason", async () => {
  const found = new Map<string, string>()
  for (const folder of readdirSync(join(import.meta.dirname, "../fixtures/audit"))) {
    const { [HISTORY_FILE]: commits, ...texts } = fixturesOf(folder)
    const code = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, withoutMarks(text)]))
    const files = await sourceFiles(code)
    const history = commits === undefined ? null : historyOf(commits)
    const byLine = new Map<string, Array<Reported>>()
    for (const tool of tools) {
      for (const { path, line, rule } of inspectFiles(tool, files, history)) {
        const at = `${folder}/${path}:${line}`
        if (folder !== tool.id && aboutExcerpts.has(`${tool.id}.${rule}`)) continue
        byLine.set(at, [...(byLine.get(at) ?? []), { tool: tool.id, id: `${tool.id}.${rule}` }])
      }
    }
    for (const [at, reported] of byLine) for (const pair of pairsOf(reported)) found.set(pair, at)
  }
  const unexplained = [...found].filter(([pair]) => twoReasons[pair] === undefined && !yielding.has(pair))
  const outdated = [...Object.keys(twoReasons), ...yielding].filter((pair) => !found.has(pair))
  assert.deepStrictEqual({ unexplained, outdated }, { unexplained: [], outdated: [] })
})

it("a rule leaves a line to the rule of another tool that knows more of it", async () => {
  const compose = fixturesOf("container_configuration")["compose.yaml"]!
  const { findings } = await scan(treeOf({ "compose.yaml": withoutMarks(compose) }), { suite: "full" })
  const line = compose.split("\n").findIndex((text) => text.includes("POSTGRES_PASSWORD: ")) + 1
  const here = findings.filter(({ locations }) => locations.some(({ line_start }) => line_start === line))
  assert.deepStrictEqual(
    here.map(({ rule_id }) => rule_id),
    ["container_configuration.hardcoded_credential"]
  )
})
