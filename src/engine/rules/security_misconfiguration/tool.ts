import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Emit, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { type MatchFlow, untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { LOG, REDIRECT, SESSION } from "../../dataflow/values/Value.ts"
import { configuration } from "./configFiles.ts"
import { mentionsCors, openCors } from "./cors.ts"
import { csrfSwitchedOff, mentionsCsrf } from "./csrf.ts"
import { debugModes, mentionsDebug } from "./debug.ts"
import { hardeningOff, mentionsHardening } from "./hardening.ts"
import { hostSettings, mentionsHostSettings } from "./hosts.ts"
import { untrustedRecord } from "./records.ts"
import { openRedirect } from "./redirects.ts"
import { type RuleId, rules } from "./rules.ts"
import { springYaml } from "./yamlFiles.ts"

const code: ReadonlySet<string> = new Set(["javascript", "python", "go", "java", "ruby", "php", "csharp"])
const settingsFile =
  /\.(?:properties|conf|config)$|(?:^|\/)(?:\.htaccess|\.env\.\w+)$|nginx|apache2|sites-(?:available|enabled)\//i

/** Each concern reads a file only when its own words are in it. */
const concerns: ReadonlyArray<readonly [RegExp, (file: SourceFile, emit: Emit<RuleId>) => void]> = [
  [mentionsCors, openCors],
  [mentionsDebug, debugModes],
  [mentionsCsrf, csrfSwitchedOff],
  [mentionsHostSettings, hostSettings]
]

const untrusted: MatchFlow<RuleId> = (flow, path) =>
  (flow.kind === REDIRECT ? openRedirect : untrustedRecord)(flow, path)

const flows = untrustedFlows(REDIRECT | LOG | SESSION, untrusted)

export default auditTool({
  id: "security_misconfiguration",
  suite: "full",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P2",
  version: 7,
  rules,
  appliesTo: ({ path, language, role }) =>
    role === "source" &&
    (code.has(ruleLanguageOf(language)) ||
      (language === "yaml" && /(?:application|bootstrap)[\w-]*\.ya?ml$/.test(path)) ||
      (language === "text" && settingsFile.test(path))),
  inspect: (file, emit) => {
    const language = ruleLanguageOf(file.language)
    if (language === "yaml") return void springYaml(file, emit)
    if (!code.has(language)) return void configuration(file, emit)
    for (const [mentions, check] of concerns) if (mentions.test(file.text) && file.tree !== null) check(file, emit)
    if (language === "javascript" && mentionsHardening.test(file.text) && file.tree !== null) hardeningOff(file, emit)
    return taintLanguageOf(file.language) === null ? undefined : flows.inspect(file, emit)
  },
  finish: flows.finish
})
