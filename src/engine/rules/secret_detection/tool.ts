import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Match, type Project } from "../../core/tool/AuditTool.ts"
import { isString } from "../../languages/syntax/strings.ts"
import { lowerBound, NONE } from "../../languages/tree/FlatTree.ts"
import { credentialsIn } from "../../secrets/credentialsIn.ts"
import { PLACED } from "../../secrets/placed.ts"
import { secretsInPath } from "../../secrets/RedactedPaths.ts"
import { type Secret, scanSecrets } from "../../secrets/scanSecrets.ts"
import { type RuleId, rules } from "./rules.ts"

/** Languages whose settings are written without quotes, one per line. */
const settings: ReadonlySet<Language> = new Set<Language>(["yaml", "shell", "dockerfile", "text", "make"])
const settingsFile =
  /(?:^|\/)(?:\.env(?:\.[\w-]+)?|[\w.-]+\.(?:txt|env|properties|ini|cfg|conf|cnf|config|envrc|sh|ya?ml|toml|reg|tfvars|mk)|[\w.-]*[mM]akefile|\.(?:npmrc|yarnrc|netrc|pgpass|pypirc|envrc|git-credentials)|credentials|[\w.-]*dockerfile[\w.-]*)$/i
const environmentFile = /(?:^|\/)\.env(?:\.[\w-]+)?$|\.env$/i
const templateFile =
  /(?:^|[/._-])(?:examples?|samples?|templates?|demo)(?:[._\d-]|$)|(?:dist|defaults?|\.tpl|\.tmpl|\.j2|\.erb)$/i
/** Texts for people: the word for "password", with a value in their language. */
const translations =
  /(?:^|\/)(?:locales?|i18n|l10n|lang(?:uages?)?|translations?|messages)(?:\/|[._-][\w-]*\.\w+$)|\.(?:po|pot|arb|resx|strings)$/i
/** Lists of hashes and positions, which are long and random by nature. */
const listings =
  /(?:^|\/)(?:[\w.-]*lock\.(?:json|ya?ml)|[\w.-]+\.lock|go\.sum|[\w.-]+\.(?:map|svg|snap|sum|md5|sha\d+|asc|crt|cer|csv|tsv|ipynb|patch|diff))$/i

const MAX_MATCHES = 40

const isConnection = ({ rule }: Secret): boolean => rule === "url-password" || rule === "connection-string-password"

/** Passwords that people choose are less certain than random values. */
const CHOSEN = 0.8

/** The passphrase lowers the confidence of an encrypted key. */
const ENCRYPTED = 0.6

const ruleFor = (secret: Secret, file: SourceFile): RuleId => {
  // Credentials in tests and samples are mostly made up.
  if (isExample(secret, file)) return "example_credential"
  if (secret.rule === "private-key") return secret.confidence <= ENCRYPTED ? "encrypted_private_key" : "private_key"
  if (isConnection(secret)) return "url_password"
  if (secret.rule === "json-web-token") return "json_web_token"
  if (secret.kind === "provider") return "provider_token"
  if (environmentFile.test(file.path)) return "environment_file_secret"
  return secret.confidence < CHOSEN ? "hardcoded_password" : "hardcoded_secret"
}

const isSource = (file: SourceFile): boolean => file.ownRole === "source"

/** Where blocks of Markdown begin and end, in turn. */
const fencesOf = ({ text }: SourceFile): Int32Array =>
  Int32Array.from(text.matchAll(/^[ \t]*```/gm), ({ index }) => index)

/** In a block of Markdown that is part of a longer text, such as the manual in a description of settings. */
const isFenced = (secret: Secret, file: SourceFile): boolean =>
  lowerBound(file.memo(fencesOf, fencesOf), secret.start) % 2 === 1

/** A name with a value is a credential in code; in a comment, a manual or an example of an API it explains one. */
const isExplanation = (secret: Secret, file: SourceFile): boolean => {
  const tree = file.tree
  if (tree === null && isFenced(secret, file)) return true
  if (tree === null) return /^\s*(?:[*#;]|\/\/(?!\S+:_)|--|<!--)/.test(file.lineText(file.line(secret.start)))
  const at = tree.covering(secret.start, secret.end)
  for (let node = at; node !== NONE; node = tree.parent(node)) {
    if (tree.isComment(node)) return true
    if (!isString(file, node) || secret.rule === PLACED) continue
    // A label is outside of its value's string, unless both are part of a larger text; a URL is the whole string.
    const before = file.text.slice(tree.start(node), secret.start)
    if (isConnection(secret) ? /\n|:\s|[a-z] [a-z]+ [a-z]/.test(before) : before.length > 4) return true
  }
  return /(?:^|[.(])(?:x-)?examples?(?:[.)]|$)/i.test(file.symbolAt(secret.start) ?? "")
}

/** Environments and certificates for development and tests. */
const trialPath =
  /(?:^|[/._-])(?:tests?|testing|testdata|testkeys?|testcerts?|testutils?|unittests?|dummy|fake|stub|snakeoil|self-?signed|localhost|fixtures?|mock|mocks|examples?|samples?|demos?|vagrant|insecure|playground|tutorials?|quickstart)(?:[/._-]|$)|(?:^|\/)test[\w-]*\.(?:key|pem|p8|ppk|jks|gpg|asc)$/i

const exampleLine = /\be\.g\.|\bexamples?\b|\bplaceholder\b|\bsample\b/i

/** Variables and functions that hold material for tests, and keys that everyone knows. */
const trialName =
  /(?:^|[_.\W])(?:test|tests|testing|dummy|fake|mock|sample|example|demo|insecure|snake_?oil)(?=[A-Z_.\W]|$)|(?:Test|Dummy|Fake|Mock|Sample|Example|Demo|Insecure)(?=[A-Z_.\W\d]|$)/

/** The name that a secret is assigned to, on its line or at the end of the one before. */
const targetOf = (secret: Secret, file: SourceFile): string => {
  const line = file.line(secret.start)
  const before = file.text.slice(file.lineStarts[line - 1] ?? 0, secret.start)
  const isAlone = /^\s*["'`]?$/.test(before) && line > 1
  const text = (isAlone ? `${file.lineText(line - 1)} ${before.trim()}` : before).slice(-400)
  return /([\w$.-]{1,80})["']?\]?\s*(?::=|[:=]|=>)[^:=]{0,80}$/.exec(text)?.[1] ?? ""
}

/** The function and the name that a secret is assigned in, as far as they are on its line or around it. */
const nameAround = (secret: Secret, file: SourceFile): string => {
  return `${file.symbolAt(secret.start) ?? ""} ${targetOf(secret, file)} ${secret.label ?? ""}`
}

/** Whether a secret is reported in a file of this role: a provider's key anywhere, a mere name only in source code. */
const isReported = (secret: Secret, file: SourceFile): boolean => {
  // What only a name or a place marks is worth nothing where the path or the names around it speak of tests.
  const isMere = secret.kind !== "provider" || secret.rule === "private-key" || isConnection(secret)
  if (isMere && (isExample(secret, file) || trialName.test(nameAround(secret, file)))) return false
  if (
    secret.kind === "provider" &&
    secret.rule !== "private-key" &&
    !isConnection(secret) &&
    secret.rule !== "json-web-token"
  )
    return true
  if (!isSource(file) || templateFile.test(file.path)) return false
  if (secret.rule === "private-key") return true
  return !translations.test(file.path) && !isExplanation(secret, file)
}

const issuerPrefix = /^(?:A[KSB]IA|AIza|LTAI|SG\.|hv[sbr]\.|eyJ|[A-Za-z][A-Za-z0-9]{1,9}[_-])/

/** The first characters of an issuer's key are the issuer's name, not the key: at most four are shown. */
const sizeOf = (secret: Secret, file: SourceFile): string => {
  const length = `${secret.end - secret.start} characters`
  const prefix = secret.kind === "provider" ? issuerPrefix.exec(file.text.slice(secret.start, secret.start + 12)) : null
  return prefix === null ? ` (${length})` : ` (\`${prefix[0].slice(0, 4)}…\`, ${length})`
}

const messageOf = (secret: Secret, file: SourceFile): string => {
  if (secret.rule === "private-key")
    return `${capital(secret.noun)} is part of this file, and so of every clone of the repository.`
  if (isConnection(secret)) return `${capital(secret.noun)} is hard-coded here${sizeOf(secret, file)}.`
  if (secret.label !== null)
    return `\`${secret.label.slice(0, 80)}\` is assigned ${secret.noun} as a literal${sizeOf(secret, file)}.`
  return `This looks like ${secret.noun}${sizeOf(secret, file)}, committed with the code.`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const titleOf = (secret: Secret): string => `Hard-coded credential: ${secret.noun.replace(/^an? /, "")}`

/** What a sample in a comment has, and code that is switched off has not. */
const sampleWords =
  /["']?\.{3}["']?,?\s*$|\be\.g\.|\bexamples?\b|\bsamples?\b|\bfor instance\b|\blooks? like\b|\bresponse\b|\bpayload\b|\bformat\b/im
const MAX_SAMPLE_LINES = 20
const commentLine = /^\s*(?:\/\/|\/\*|\*|#|--)/

/** The lines of the comment around a line, as far as a sample reaches. */
const commentAround = (file: SourceFile, line: number): string => {
  let first = line
  while (first > 1 && line - first < MAX_SAMPLE_LINES && commentLine.test(file.lineText(first - 1))) first--
  let last = line
  while (last - line < MAX_SAMPLE_LINES && commentLine.test(file.lineText(last + 1))) last++
  return Array.from({ length: last - first + 1 }, (_, i) => file.lineText(first + i)).join("\n")
}

/** Part of a comment that shows what a request, an answer or a setting looks like. */
const isDocumented = (secret: Secret, file: SourceFile): boolean => {
  const tree = file.tree
  if (tree === null || secret.rule === "private-key") return false
  if (!tree.isComment(tree.covering(secret.start, secret.end))) return false
  return sampleWords.test(commentAround(file, file.line(secret.start)))
}

/** What a name calls an example in so many words is shown to readers: `example_key = "…"` in a manual page. */
const exampleName = /(?:^|[_.-])(?:example|sample|dummy|placeholder)(?=[A-Z_.-]|$)/

const isExample = (secret: Secret, file: SourceFile): boolean =>
  !isSource(file) ||
  exampleName.test(targetOf(secret, file)) ||
  trialPath.test(file.path) ||
  isDocumented(secret, file) ||
  exampleLine.test(file.lineText(file.line(secret.start)))

const matchOf = (secret: Secret, file: SourceFile, redact: Match<RuleId>["redact"] & {}): Match<RuleId> => ({
  rule: ruleFor(secret, file),
  start: secret.start,
  end: secret.end,
  title: titleOf(secret),
  message: messageOf(secret, file),
  redact,
  identifiers: secret.label === null ? [] : [secret.label]
})

/** Reported at the first line; the engine redacts the name itself in all output. */
const nameMatch = (secret: Secret, file: SourceFile): Match<RuleId> => ({
  rule: "provider_token",
  start: 0,
  end: file.lineText(1).length,
  title: `${capital(secret.noun.replace(/^an? /, ""))} in the name of a file`,
  message: `The path of this file contains what looks like ${secret.noun}.`
})

/** Scripts and settings that make certificates: what they make is for tests and trials. */
const generator =
  /(?:^|[/_-])(?:(?:gen(?:erate)?|make|mk|create|regen(?:erate)?|renew|build)(?:[_.-]?(?:all|test|self[_-]?signed))?(?:[_.-]?(?:certs?|certificates?|keys?|ca|pki|ssl|tls))?\.(?:sh|bash|py|rb|ps1|bat|cmd)|openssl[\w.-]*\.(?:cnf|conf)|[\w-]*(?:certs?|ca|csr|req)\.cnf)$/i

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/** A key beside what made it: deployments make another one. */
const isGenerated = (path: string, { files, unread }: Project): boolean => {
  const folder = folderOf(path)
  const isNear = (other: string): boolean => folderOf(other) === folder && generator.test(other)
  return folder !== "" && (files.some((file) => isNear(file.path)) || unread.some(isNear))
}

export default auditTool<ReadonlyArray<Match<RuleId>>, RuleId>({
  id: "secret_detection",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P0",
  version: 4,
  redacts: true,
  rules,
  // Whatever role the repository gives a file: it must not hide credentials that way.
  appliesTo: ({ path }) => !listings.test(path),
  inspect: (file, emit) => {
    const unquoted = settings.has(file.language) || settingsFile.test(file.path)
    const found = unquoted ? scanSecrets(file.text, { unquoted }) : credentialsIn(file)
    const secrets = found.filter((secret) => isReported(secret, file))
    const redact = secrets.map(({ start, end }) => [start, end] as const)
    const matches = secrets.slice(0, MAX_MATCHES).map((secret) => matchOf(secret, file, redact))
    for (const match of matches) if (match.rule !== "private_key") emit(match)
    for (const secret of secretsInPath(file.path).slice(0, 1)) emit(nameMatch(secret, file))
    // Whether a key is one for tests, the files around it show.
    const keys = matches.filter(({ rule }) => rule === "private_key")
    return keys.length === 0 ? undefined : keys
  },
  finish: (summaries, project, emit) => {
    for (const { path, facts } of summaries) {
      if (!isGenerated(path, project)) for (const match of facts) emit(path, match)
    }
  }
})
