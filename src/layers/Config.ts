import { resolve } from "node:path"
import { Config, ConfigError, Either, LogLevel, Redacted } from "effect"
import { parseRange } from "../services/access/Cidr.ts"

/** One environment variable: what the README's table says and how it is read. */
interface Setting<A> {
  readonly variable: string
  readonly fallback: string
  readonly description: string
  readonly config: Config.Config<A>
}

const setting = <A>(
  variable: string,
  fallback: string,
  description: string,
  config: (name: string) => Config.Config<A>
): Setting<A> => ({ variable, fallback, description, config: config(variable) })

const invalid = (name: string, message: string) => Either.left(ConfigError.InvalidData([name], message))

const port = (fallback: number) => (name: string) =>
  Config.integer(name).pipe(
    Config.withDefault(fallback),
    Config.mapOrFail((n) => (n >= 0 && n <= 65_535 ? Either.right(n) : invalid(name, "must be a port, 0 to 65535")))
  )

const list = (separator: string) => (name: string) =>
  Config.string(name).pipe(
    Config.withDefault(""),
    Config.map((text) =>
      text
        .split(separator)
        .map((item) => item.trim())
        .filter((item) => item !== "")
    )
  )

const atLeast = (fallback: number, min: number) => (name: string) =>
  Config.number(name).pipe(
    Config.withDefault(fallback),
    Config.mapOrFail((n) => (n >= min ? Either.right(n) : invalid(name, `must be at least ${min}`)))
  )

const optional = (name: string): Config.Config<string | null> =>
  Config.map(Config.withDefault(Config.string(name), ""), (text) => (text === "" ? null : text))

const optionalSecret = (name: string): Config.Config<Redacted.Redacted | null> =>
  Config.withDefault(Config.redacted(name), null)

const isMailServer = (url: string) =>
  URL.canParse(url) && /^smtps?:$/.test(new URL(url).protocol) && new URL(url).hostname !== ""

/** Every variable the product reads. */
export const settings = {
  dataDir: setting("ASSAY_DATA_DIR", "`./.assay`", "Folder of the embedded database and the mirrors.", (name) =>
    Config.map(Config.withDefault(Config.string(name), ".assay"), (path) => resolve(path))
  ),
  databaseUrl: setting(
    "DATABASE_URL",
    "embedded",
    "URL (`postgres://…`) of a PostgreSQL 15 or newer to use instead of the embedded one.",
    optionalSecret
  ),
  host: setting("ASSAY_HOST", "`127.0.0.1`", "Address that the API and the docs site listen on.", (name) =>
    Config.withDefault(Config.nonEmptyString(name), "127.0.0.1")
  ),
  port: setting("ASSAY_PORT", "`4000`", "Port of the API, MCP and web app; 0 takes any free one.", port(4000)),
  docsPort: setting("ASSAY_DOCS_PORT", "`4001`", "Port of the docs site.", port(4001)),
  adminHost: setting("ASSAY_ADMIN_ADDR", "`127.0.0.1`", "Address of health and metrics, which need no key.", (name) =>
    Config.withDefault(Config.nonEmptyString(name), "127.0.0.1")
  ),
  adminPort: setting("ASSAY_ADMIN_PORT", "`4002`", "Port of health and metrics.", port(4002)),
  publicUrl: setting(
    "ASSAY_PUBLIC_URL",
    "the API's address",
    "URL of the web app for its users; with `https://` the session cookie is marked Secure.",
    (name) =>
      Config.mapOrFail(optional(name), (url) =>
        url === null || /^https?:\/\/[^/]/.test(url)
          ? Either.right(url?.replace(/\/+$/, "") ?? null)
          : invalid(name, "must start with http:// or https://")
      )
  ),
  allowedHosts: setting(
    "ASSAY_ALLOWED_HOSTS",
    "none",
    "Further host names (comma-separated, without port) under which the API may be called.",
    (name) =>
      Config.mapOrFail(list(",")(name), (hosts) =>
        hosts.every((host) => /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i.test(host))
          ? Either.right(hosts)
          : invalid(name, "must be host names without port, comma-separated")
      )
  ),
  trustedProxies: setting(
    "ASSAY_TRUSTED_PROXIES",
    "none",
    "Networks (CIDR, comma-separated) whose `X-Forwarded-For` is trusted.",
    (name) =>
      Config.mapOrFail(list(",")(name), (ranges) =>
        ranges.every((range) => parseRange(range) !== null)
          ? Either.right(ranges)
          : invalid(name, "must be addresses or CIDR ranges, comma-separated")
      )
  ),
  localRepoRoots: setting(
    "ASSAY_LOCAL_REPO_ROOTS",
    "the working folder",
    "Folders (colon-separated) under which repositories may be registered by path.",
    (name) =>
      Config.map(list(":")(name), (roots) =>
        roots.length === 0 ? [process.cwd()] : roots.map((root) => resolve(root))
      )
  ),
  allowPrivateNetwork: setting(
    "ASSAY_ALLOW_PRIVATE_NETWORK",
    "`false`",
    "Lets git reach private, loopback and link-local addresses.",
    (name) => Config.withDefault(Config.boolean(name), false)
  ),
  bootstrapEmail: setting(
    "ASSAY_BOOTSTRAP_EMAIL",
    "none",
    "With `ASSAY_BOOTSTRAP_PASSWORD`: the first owner's account on an empty database.",
    optional
  ),
  bootstrapPassword: setting(
    "ASSAY_BOOTSTRAP_PASSWORD",
    "none",
    "The first owner's password, 12 characters or more.",
    optionalSecret
  ),
  smtpUrl: setting(
    "ASSAY_SMTP_URL",
    "none",
    "`smtp://user:password@host:587` or `smtps://…` of a mail server; without one e-mails stay in the outbox.",
    (name) =>
      Config.mapOrFail(optionalSecret(name), (url) =>
        url === null || isMailServer(Redacted.value(url))
          ? Either.right(url)
          : invalid(name, "must be smtp://host:port or smtps://host:port, with user:password@ if needed")
      )
  ),
  mailFrom: setting(
    "ASSAY_MAIL_FROM",
    "none",
    "Sender of e-mails, `Assay <assay@example.org>`; needed with `ASSAY_SMTP_URL`.",
    (name) =>
      Config.mapOrFail(optional(name), (from) =>
        from === null || /^([^<>@\r\n]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/.test(from)
          ? Either.right(from)
          : invalid(name, "must be an e-mail address, or a name and <address>")
      )
  ),
  jobSlots: setting("ASSAY_JOB_SLOTS", "`2`", "Jobs one worker runs at once.", atLeast(2, 1)),
  workerAddress: setting(
    "ASSAY_WORKER_ADDRESS",
    "none",
    "`host:port` under which other workers reach this one; needed by `--role worker`.",
    optional
  ),
  scanMemoryMb: setting("ASSAY_SCAN_MEMORY_MB", "`1024`", "Memory cap of one scanning process.", atLeast(1024, 256)),
  scanTimeoutSeconds: setting("ASSAY_SCAN_TIMEOUT_S", "`600`", "Time cap of one scanning process.", atLeast(600, 1)),
  cpuSecondUsd: setting(
    "ASSAY_CPU_SECOND_USD",
    "`0.00005`",
    "Price of one CPU second of a job, for the cost of jobs.",
    atLeast(0.00005, 0)
  ),
  logLevel: setting("ASSAY_LOG_LEVEL", "`info`", "`trace`, `debug`, `info`, `warn`, `error` or `off`.", (name) =>
    Config.withDefault(Config.logLevel(name), LogLevel.Info)
  )
} as const

type Settings = typeof settings

export type AppConfig = {
  readonly [K in keyof Settings]: Settings[K] extends Setting<infer A> ? A : never
}

/** All settings at once; a bad value fails with its variable's name. */
export const AppConfig: Config.Config<AppConfig> = Config.all(
  Object.fromEntries(Object.entries(settings).map(([name, { config }]) => [name, config]))
  // The record's type is known from `settings`; `fromEntries` forgets it.
) as unknown as Config.Config<AppConfig>
