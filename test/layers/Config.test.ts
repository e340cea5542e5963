import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { explain } from "../../src/cli/failures.ts"
import { AppConfig, unknownVariables } from "../../src/layers/Config.ts"

const configured = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(AppConfig, ConfigProvider.fromMap(new Map(Object.entries(variables))))

const problems = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(configured(variables)), (error) => explain(error).split("\n").sort())

const client = { ASSAY_OIDC_CLIENT_ID: "assay", ASSAY_OIDC_CLIENT_SECRET: "secret" }
const provider = { ...client, ASSAY_OIDC_ISSUER: "https://login.example.org" }

const rejected: ReadonlyArray<readonly [Readonly<Record<string, string>>, ...ReadonlyArray<string>]> = [
  [{ ASSAY_BOOTSTRAP_EMAIL: "a@b.c", ASSAY_BOOTSTRAP_PASSWORD: "short" }, "ASSAY_BOOTSTRAP_PASSWORD must be 12 "],
  [
    { ASSAY_BOOTSTRAP_EMAIL: "a@b.c", ASSAY_BOOTSTRAP_PASSWORD: "😀😀😀😀😀😀" },
    "ASSAY_BOOTSTRAP_PASSWORD must be 12 "
  ],
  [{ ASSAY_BOOTSTRAP_EMAIL: "owner", ASSAY_BOOTSTRAP_PASSWORD: "x".repeat(12) }, "ASSAY_BOOTSTRAP_EMAIL must be "],
  [{ ASSAY_BOOTSTRAP_EMAIL: "a@b.c" }, "ASSAY_BOOTSTRAP_EMAIL needs ASSAY_BOOTSTRAP_PASSWORD"],
  [{ ASSAY_BOOTSTRAP_PASSWORD: "x".repeat(12) }, "ASSAY_BOOTSTRAP_PASSWORD needs ASSAY_BOOTSTRAP_EMAIL"],
  [{ ASSAY_SMTP_URL: "smtp://localhost" }, "ASSAY_SMTP_URL needs ASSAY_MAIL_FROM"],
  [{ ASSAY_MAIL_FROM: "a@b.c" }, "ASSAY_MAIL_FROM needs ASSAY_SMTP_URL"],
  [
    { ASSAY_OIDC_ISSUER: "https://login.example.org" },
    "ASSAY_OIDC_ISSUER needs ASSAY_OIDC_CLIENT_ID",
    "ASSAY_OIDC_ISSUER needs ASSAY_OIDC_CLIENT_SECRET"
  ],
  [{ ...client, ASSAY_OIDC_ISSUER: "http://login.example.org" }, "ASSAY_OIDC_ISSUER must be an https:// address"],
  [{ ...client, ASSAY_OIDC_ISSUER: "https://login.example.org/?a" }, "ASSAY_OIDC_ISSUER must be an https:// address"],
  [{ ...provider, ASSAY_OIDC_ROLE: "owner" }, "ASSAY_OIDC_ROLE must be viewer, member or admin"],
  [{ ...provider, ASSAY_OIDC_ALLOWED_DOMAINS: "a@example.org" }, "ASSAY_OIDC_ALLOWED_DOMAINS must be "],
  [{ ASSAY_PASSWORDS: "false" }, "ASSAY_PASSWORDS cannot be false without ASSAY_OIDC_ISSUER"],
  [{ ASSAY_SECRET_KEY: "short" }, "ASSAY_SECRET_KEY must be 32 bytes"],
  [{ ASSAY_SECRET_KEY: "f".repeat(62) }, "ASSAY_SECRET_KEY must be 32 bytes"],
  [{ HTTPS_PROXY: "socks5://u:p@proxy" }, "HTTPS_PROXY must be http://host:port"],
  [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL must be postgres://"],
  [{ DATABASE_URL: "postgres:///name" }, "DATABASE_URL must be postgres://"],
  [{ ASSAY_PORT: "70000" }, "ASSAY_PORT must be a port"],
  [{ ASSAY_PORT: "tcp://10.0.0.1:4000" }, "ASSAY_PORT must be a port"],
  [{ ASSAY_DOCS_PORT: "4000" }, "ASSAY_DOCS_PORT is 4000, the port of ASSAY_PORT"],
  [{ ASSAY_ADMIN_PORT: "4001", ASSAY_HOST: "0.0.0.0" }, "ASSAY_ADMIN_PORT is 4001, the port of ASSAY_DOCS_PORT"],
  [{ ASSAY_HOST: "localhost:4000" }, "ASSAY_HOST must be an address"],
  [{ ASSAY_ADMIN_ADDR: "http://localhost" }, "ASSAY_ADMIN_ADDR must be an address"],
  [{ ASSAY_PUBLIC_URL: "assay.example.org" }, "ASSAY_PUBLIC_URL must be "],
  [{ ASSAY_PUBLIC_URL: "https://assay.example.org/?a" }, "ASSAY_PUBLIC_URL must be "],
  [{ ASSAY_TRUSTED_PROXIES: "10.0.0.0/33" }, "ASSAY_TRUSTED_PROXIES must be "],
  [{ ASSAY_ALLOWED_HOSTS: "a.example:80" }, "ASSAY_ALLOWED_HOSTS must be "],
  [{ ASSAY_ALLOW_PRIVATE_NETWORK: "maybe" }, "ASSAY_ALLOW_PRIVATE_NETWORK must be true or false"],
  [{ ASSAY_JOB_SLOTS: "0" }, "ASSAY_JOB_SLOTS must be "],
  [{ ASSAY_JOB_SLOTS: "2.5" }, "ASSAY_JOB_SLOTS must be "],
  [{ ASSAY_WORKER_ADDRESS: "worker" }, "ASSAY_WORKER_ADDRESS must be "],
  [{ ASSAY_SCAN_MEMORY_MB: "8" }, "ASSAY_SCAN_MEMORY_MB must be "],
  [{ ASSAY_SCAN_TIMEOUT_S: "-1" }, "ASSAY_SCAN_TIMEOUT_S must be "],
  [{ ASSAY_RETENTION_EVENTS_DAYS: "0" }, "ASSAY_RETENTION_EVENTS_DAYS must be a whole number of days"],
  [
    { ASSAY_RETENTION_AUDIT_LOG_DAYS: "30" },
    "ASSAY_RETENTION_AUDIT_LOG_DAYS must be a whole number of days of at least 31"
  ],
  [{ ASSAY_IDEMPOTENCY_H: "1" }, "ASSAY_IDEMPOTENCY_H must be "],
  [{ ASSAY_CPU_SECOND_USD: "1e-5" }, "ASSAY_CPU_SECOND_USD must be "],
  [{ ASSAY_AGENT_ENV: "ANTHROPIC_API_KEY, DATABASE_URL" }, "ASSAY_AGENT_ENV must be "],
  [{ ASSAY_AGENT_ENV: "A=B" }, "ASSAY_AGENT_ENV must be "],
  [{ ASSAY_AGENT_MAX_USD: "-1" }, "ASSAY_AGENT_MAX_USD must be "],
  [{ ASSAY_AGENT_MAX_PROCESSES: "1" }, "ASSAY_AGENT_MAX_PROCESSES must be "],
  [{ ASSAY_ALLOW_COMMANDS: "perhaps" }, "ASSAY_ALLOW_COMMANDS must be true or false"],
  [{ ASSAY_LOG_LEVEL: "loud" }, "ASSAY_LOG_LEVEL must be "],
  // Everything at once, each line once.
  [
    { ASSAY_PORT: "x", ASSAY_LOG_LEVEL: "y", ASSAY_SMTP_URL: "smtp://localhost" },
    "ASSAY_LOG_LEVEL must be ",
    "ASSAY_PORT must be ",
    "ASSAY_SMTP_URL needs "
  ]
]

describe("the configuration", () => {
  it.effect("takes a provider with its issuer as it is written, also one on this machine without TLS", () =>
    Effect.gen(function* () {
      for (const issuer of ["https://login.example.org/app/", "http://127.0.0.1:8080", "http://localhost:8080/realm"]) {
        assert.strictEqual((yield* configured({ ...client, ASSAY_OIDC_ISSUER: issuer })).oidcIssuer, issuer)
      }
      const domains = yield* configured({ ...provider, ASSAY_OIDC_ALLOWED_DOMAINS: "Example.org, sub.example.org" })
      assert.deepStrictEqual(domains.oidcAllowedDomains, ["example.org", "sub.example.org"])
      assert.isFalse((yield* configured({ ...provider, ASSAY_PASSWORDS: "false" })).passwords)
    })
  )

  for (const [variables, ...expected] of rejected) {
    it.effect(`rejects ${JSON.stringify(variables)} by name`, () =>
      Effect.map(problems(variables), (lines) => {
        assert.strictEqual(lines.length, expected.length, lines.join("\n"))
        lines.forEach((line, i) => {
          assert.isTrue(line.startsWith(expected[i] ?? ""), line)
        })
      })
    )
  }

  it.effect("never repeats a secret", () =>
    Effect.map(
      problems({ DATABASE_URL: "mysql://u:s3cret@h/d", ASSAY_SMTP_URL: "http://u:s3cret@h", ASSAY_MAIL_FROM: "a@b.c" }),
      (lines) => {
        assert.strictEqual(lines.length, 2)
        assert.notInclude(lines.join(), "s3cret")
      }
    )
  )

  it.effect("accepts what is allowed, and takes an empty variable for one that is not set", () =>
    Effect.gen(function* () {
      const defaults = yield* configured({})
      const empty = yield* configured({ ASSAY_PORT: "", ASSAY_DATA_DIR: " ", DATABASE_URL: "", ASSAY_HOST: "" })
      assert.deepStrictEqual(empty, defaults)
      const free = yield* configured({ ASSAY_PORT: "0", ASSAY_DOCS_PORT: "0", ASSAY_HOST: "::1" })
      assert.deepStrictEqual([free.port, free.docsPort, free.host], [0, 0, "::1"])
      for (const url of ["postgres://u:p@h:5432/d", "postgresql://h/d", "postgres://u@localhost/d?host=/run/pg"])
        assert.isNotNull((yield* configured({ DATABASE_URL: url })).databaseUrl)
      const { workerAddress } = yield* configured({ ASSAY_WORKER_ADDRESS: "10.0.0.7:4100" })
      assert.deepStrictEqual(workerAddress, { host: "10.0.0.7", port: 4100 })
    })
  )

  it("finds the setting that a mistyped variable meant", () => {
    const environment = { ASSAY_PROT: "4", ASSAY_PORT: "4", ASSAY_SERVICE_HOST: "x", ASSAY_API_KEY: "k", HOME: "/" }
    assert.deepStrictEqual(unknownVariables(environment), [
      { name: "ASSAY_PROT", nearest: "ASSAY_PORT" },
      { name: "ASSAY_SERVICE_HOST", nearest: null }
    ])
  })
})
