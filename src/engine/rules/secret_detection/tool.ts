import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Hit, type Rule } from "../../core/tool/AuditTool.ts"
import { isString } from "../../languages/syntax/strings.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { credentialsIn } from "../../secrets/credentialsIn.ts"
import { type Secret, scanSecrets } from "../../secrets/scanSecrets.ts"
import { secretsInName } from "../../secrets/secretNames.ts"

/** Languages whose settings stand without quotes, one to a line. */
const settings: ReadonlySet<Language> = new Set<Language>(["yaml", "shell", "dockerfile", "text", "make"])
const settingsFile =
  /(?:^|\/)(?:\.env(?:\.[\w-]+)?|[\w.-]+\.(?:env|properties|ini|cfg|conf|cnf|config|envrc|sh|ya?ml|toml)|\.(?:npmrc|yarnrc|netrc|pgpass|pypirc|envrc|git-credentials)|credentials|[\w.-]*dockerfile[\w.-]*)$/i
const environmentFile = /(?:^|\/)\.env(?:\.[\w-]+)?$|\.env$/i
const templateFile =
  /(?:^|[/._-])(?:examples?|samples?|templates?|demo)(?:[._\d-]|$)|(?:dist|defaults?|\.tpl|\.tmpl|\.j2|\.erb)$/i
/** Texts for people: the word for "password", with a value in their language. */
const translations =
  /(?:^|\/)(?:locales?|i18n|l10n|lang(?:uages?)?|translations?|messages)(?:\/|[._-][\w-]*\.\w+$)|\.(?:po|pot|arb|resx|strings)$/i
/** Lists of hashes and positions that are long and random by trade. */
const listings =
  /(?:^|\/)(?:[\w.-]*lock\.(?:json|ya?ml)|[\w.-]+\.lock|go\.sum|[\w.-]+\.(?:map|svg|snap|sum|md5|sha\d+|asc|crt|cer|csv|tsv|ipynb|patch|diff))$/i

const MAX_HITS = 40

const common: Pick<Rule, "effort" | "risk"> = { effort: "small", risk: "medium" }
const revoke =
  "Revoke or rotate it at its issuer first: it stays in the history and in every clone. Then read the new one from the " +
  "environment or a secret store at run time."

const isConnection = ({ rule }: Secret): boolean => rule === "url-password" || rule === "connection-string-password"

const ruleFor = (secret: Secret, file: SourceFile): string => {
  if (secret.rule === "private-key") return "private_key"
  if (isConnection(secret)) return "url_password"
  if (secret.rule === "json-web-token") return "json_web_token"
  if (secret.kind === "provider") return "provider_token"
  return environmentFile.test(file.path) ? "environment_file_secret" : "hardcoded_secret"
}

const isSource = (file: SourceFile): boolean => file.role === "source"

/** A name with a value is a credential in code; in a comment, a manual text or an example of an API it explains one. */
const isExplanation = (secret: Secret, file: SourceFile): boolean => {
  const tree = file.tree
  if (tree === null) return /^\s*(?:[*#;]|\/\/(?!\S+:_)|--|<!--)/.test(file.lineText(file.line(secret.start)))
  const at = tree.covering(secret.start, secret.end)
  for (let node = at; node !== NONE; node = tree.parent(node)) {
    if (tree.isComment(node)) return true
    if (!isString(file, node)) continue
    // A label stands outside of its value's string, unless both are part of a larger text; a URL is all of its string.
    const before = file.text.slice(tree.start(node), secret.start)
    if (isConnection(secret) ? /\n|:\s|[a-z] [a-z]+ [a-z]/.test(before) : before.length > 4) return true
  }
  return /(?:^|[.(])(?:x-)?examples?(?:[.)]|$)/i.test(file.symbolAt(secret.start) ?? "")
}

/** Environments and certificates that are there to be tried out. */
const trialPath = /(?:^|[/._-])(?:tests?|testing|dummy|snakeoil|self-?signed|localhost|fixtures?|mock)(?:[/._-]|$)/i

const exampleLine = /\be\.g\.|\bexamples?\b|\bplaceholder\b|\bsample\b/i

/** What is worth telling in a file of this role: an issuer's key anywhere, a mere name only in the product itself. */
const isTold = (secret: Secret, file: SourceFile): boolean => {
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
  if (isConnection(secret)) return `${capital(secret.noun)} is written out here${sizeOf(secret, file)}.`
  if (secret.label !== null)
    return `\`${secret.label.slice(0, 80)}\` is given ${secret.noun} as a literal${sizeOf(secret, file)}.`
  return `This looks like ${secret.noun}${sizeOf(secret, file)}, committed with the code.`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const titleOf = (secret: Secret): string => {
  const noun = secret.noun.replace(/^an? /, "")
  return secret.kind === "provider" ? `${capital(noun)} in the repository` : `Hard-coded ${noun}`
}

const hitOf = (secret: Secret, file: SourceFile, redact: Hit["redact"] & {}): Hit => {
  const hit: Hit = {
    rule: ruleFor(secret, file),
    start: secret.start,
    end: secret.end,
    title: titleOf(secret),
    message: messageOf(secret, file),
    confidence: secret.confidence,
    redact,
    identifiers: secret.label === null ? [] : [secret.label]
  }
  const isExample = trialPath.test(file.path) || exampleLine.test(file.lineText(file.line(secret.start)))
  // Keys in tests and samples are mostly made up to look right; the ones that are not still open the same door.
  return isSource(file) && !isExample ? hit : { ...hit, priority: "P2", confidence: Math.min(secret.confidence, 0.65) }
}

/** Told at the first line; the engine hides the name itself in everything it says. */
const nameHit = (secret: Secret, file: SourceFile): Hit => ({
  rule: "provider_token",
  start: 0,
  end: file.lineText(1).length,
  title: `${capital(secret.noun.replace(/^an? /, ""))} in the name of a file`,
  message: `The path of this file holds what looks like ${secret.noun}.`,
  confidence: secret.confidence
})

export default auditTool({
  id: "secret_detection",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P0",
  version: 1,
  rules: [
    {
      id: "provider_token",
      languages: ["go", "java", "javascript", "python", "text"],
      title: "Credential of a service in the repository",
      description:
        "The value has the exact shape that a provider gives its keys, so whoever can read the repository, now or in " +
        `ten years, can act as you there. ${revoke}`,
      cwe: [798],
      confidence: 0.95,
      inTests: "report",
      ...common
    },
    {
      id: "private_key",
      languages: ["json", "text"],
      title: "Private key in the repository",
      description:
        "Whoever holds a private key can sign, decrypt or log in as its owner, and nobody can tell the difference. " +
        "Make a new pair, replace the public half wherever it is trusted, revoke certificates issued for the old one, " +
        "and keep the new key outside of the repository.",
      cwe: [321, 798],
      confidence: 0.95,
      ...common
    },
    {
      id: "url_password",
      languages: ["javascript", "python"],
      title: "Password inside a connection URL",
      description:
        "A connection string with user and password opens the database or service to every reader of the code, and " +
        `such strings are copied into logs and error reports as they are. ${revoke}`,
      cwe: [798],
      confidence: 0.85,
      ...common
    },
    {
      id: "environment_file_secret",
      languages: ["text"],
      title: "Environment file with a real secret is committed",
      description:
        "An environment file exists so that secrets stay out of the repository; this one is in it, with values. " +
        "Rotate what it holds, remove it from the index, ignore it, and commit an example with empty values instead.",
      cwe: [798, 540],
      confidence: 0.8,
      priority: "P1",
      ...common
    },
    {
      id: "hardcoded_secret",
      languages: ["go", "java", "javascript", "python", "text", "xml", "yaml"],
      title: "Hard-coded credential",
      description:
        "A password or key written in the code is known to everyone who can read it, is the same in every " +
        `installation, and cannot be changed without a release. ${revoke}`,
      cwe: [798, 259],
      confidence: 0.75,
      priority: "P1",
      ...common
    },
    {
      id: "json_web_token",
      languages: ["text"],
      title: "JSON Web Token in the repository",
      description:
        "A signed token is a credential until it expires, and some never do. If it was issued by a real system, end " +
        "its session or rotate the signing key; obtain tokens at run time instead of keeping one.",
      cwe: [798],
      confidence: 0.6,
      priority: "P2",
      ...common
    }
  ],
  appliesTo: ({ path, role }) => role !== "vendored" && !listings.test(path),
  inspect: (file, emit) => {
    const unquoted = settings.has(file.language) || settingsFile.test(file.path)
    const found = unquoted ? scanSecrets(file.text, { unquoted }) : credentialsIn(file)
    const secrets = found.filter((secret) => isTold(secret, file))
    const redact = secrets.map(({ start, end }) => [start, end] as const)
    for (const secret of secrets.slice(0, MAX_HITS)) emit(hitOf(secret, file, redact))
    for (const secret of secretsInName(file.path).slice(0, 1)) emit(nameHit(secret, file))
  }
})
