import { resolve } from "node:path"
import { Config, Either, LogLevel } from "effect"
import { minPasswordLength, type Role } from "../schema/Session.ts"
import { parseRange } from "../services/access/Cidr.ts"
import { mirrorOf } from "./advisories/mirror.ts"
import { githubPairs, githubSettings } from "./github/githubSettings.ts"
import { jobSettings } from "./jobSettings.ts"
import { telemetrySettings } from "./otlp/telemetrySettings.ts"
import { secretKeyOf } from "./SecretKeyFile.ts"
import {
  address,
  amount,
  days,
  domain,
  eitherCase,
  everyItem,
  host,
  invalid,
  isDatabase,
  isMailServer,
  issuer,
  levels,
  listOf,
  matching,
  parsed,
  port,
  proxySetting,
  raw,
  type Setting,
  secret,
  sender,
  setting,
  siteOf,
  switches,
  wholeNumber
} from "./settingReaders.ts"

/** An owner is made by another owner. */
const newcomerRoles: ReadonlyArray<Role> = ["admin", "member", "viewer"]

/** Variables of `assay api`, which talks to a server and has no settings of one. */
export const clientVariables: ReadonlyArray<string> = ["ASSAY_URL", "ASSAY_API_KEY"]

/** Every variable the product reads. */
export const settings = {
  dataDir: setting("ASSAY_DATA_DIR", "`./.assay`", "Folder of the embedded database and the mirrors.", (name) =>
    Config.map(raw(name), (path) => resolve(path ?? ".assay"))
  ),
  databaseUrl: setting(
    "DATABASE_URL",
    "embedded",
    "URL (`postgres://…`) of a PostgreSQL 15 or newer to use instead of the embedded one.",
    (name) => secret(name, isDatabase, "postgres://user:password@host:port/name")
  ),
  secretKey: setting(
    "ASSAY_SECRET_KEY",
    "a file in the data folder",
    "Key of 32 bytes (base64 or hexadecimal) under which stored credentials are sealed; see [Private repositories](docs/private-repositories.md).",
    (name) => secret(name, (text) => secretKeyOf(text) !== undefined, "32 bytes in base64 or hexadecimal")
  ),
  host: setting("ASSAY_HOST", "`127.0.0.1`", "Address that the API and the docs site listen on.", host("127.0.0.1")),
  port: setting("ASSAY_PORT", "`4000`", "Port of the API, MCP and web app; 0 takes any free one.", port(4000)),
  docsPort: setting("ASSAY_DOCS_PORT", "`4001`", "Port of the docs site.", port(4001)),
  adminHost: setting(
    "ASSAY_ADMIN_ADDR",
    "`127.0.0.1`",
    "Address of health and metrics, which need no key.",
    host("127.0.0.1")
  ),
  adminPort: setting("ASSAY_ADMIN_PORT", "`4002`", "Port of health and metrics.", port(4002)),
  publicUrl: setting(
    "ASSAY_PUBLIC_URL",
    "the API's address",
    "URL of the web app for its users; with `https://` the session cookie is marked Secure.",
    parsed(null, siteOf, "the site's http:// or https:// address, without a query or a user")
  ),
  allowedHosts: setting(
    "ASSAY_ALLOWED_HOSTS",
    "none",
    "Further host names (comma-separated, without port) under which the API may be called.",
    everyItem((host) => /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i.test(host), "host names without port, comma-separated")
  ),
  trustedProxies: setting(
    "ASSAY_TRUSTED_PROXIES",
    "none",
    "Networks (CIDR, comma-separated) whose `X-Forwarded-For` is trusted.",
    everyItem((range) => parseRange(range) !== null, "addresses or CIDR ranges, comma-separated")
  ),
  localRepoRoots: setting(
    "ASSAY_LOCAL_REPO_ROOTS",
    "the working folder",
    "Folders (colon-separated) under which repositories may be registered by path.",
    (name) =>
      Config.map(raw(name), (text) =>
        text === null ? [process.cwd()] : listOf(text, ":").map((root) => resolve(root))
      )
  ),
  allowPrivateNetwork: setting(
    "ASSAY_ALLOW_PRIVATE_NETWORK",
    "`false`",
    "Lets git reach private, loopback and link-local addresses.",
    parsed(false, (text) => switches[text.toLowerCase()], "true or false")
  ),
  advisoriesUrl: setting(
    "ASSAY_ADVISORIES_URL",
    "none",
    "Mirror of OSV dumps (`https://…`, `file:///…`; `<ecosystem>/all.zip` below it); see [Advisories](docs/operations.md#advisories).",
    parsed(null, mirrorOf, "the mirror's https:// or file:/// address, without a query or a user")
  ),
  advisoriesEveryHours: setting(
    "ASSAY_ADVISORIES_EVERY_H",
    "off",
    "How often, in hours, the service brings the advisories up to date from `ASSAY_ADVISORIES_URL`.",
    parsed<null, number>(
      null,
      (text) => (/^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined),
      "a whole number of hours, 1 or more"
    )
  ),
  extraAuthorities: setting(
    "ASSAY_EXTRA_CA",
    "none",
    "PEM file with further certificate authorities that git and all calls to other hosts trust.",
    (name) => Config.map(raw(name), (path) => (path === null ? null : resolve(path)))
  ),
  ...githubSettings,
  httpsProxy: proxySetting(
    "HTTPS_PROXY",
    "Proxy (`http://user:password@host:port`) for calls over https, also of git."
  ),
  httpProxy: proxySetting("HTTP_PROXY", "Proxy for calls over plain http."),
  proxyExceptions: setting(
    "NO_PROXY",
    "none",
    "Hosts, domains, addresses and ranges (comma-separated) that are reached without a proxy.",
    (name) => Config.map(eitherCase(name), (text) => (text ?? "").split(/[\s,]+/).filter((item) => item !== ""))
  ),
  bootstrapEmail: setting(
    "ASSAY_BOOTSTRAP_EMAIL",
    "none",
    "With `ASSAY_BOOTSTRAP_PASSWORD`: the first owner's account on an empty database.",
    parsed(null, matching(address), "an e-mail address")
  ),
  bootstrapPassword: setting(
    "ASSAY_BOOTSTRAP_PASSWORD",
    "none",
    `The first owner's password, ${minPasswordLength} characters or more.`,
    (name) => secret(name, (text) => [...text].length >= minPasswordLength, `${minPasswordLength} characters or more`)
  ),
  oidcIssuer: setting(
    "ASSAY_OIDC_ISSUER",
    "none",
    "Issuer URL of an OpenID Connect provider that people may sign in by; see [Single sign-on](docs/single-sign-on.md).",
    parsed(null, issuer, "an https:// address without a query (http:// only on this machine)")
  ),
  oidcClientId: setting(
    "ASSAY_OIDC_CLIENT_ID",
    "none",
    "Client ID that the provider has given to this installation.",
    parsed(null, matching(/^[\x21-\x7e]+$/), "an ID without spaces")
  ),
  oidcClientSecret: setting("ASSAY_OIDC_CLIENT_SECRET", "none", "Client secret that belongs to it.", (name) =>
    secret(name, (text) => text !== "", "a secret")
  ),
  oidcName: setting(
    "ASSAY_OIDC_NAME",
    "`SSO`",
    "What the sign-in page calls the provider.",
    parsed("SSO", matching(/^[^\p{C}]{1,60}$/u), "a name of at most 60 characters")
  ),
  oidcAllowedDomains: setting(
    "ASSAY_OIDC_ALLOWED_DOMAINS",
    "none",
    "Domains (comma-separated) of the e-mail addresses that may sign in by the provider, newcomers too; without any only members may.",
    (name) =>
      Config.map(
        everyItem((item) => domain.test(item), "domains such as example.org, comma-separated")(name),
        (items) => items.map((item) => item.toLowerCase())
      )
  ),
  oidcRole: setting(
    "ASSAY_OIDC_ROLE",
    "`member`",
    "Role of newcomers: `viewer`, `member` or `admin`.",
    parsed<Role, Role>("member", (text) => newcomerRoles.find((role) => role === text), "viewer, member or admin")
  ),
  passwords: setting(
    "ASSAY_PASSWORDS",
    "`true`",
    "`false` switches passwords off once an owner has signed in by the provider.",
    parsed(true, (text) => switches[text.toLowerCase()], "true or false")
  ),
  smtpUrl: setting(
    "ASSAY_SMTP_URL",
    "none",
    "`smtp://user:password@host:587` or `smtps://…` of a mail server; without one e-mails stay in the outbox.",
    (name) => secret(name, isMailServer, "smtp://host:port or smtps://host:port, with user:password@ if needed")
  ),
  mailFrom: setting(
    "ASSAY_MAIL_FROM",
    "none",
    "Sender of e-mails, `Assay <assay@example.org>`; needed with `ASSAY_SMTP_URL`.",
    parsed(null, matching(sender), "an e-mail address, or a name and <address>")
  ),
  ...jobSettings,
  scanMemoryMb: setting(
    "ASSAY_SCAN_MEMORY_MB",
    "`1024`",
    "Memory cap of one scanning process.",
    wholeNumber(1024, 256)
  ),
  scanTimeoutSeconds: setting(
    "ASSAY_SCAN_TIMEOUT_S",
    "`600`",
    "Time cap of one scanning process.",
    wholeNumber(600, 1)
  ),
  cpuSecondUsd: setting(
    "ASSAY_CPU_SECOND_USD",
    "`0.00005`",
    "Price of one CPU second of a job, for the cost of jobs.",
    amount(0.00005)
  ),
  agentCommand: setting(
    "ASSAY_AGENT_COMMAND",
    "none",
    "Command line of a coding agent that may write fixes; see [Coding agents](docs/agent-runner.md).",
    raw
  ),
  agentEnvironment: setting(
    "ASSAY_AGENT_ENV",
    "none",
    "Names (comma-separated) of variables that the agent gets, such as that of its key; it gets no others.",
    everyItem(
      (name) => /^[a-z_]\w*$/i.test(name) && !/^(?:ASSAY_|DATABASE_URL$)/i.test(name),
      "names of variables, comma-separated, none of them Assay's own"
    )
  ),
  agentTimeoutSeconds: setting(
    "ASSAY_AGENT_TIMEOUT_S",
    "`600`",
    "Time cap of one run of the agent.",
    wholeNumber(600, 1)
  ),
  agentMemoryMb: setting(
    "ASSAY_AGENT_MEMORY_MB",
    "`2048`",
    "Memory cap of the agent and everything it starts.",
    wholeNumber(2048, 64)
  ),
  agentMaxUsd: setting("ASSAY_AGENT_MAX_USD", "`5`", "Most that one run of the agent may cost.", amount(5)),
  agentMaxProcesses: setting(
    "ASSAY_AGENT_MAX_PROCESSES",
    "`256`",
    "Most processes of the agent at a time.",
    wholeNumber(256, 8)
  ),
  allowCommands: setting(
    "ASSAY_ALLOW_COMMANDS",
    "`false`",
    "Lets fixes run a repository's own commands (build, test …) in a sandbox; see [Commands](docs/repository-commands.md).",
    parsed(false, (text) => switches[text.toLowerCase()], "true or false")
  ),
  retentionEventsDays: setting(
    "ASSAY_RETENTION_EVENTS_DAYS",
    "`180`",
    "Days that a job's events are kept after its end, or `keep`; see [Retention](docs/operations.md#retention).",
    days(180, 1)
  ),
  retentionArtifactsDays: setting(
    "ASSAY_RETENTION_ARTIFACTS_DAYS",
    "`180`",
    "Days that a job's artifacts are kept after its end, or `keep`.",
    days(180, 1)
  ),
  retentionOutboxDays: setting(
    "ASSAY_RETENTION_OUTBOX_DAYS",
    "`90`",
    "Days that e-mails are kept which were sent or given up, or `keep`.",
    days(90, 1)
  ),
  retentionAuditLogDays: setting(
    "ASSAY_RETENTION_AUDIT_LOG_DAYS",
    "`keep`",
    "Days that records of the audit log are kept, at least 31; without it they are never deleted.",
    days(null, 31)
  ),
  idempotencyHours: setting(
    "ASSAY_IDEMPOTENCY_H",
    "`24`",
    "Hours that an `Idempotency-Key` is remembered, at least 24.",
    wholeNumber(24, 24)
  ),
  ...telemetrySettings,
  logLevel: setting(
    "ASSAY_LOG_LEVEL",
    "`info`",
    "`trace`, `debug`, `info`, `warn`, `error` or `off`.",
    parsed(LogLevel.Info, (text) => levels[text.toLowerCase()], "trace, debug, info, warn, error or off")
  )
} as const

type Settings = typeof settings

export type AppConfig = {
  readonly [K in keyof Settings]: Settings[K] extends Setting<infer A> ? A : never
}

/** Settings that have an effect only together with another one, and why. */
const pairs: ReadonlyArray<readonly [string, string, string]> = [
  ...githubPairs,
  ["ASSAY_BOOTSTRAP_EMAIL", "ASSAY_BOOTSTRAP_PASSWORD", "without it the first owner could not sign in"],
  ["ASSAY_BOOTSTRAP_PASSWORD", "ASSAY_BOOTSTRAP_EMAIL", "it says whose password this is"],
  ["ASSAY_OIDC_ISSUER", "ASSAY_OIDC_CLIENT_ID", "the provider must know who asks"],
  ["ASSAY_OIDC_ISSUER", "ASSAY_OIDC_CLIENT_SECRET", "the provider must know who asks"],
  ["ASSAY_OIDC_CLIENT_ID", "ASSAY_OIDC_ISSUER", "it says whose client this is"],
  ["ASSAY_OIDC_CLIENT_SECRET", "ASSAY_OIDC_ISSUER", "it says whose client this is"],
  ["ASSAY_OIDC_NAME", "ASSAY_OIDC_ISSUER", "it says whose name this is"],
  ["ASSAY_OIDC_ALLOWED_DOMAINS", "ASSAY_OIDC_ISSUER", "without a provider there is no sign-in to allow"],
  ["ASSAY_OIDC_ROLE", "ASSAY_OIDC_ISSUER", "without a provider there are no newcomers"],
  ["ASSAY_ADVISORIES_EVERY_H", "ASSAY_ADVISORIES_URL", "it says where the advisories come from"],
  ["ASSAY_SMTP_URL", "ASSAY_MAIL_FROM", "e-mails need a sender"],
  ["ASSAY_MAIL_FROM", "ASSAY_SMTP_URL", "without a mail server nothing is sent"]
]

const missingPartner = ([name, partner, reason]: (typeof pairs)[number]) =>
  Config.mapOrFail(Config.all([raw(name), raw(partner)]), ([text, other]) =>
    text !== null && other === null ? invalid(name, `needs ${partner}, too: ${reason}`) : Either.void
  )

/** Ports that would be taken by our own server already; 0 is any free one. */
const samePort = (first: Setting<number>, second: Setting<number>, address: Config.Config<readonly string[]>) =>
  Config.mapOrFail(Config.all([first.config, second.config, address]), ([one, other, [host, otherHost]]) =>
    one !== 0 && one === other && (host === otherHost || [host, otherHost].some(isAnyAddress))
      ? invalid(second.variable, `is ${other}, the port of ${first.variable}; choose another one`)
      : Either.void
  )

/** Without passwords people need another way in. */
const withoutAnyWayIn = Config.mapOrFail(
  Config.all([settings.passwords.config, raw(settings.oidcIssuer.variable)]),
  ([passwords, provider]) =>
    !passwords && provider === null
      ? invalid(settings.passwords.variable, "cannot be false without ASSAY_OIDC_ISSUER: no one could sign in")
      : Either.void
)

const isAnyAddress = (host: string | undefined) => host === "0.0.0.0" || host === "::"

const addresses = (...hosts: ReadonlyArray<Setting<string>>) => Config.all(hosts.map(({ config }) => config))

const combinations = Config.all([
  ...pairs.map(missingPartner),
  withoutAnyWayIn,
  samePort(settings.port, settings.docsPort, addresses(settings.host, settings.host)),
  samePort(settings.port, settings.adminPort, addresses(settings.host, settings.adminHost)),
  samePort(settings.docsPort, settings.adminPort, addresses(settings.host, settings.adminHost))
])

/** All settings and their combinations at once; each bad value is reported with its variable's name. */
export const AppConfig: Config.Config<AppConfig> = Config.map(
  Config.zip(
    Config.all(
      Object.fromEntries(Object.entries(settings).map(([name, { config }]) => [name, config]))
      // The record's type is known from `settings`; `fromEntries` forgets it.
    ) as unknown as Config.Config<AppConfig>,
    combinations
  ),
  ([config]) => config
)

const variables = Object.values(settings).map(({ variable }) => variable as string)

/** How many letters have to be changed, added or left out to make one word of the other. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1))
    row = next
  }
  return row[to.length]!
}

const mostTypos = 3

/** Variables of our prefix that are no setting, each with the setting that was probably meant. */
export const unknownVariables = (environment: Readonly<Record<string, string | undefined>>) =>
  Object.keys(environment)
    .filter((name) => name.startsWith("ASSAY_") && !variables.includes(name) && !clientVariables.includes(name))
    .sort()
    .map((name) => {
      const [nearest] = variables
        .map((variable) => ({ variable, edits: distance(name, variable) }))
        .sort((a, b) => a.edits - b.edits)
      return { name, nearest: nearest !== undefined && nearest.edits <= mostTypos ? nearest.variable : null }
    })
