import type { Concern, Concerns } from "./Concern.ts"

const weakHash = [327, 328, 916]
const weakRandom = [330, 338]
const shell = [77, 78, 88]
const evaluation = [94, 95]
const files = [22, 23, 73]
const certificates = [295, 297]
const permissions = [276, 732]

/** Numbers of bandit; ruff has the same ones with an S. */
const banditNumbers: Concerns = {
  "102": { cwe: evaluation },
  "103": { cwe: permissions },
  "104": { cwe: [200, 605, 668, 1327] },
  "108": { cwe: [377, 379] },
  "110": { rules: ["error_handling"] },
  "112": { rules: ["error_handling"] },
  "113": { rules: ["request_without_timeout"] },
  "201": { cwe: [94, 215, 489] },
  "202": { cwe: files },
  "301": { cwe: [502] },
  "302": { cwe: [502] },
  "303": { cwe: weakHash },
  "304": { cwe: [326, 327] },
  "305": { cwe: [327] },
  "306": { cwe: [377] },
  "307": { cwe: evaluation },
  "308": { cwe: [79] },
  "310": { cwe: [22, 918] },
  "311": { cwe: weakRandom },
  "313": { cwe: [611, 776] },
  "314": { cwe: [611, 776] },
  "318": { cwe: [611, 776] },
  "319": { cwe: [611, 776] },
  "320": { cwe: [611, 776] },
  "321": { cwe: [319] },
  "323": { cwe: certificates },
  "324": { cwe: weakHash },
  "501": { cwe: certificates },
  "502": { cwe: [326, 327] },
  "503": { cwe: [326, 327] },
  "504": { cwe: [326, 327] },
  "505": { cwe: [326] },
  "506": { cwe: [502] },
  "507": { cwe: [295, 322] },
  "601": { cwe: shell },
  "602": { cwe: shell },
  "603": { cwe: shell },
  "604": { cwe: shell },
  "605": { cwe: shell },
  "606": { cwe: shell },
  "607": { cwe: [...shell, 426] },
  "608": { cwe: [89] },
  "609": { cwe: shell },
  "701": { cwe: [79, 1336] },
  "702": { cwe: [79] },
  "703": { cwe: [79] }
}

const prefixed = (prefix: string, concerns: Concerns): Concerns =>
  Object.fromEntries(Object.entries(concerns).map(([id, concern]) => [`${prefix}${id}`, concern]))

export const bandit: Concerns = prefixed("B", banditNumbers)

export const gosec: Concerns = {
  G102: { cwe: [200, 605, 668, 1327] },
  G103: { cwe: [242] },
  G104: { rules: ["error_handling"] },
  G106: { cwe: [295, 322] },
  G107: { cwe: [88, 918] },
  G108: { cwe: [200, 489] },
  G109: { cwe: [190, 681] },
  G110: { cwe: [400, 409] },
  G112: { cwe: [400], rules: ["server_without_timeouts"] },
  G114: { rules: ["server_without_timeouts"] },
  G115: { cwe: [190, 681] },
  G201: { cwe: [89] },
  G202: { cwe: [89] },
  G203: { cwe: [79] },
  G204: { cwe: shell },
  G301: { cwe: permissions },
  G302: { cwe: permissions },
  G303: { cwe: [377] },
  G304: { cwe: files },
  G305: { cwe: files },
  G306: { cwe: permissions },
  G307: { cwe: permissions },
  G401: { cwe: weakHash },
  G402: { cwe: [...certificates, 326, 327] },
  G403: { cwe: [310, 326] },
  G404: { cwe: weakRandom },
  G405: { cwe: [327] },
  G406: { cwe: weakHash },
  G501: { cwe: weakHash },
  G502: { cwe: [327] },
  G503: { cwe: [327] },
  G505: { cwe: weakHash },
  G601: { cwe: [118] }
}

/** Linters of golangci-lint. */
export const golangci: Concerns = {
  gosec: { category: "security" },
  gas: { category: "security" },
  errcheck: { rules: ["error_handling"] },
  gocyclo: { rules: ["complexity"] },
  gocognit: { rules: ["complexity"] },
  cyclop: { rules: ["complexity"] },
  funlen: { rules: ["complexity"] },
  nestif: { rules: ["complexity"] },
  dupl: { rules: ["code_duplication"] },
  unused: { rules: ["dead_code"] },
  deadcode: { rules: ["dead_code"] },
  bodyclose: { rules: ["resource_management"] },
  sqlclosecheck: { rules: ["resource_management"] },
  rowserrcheck: { rules: ["resource_management", "error_handling"] },
  noctx: { rules: ["resource_management", "async_concurrency"] },
  forbidigo: { rules: ["observability"] },
  staticcheck: { rules: ["correctness_bugs"] },
  govet: { rules: ["correctness_bugs", "async_concurrency"] },
  copyloopvar: { rules: ["correctness_bugs"] }
}

/** flake8, ruff and pylint. */
export const python: Concerns = {
  ...prefixed("S", banditNumbers),
  ASYNC: { rules: ["async_concurrency"] },
  B: { rules: ["correctness_bugs"] },
  BLE: { rules: ["error_handling"] },
  C901: { rules: ["complexity"] },
  DUO122: { cwe: certificates },
  DUO123: { cwe: certificates },
  DUO130: { cwe: weakHash },
  E711: { rules: ["correctness_bugs"] },
  E712: { rules: ["correctness_bugs"] },
  E722: { rules: ["error_handling"] },
  ERA: { rules: ["commented_out_code"] },
  F401: { rules: ["unused_import"] },
  F: { rules: ["correctness_bugs"] },
  PERF: { rules: ["performance_antipatterns"] },
  PLR09: { rules: ["complexity"] },
  PLR0124: { rules: ["correctness_bugs"] },
  R0124: { rules: ["correctness_bugs"] },
  PLW: { rules: ["correctness_bugs"] },
  PLE: { rules: ["correctness_bugs"] },
  SIM115: { rules: ["unclosed_file"] },
  T20: { rules: ["observability"] },
  TRY: { rules: ["error_handling"] },
  "bare-except": { rules: ["error_handling"] },
  "broad-except": { rules: ["error_handling"] },
  "broad-exception-caught": { rules: ["error_handling"] },
  "comparison-with-itself": { rules: ["correctness_bugs"] },
  "consider-using-with": { rules: ["resource_management"] },
  "dangerous-default-value": { rules: ["correctness_bugs"] },
  "eval-used": { cwe: evaluation },
  "exec-used": { cwe: evaluation },
  "too-many": { rules: ["complexity"] },
  "unused-import": { rules: ["unused_import"] },
  "cyclic-import": { rules: ["import_cycle"] }
}

export const eslint: Concerns = {
  complexity: { rules: ["complexity"] },
  "max-": { rules: ["complexity"] },
  "sonarjs/cognitive-complexity": { rules: ["complexity"] },
  "no-console": { rules: ["observability", "print_beside_logger"] },
  "no-empty": { rules: ["error_handling"] },
  "no-eval": { cwe: evaluation },
  "no-implied-eval": { cwe: evaluation },
  "no-new-func": { cwe: evaluation },
  "no-script-url": { cwe: [79, ...evaluation] },
  "no-unused-vars": { rules: ["dead_code"] },
  "@typescript-eslint/no-unused-vars": { rules: ["dead_code"] },
  "@typescript-eslint/no-floating-promises": { rules: ["async_concurrency"] },
  "@typescript-eslint/no-misused-promises": { rules: ["async_concurrency"] },
  "no-async-promise-executor": { rules: ["async_concurrency"] },
  "no-await-in-loop": { rules: ["performance_antipatterns", "query_efficiency"] },
  "no-restricted-syntax": { rules: ["performance_antipatterns"] },
  "no-": { rules: ["correctness_bugs"] },
  eqeqeq: { rules: ["correctness_bugs"] },
  "array-callback-return": { rules: ["correctness_bugs"] },
  "import/no-cycle": { rules: ["import_cycle"] },
  "import/no-extraneous-dependencies": { rules: ["dependency_structure"] },
  "jsx-a11y/": { rules: ["accessibility"] },
  "react-hooks/": { rules: ["frontend_quality", "correctness_bugs", "effect_never_cleaned"] },
  "react/no-danger": { cwe: [79] },
  "react/jsx-no-target-blank": { cwe: [1022] },
  "react/jsx-key": { rules: ["frontend_quality", "correctness_bugs"] },
  "react/no-array-index-key": { rules: ["frontend_quality"] },
  "vue/no-v-html": { cwe: [79] },
  "security/detect-child-process": { cwe: shell },
  "security/detect-non-literal-fs-filename": { cwe: files },
  "security/detect-unsafe-regex": { cwe: [400, 1333] },
  "security/detect-non-literal-regexp": { cwe: [400, 1333] },
  "security/detect-object-injection": { cwe: [1321] },
  "security/detect-eval-with-expression": { cwe: evaluation },
  "security/detect-pseudoRandomBytes": { cwe: weakRandom },
  "security/detect-possible-timing-attacks": { cwe: [208] }
}

export const clippy: Concerns = {
  unwrap_used: { rules: ["error_handling"] },
  expect_used: { rules: ["error_handling"] },
  panic: { rules: ["error_handling"] },
  cognitive_complexity: { rules: ["complexity"] },
  too_many_: { rules: ["complexity"] },
  await_holding_lock: { rules: ["guard_across_await"] },
  "": { rules: ["correctness_bugs"] }
}

export const clangTidy: Concerns = {
  "bugprone-": { category: "correctness" },
  "clang-analyzer-security": { category: "security" },
  "clang-analyzer-": { category: "correctness" },
  "cert-": { category: "security" },
  "concurrency-": { rules: ["async_concurrency"] },
  "readability-function": { rules: ["complexity"] }
}

/** Java and Kotlin: the compiler, PMD, Error Prone, SonarQube and SpotBugs. */
export const jvm: Concerns = {
  unused: { rules: ["dead_code"] },
  resource: { rules: ["resource_management"] },
  UnusedImport: { rules: ["dead_code"] },
  "PMD.CyclomaticComplexity": { rules: ["complexity"] },
  "PMD.CognitiveComplexity": { rules: ["complexity"] },
  "PMD.NPathComplexity": { rules: ["complexity"] },
  "PMD.EmptyCatchBlock": { rules: ["error_handling"] },
  "PMD.AvoidCatching": { rules: ["error_handling"] },
  "PMD.CloseResource": { rules: ["resource_management"] },
  "PMD.SystemPrintln": { rules: ["observability"] },
  TooGenericExceptionCaught: { rules: ["error_handling"] },
  SwallowedException: { rules: ["error_handling"] },
  ComplexMethod: { rules: ["complexity"] },
  CyclomaticComplexMethod: { rules: ["complexity"] },
  LongMethod: { rules: ["complexity"] },
  LongParameterList: { rules: ["complexity"] },
  NestedBlockDepth: { rules: ["complexity"] },
  ReferenceEquality: { rules: ["correctness_bugs"] },
  ReturnValueIgnored: { rules: ["correctness_bugs"] },
  "java:S3776": { rules: ["complexity"] },
  "java:S2077": { cwe: [89] },
  "java:S4790": { cwe: weakHash },
  "java:S2245": { cwe: weakRandom },
  "java:S4830": { cwe: certificates },
  "java:S5527": { cwe: certificates },
  "java:S2755": { cwe: [611] },
  "java:S2095": { rules: ["resource_management"] },
  "java:S106": { rules: ["observability"] },
  "java:S108": { rules: ["error_handling"] },
  SQL_: { cwe: [89] },
  COMMAND_INJECTION: { cwe: shell },
  PATH_TRAVERSAL: { cwe: files },
  PREDICTABLE_RANDOM: { cwe: weakRandom },
  WEAK_MESSAGE_DIGEST: { cwe: weakHash },
  XXE_: { cwe: [611] },
  OBJECT_DESERIALIZATION: { cwe: [502] },
  URLCONNECTION_SSRF: { cwe: [918] },
  XSS_: { cwe: [79] },
  WEAK_TRUST_MANAGER: { cwe: certificates },
  CIPHER_INTEGRITY: { cwe: [327, 353] },
  ECB_MODE: { cwe: [327] },
  STATIC_IV: { cwe: [329] }
}

export const rubocop: Concerns = {
  "Security/Eval": { cwe: evaluation },
  "Security/YAMLLoad": { cwe: [502] },
  "Security/MarshalLoad": { cwe: [502] },
  "Security/JSONLoad": { cwe: [502] },
  "Security/Open": { cwe: [...shell, 918] },
  Security: { category: "security" },
  "Lint/SuppressedException": { rules: ["error_handling"] },
  "Lint/RescueException": { rules: ["error_handling"] },
  "Lint/UselessAssignment": { rules: ["dead_code", "correctness_bugs"] },
  Lint: { rules: ["correctness_bugs"] },
  Metrics: { rules: ["complexity"] },
  "Rails/OutputSafety": { cwe: [79] },
  "Rails/Output": { rules: ["observability"] },
  "Style/RescueStandardError": { rules: ["error_handling"] }
}

export const phpcs: Concerns = {
  "WordPress.Security.EscapeOutput": { cwe: [79] },
  "WordPress.Security.NonceVerification": { cwe: [352] },
  "WordPress.Security": { category: "security" },
  "WordPress.DB.PreparedSQL": { cwe: [89] },
  "WordPress.PHP.DiscouragedPHPFunctions": { cwe: [...shell, 502] },
  "Generic.Metrics": { rules: ["complexity"] },
  "Squiz.PHP.Eval": { cwe: evaluation },
  "Squiz.PHP.CommentedOutCode": { rules: ["commented_out_code"] }
}

export const dotnet: Concerns = {
  CA1031: { rules: ["error_handling"] },
  CA1501: { rules: ["complexity"] },
  CA1502: { rules: ["complexity"] },
  CA1823: { rules: ["dead_code"] },
  CA2000: { rules: ["resource_management"] },
  CA2100: { cwe: [89] },
  CA23: { cwe: [502] },
  CA3001: { cwe: [89] },
  CA3002: { cwe: [79] },
  CA3003: { cwe: files },
  CA3006: { cwe: shell },
  CA3007: { cwe: [601] },
  CA3075: { cwe: [611] },
  CA3077: { cwe: [611] },
  CA3147: { cwe: [352] },
  CA5350: { cwe: weakHash },
  CA5351: { cwe: weakHash },
  CA5359: { cwe: certificates },
  CA5369: { cwe: [611] },
  CA5394: { cwe: weakRandom },
  CS4014: { rules: ["async_concurrency"] },
  IDE0051: { rules: ["dead_code"] },
  IDE0005: { rules: ["unused_import"] }
}

export const shellcheck: Concerns = {
  SC2086: { rules: ["removal_of_unquoted_argument"] },
  SC2115: { rules: ["removal_with_unset_variable"] },
  SC2164: { rules: ["removal_after_unchecked_cd"] },
  SC2294: { rules: ["eval_of_arguments"] }
}

export const hadolint: Concerns = {
  DL3002: { cwe: [250, 269] },
  DL3004: { rules: ["container_configuration"] },
  DL3006: { cwe: [829, 1357, 1104, 494] },
  DL3007: { cwe: [829, 1357, 1104, 494] },
  DL3008: { rules: ["container_configuration"] },
  DL3015: { rules: ["container_configuration"] },
  DL3020: { rules: ["container_configuration"] },
  DL4006: { rules: ["container_configuration"] }
}

/** Checkov, tfsec, trivy and KICS have thousands of ids; they stand at the resource or the line that they are about. */
export const infrastructure: Concerns = {
  "": { rules: ["infrastructure_as_code", "container_configuration"] }
}

export const zizmor: Concerns = {
  "unpinned-uses": { cwe: [829, 1357] },
  "template-injection": { cwe: [...shell, ...evaluation] },
  "excessive-permissions": { cwe: [250, 272, 732] },
  "dangerous-triggers": { cwe: [...evaluation, 829, 863, 284] }
}

/** Words in longer ids, as of Semgrep and CodeQL. */
const words: ReadonlyArray<readonly [RegExp, Concern]> = [
  [/sql/i, { cwe: [89, 943] }],
  [/xss|html|escape|mark-?safe/i, { cwe: [79] }],
  [/command|subprocess|shell|child-?process|os-system/i, { cwe: shell }],
  [/path|file-?access|zip-?slip|traversal/i, { cwe: files }],
  [/eval|exec\b|code-?inj|function-constructor/i, { cwe: evaluation }],
  [/deseriali|pickle|yaml-load|marshal/i, { cwe: [502] }],
  [/ssrf|request-forgery/i, { cwe: [918] }],
  [/md5|sha-?1|hash/i, { cwe: weakHash }],
  [/cipher|des\b|ecb|crypto/i, { cwe: [326, 327] }],
  [/random/i, { cwe: weakRandom }],
  [/xxe|xml/i, { cwe: [611, 776] }],
  [/cors/i, { cwe: [942] }],
  [/redirect/i, { cwe: [601] }],
  [/csrf/i, { cwe: [352] }],
  [/tls|ssl|certificate|verify/i, { cwe: [...certificates, 326, 327] }],
  [/re-?dos|regexp?/i, { cwe: [400, 1333] }],
  [/prototype/i, { cwe: [1321] }],
  [/debug/i, { cwe: [215, 489] }],
  [/permission|chmod/i, { cwe: permissions }],
  [/tmp|temp/i, { cwe: [377] }]
]

export const concernByWords = (id: string): ReadonlyArray<Concern> =>
  words.flatMap(([word, concern]) => (word.test(id) ? [concern] : []))
