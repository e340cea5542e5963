import { type Rule, ruleSet } from "../../core/tool/AuditTool.ts"

const common: Pick<Rule, "effort" | "risk"> = { effort: "small", risk: "medium" }
const revoke =
  "Revoke or rotate it at its issuer first, because it stays in the history and in every clone; then read the new one from " +
  "the environment or a secret store at run time."
const newKeyPair =
  "Generate a new pair, replace the public key wherever it is trusted, revoke certificates issued for the old one, and keep " +
  "the new key outside of the repository."

export const rules = ruleSet({
  provider_token: {
    languages: ["go", "java", "javascript", "python", "text"],
    title: "Hard-coded credential: token of a service",
    description:
      "Anyone who can read the repository, now or later, can use the service as its owner. The value has the exact format " +
      `of a provider's tokens. ${revoke}`,
    example: {
      path: "src/github.ts",
      bad: `export const github = new Octokit({ auth: "ghp_{{made-up alnum 36}}" })
`,
      good: `export const github = new Octokit({ auth: process.env.GITHUB_TOKEN })
`
    },
    cwe: [798],
    confidence: 0.85,
    inTests: "report",
    ...common
  },
  example_credential: {
    languages: ["javascript", "text"],
    title: "Hard-coded credential: in a test, an example or a sample",
    description:
      "If the credential is real, anyone who can read the repository can use it. It is part of a test, an example or a " +
      `sample, where most values are made up. If it is real: ${revoke} Otherwise use a value that is obviously made up.`,
    example: {
      path: "test/login.test.ts",
      bad: `const token = "ghp_{{made-up alnum 36}}"
`,
      good: `const token = "not-a-token"
`
    },
    cwe: [798],
    confidence: 0.55,
    inTests: "report",
    priority: "P2",
    ...common
  },
  private_key: {
    languages: ["json", "text"],
    title: "Private key in the repository",
    description:
      "Anyone who can read the repository can sign, decrypt or log in as the owner of the key. A private key is committed " +
      `without a passphrase. ${newKeyPair}`,
    example: {
      path: "certs/server.key",
      bad: `{{made-up pem RSA}}
`,
      good: `The key is mounted at run time from the secret store.
`
    },
    cwe: [321, 798],
    confidence: 0.95,
    ...common
  },
  encrypted_private_key: {
    languages: ["text"],
    title: "Encrypted private key in the repository",
    description:
      "Anyone who can read the repository can guess the passphrase offline, and then sign, decrypt or log in as the owner. " +
      `A private key is committed, protected by a passphrase only. ${newKeyPair}`,
    example: {
      path: "certs/server.key",
      bad: `{{made-up pem ENCRYPTED}}
`,
      good: `The key is mounted at run time from the secret store.
`
    },
    cwe: [321, 798],
    confidence: 0.6,
    ...common
  },
  url_password: {
    languages: ["javascript", "python"],
    title: "Hard-coded credential: password in a connection string",
    description:
      "Anyone who can read the code can open the database or service, and connection strings are copied into logs and error " +
      `reports. A connection string contains a user name and a password. ${revoke}`,
    example: {
      path: "src/database.ts",
      bad: `export const pool = new Pool({ connectionString: "postgres://shop:{{made-up alnum 14}}@db.shop-internal.net:5432/shop" })
`,
      good: `export const pool = new Pool({ connectionString: process.env.DATABASE_URL })
`
    },
    cwe: [798],
    confidence: 0.75,
    ...common
  },
  environment_file_secret: {
    languages: ["text"],
    title: "Environment file with a secret committed",
    description:
      "Anyone who can read the repository can use the secrets in this file. An environment file, which exists to keep " +
      "secrets out of the repository, is committed with values. Rotate the secrets, remove the file from the index, ignore " +
      "it, and commit an example with empty values instead.",
    example: {
      path: ".env",
      bad: `API_SECRET={{made-up alnum 32}}
`,
      good: `API_SECRET=
`
    },
    cwe: [798, 540],
    confidence: 0.72,
    priority: "P1",
    ...common
  },
  hardcoded_secret: {
    yieldsTo: ["container_configuration.hardcoded_credential"],
    languages: ["go", "java", "javascript", "make", "python", "text", "xml", "yaml"],
    title: "Hard-coded credential",
    description:
      "Anyone who can read the code can use the credential, which is the same in every installation. A random value is " +
      `assigned to a name that denotes a secret. ${revoke}`,
    example: {
      path: "src/client.ts",
      bad: `const jwtSecret = "{{made-up alnum 32}}"
`,
      good: `const jwtSecret = process.env.JWT_SECRET
`
    },
    cwe: [798],
    confidence: 0.85,
    priority: "P1",
    ...common
  },
  hardcoded_password: {
    yieldsTo: ["container_configuration.hardcoded_credential"],
    languages: ["go", "java", "javascript", "php", "python", "shell", "text", "xml", "yaml"],
    title: "Hard-coded password",
    description:
      "Anyone who can read the code knows the password, which is the same in every installation. A literal is assigned to a " +
      `name that denotes a password. ${revoke}`,
    example: {
      path: "src/database.ts",
      bad: `const dbPassword = "Winter-Gate!{{made-up digits 4}}"
`,
      good: `const dbPassword = process.env.DB_PASSWORD
`
    },
    cwe: [259, 798],
    confidence: 0.72,
    priority: "P1",
    ...common
  },
  json_web_token: {
    languages: ["text"],
    title: "Hard-coded credential: JSON Web Token (JWT)",
    description:
      "Anyone who can read the repository can use the token until it expires, and some never do. A signed token is " +
      "committed. If a real system issued it, end its session or rotate the signing key; obtain tokens at run time instead.",
    // A token in a text of this repository would be flagged by other scanners; secrets.test.ts builds one.
    example: null,
    cwe: [798],
    confidence: 0.6,
    priority: "P2",
    ...common
  }
})

export type RuleId = keyof typeof rules
