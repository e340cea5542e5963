import { type Rule, ruleSet } from "../../core/tool/AuditTool.ts"

const common: Pick<Rule, "effort" | "risk"> = { effort: "small", risk: "medium" }
const revoke =
  "Revoke or rotate it at its issuer first: it stays in the history and in every clone. Then read the new one from the " +
  "environment or a secret store at run time."

export const rules = ruleSet({
  provider_token: {
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
  private_key: {
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
  url_password: {
    languages: ["javascript", "python"],
    title: "Password inside a connection URL",
    description:
      "A connection string with user and password opens the database or service to every reader of the code, and " +
      `such strings are copied into logs and error reports as they are. ${revoke}`,
    cwe: [798],
    confidence: 0.85,
    ...common
  },
  environment_file_secret: {
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
  hardcoded_secret: {
    yieldsTo: ["container_configuration.hardcoded_credential"],
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
  json_web_token: {
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
})

export type RuleId = keyof typeof rules
