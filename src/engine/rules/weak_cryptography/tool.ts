import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Emit } from "../../core/tool/AuditTool.ts"
import { isNative } from "../../languages/native/functions.ts"
import { ecbAssignments, mentionsCipher, weakCiphers } from "./ciphers.ts"
import { mentionsHash, weakHashes } from "./hashes.ts"
import { literalKeys, mentionsKey } from "./literals.ts"
import { mentionsNative, nativeCryptography } from "./native.ts"
import { mentionsProtocols, oldProtocols } from "./protocols.ts"
import { mentionsRandom, predictableRandom } from "./randomness.ts"
import { type RuleId, rules } from "./rules.ts"
import { mentionsStrength, weakStrength } from "./strength.ts"
import {
  mentionsTransport,
  transportCalls,
  transportEnvironment,
  transportSettings,
  trustEveryone
} from "./transport.ts"

const code: ReadonlySet<Language> = new Set<Language>([
  "typescript",
  "tsx",
  "javascript",
  "python",
  "go",
  "java",
  "php",
  "ruby",
  "csharp",
  "rust",
  "c",
  "cpp"
])
const configuration: ReadonlySet<Language> = new Set<Language>(["dockerfile", "yaml", "shell", "json", "text", "make"])

/** Each concern reads a file only when its own words are in it. */
const concerns: ReadonlyArray<readonly [RegExp, (file: SourceFile, emit: Emit<RuleId>) => void]> = [
  [mentionsHash, weakHashes],
  [mentionsCipher, weakCiphers],
  [/CipherMode/, ecbAssignments],
  [mentionsKey, literalKeys],
  [mentionsRandom, predictableRandom],
  [mentionsStrength, weakStrength],
  [mentionsProtocols, oldProtocols],
  [mentionsTransport, transportSettings],
  [mentionsTransport, transportCalls],
  [/checkServerTrusted|[hH]ostnameVerifier|Trust(?:All|Manager)|HOSTNAME_VERIFIER/, trustEveryone]
]

export default auditTool({
  id: "weak_cryptography",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P1",
  version: 5,
  redacts: true,
  rules,
  appliesTo: ({ language, role }) => role === "source" && (code.has(language) || configuration.has(language)),
  inspect: (file, emit) => {
    if (configuration.has(file.language)) {
      if (file.text.includes("NODE_TLS_REJECT_UNAUTHORIZED")) transportEnvironment(file, emit)
      return
    }
    if (isNative(file.language)) {
      if (mentionsNative.test(file.text) && file.tree !== null) nativeCryptography(file, emit)
      return
    }
    for (const [mentions, check] of concerns) if (mentions.test(file.text) && file.tree !== null) check(file, emit)
  }
})
