import type { Secret } from "./Secret.ts"
import { isPlaceholder, looksChosen, looksRandom } from "./shape.ts"

/** Rule of a credential that its position marks. */
export const PLACED = "placed-password"

/** Credentials that no name but their position marks: arguments of command lines and of functions that log in. */
interface Position {
  /** Must occur in the text for the pattern to be tried. */
  readonly mentions: RegExp
  /** Group `user`, when there is one, and group `secret`. */
  readonly pattern: RegExp
  readonly noun: string
}

const CONNECTION = "a password in a connection string"
const REGISTRY = "a registry login"

const quoted = String.raw`(?<q>["'])(?<secret>[^"'\n\\]{4,80})\k<q>`
const user = String.raw`["'](?<user>[^"'\n\\]{1,60})["']`

const positions: ReadonlyArray<Position> = [
  {
    mentions: /\bcurl\b/,
    pattern:
      /\bcurl\b[^\n|;&]{0,200}?\s(?:-u|--user)[\s=]{1,2}["']?(?<user>[\w.@+-]{1,60}):(?<secret>[^\s"'`@$<{\\]{5,80})/g,
    noun: "a password in a command line"
  },
  {
    mentions: /\bsshpass\b/,
    pattern: /\bsshpass\s+-p\s*["']?(?<secret>[^\s"'`$<{\\]{5,80})/g,
    noun: "a password in a command line"
  },
  {
    mentions: /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b/,
    pattern:
      /\b(?:mysql|mysqldump|mysqladmin|mariadb)\s[^\n|;&]{0,160}?\s-p(?<secret>[^\s"'`$<{\\-][^\s"'`$<{\\]{4,80})/g,
    noun: "a password in a command line"
  },
  {
    mentions: /\b(?:docker|podman|az|oc|helm)\b/,
    pattern:
      /\b(?:docker|podman|helm registry|az|oc) login\b[^\n|;&]{0,160}?\s(?:-p|--password)[\s=]["']?(?<secret>[^\s"'`$<{\\-][^\s"'`$<{\\]{4,80})/g,
    noun: "a password in a command line"
  },
  {
    mentions: /[sS]equelize|PDO|mysqli|getConnection|MySQLdb|pymysql/,
    pattern: new RegExp(
      String.raw`\b(?:new\s+Sequelize|DriverManager\.getConnection|new\s+\\?PDO|mysqli_connect|new\s+\\?mysqli|MySQLdb\.connect|pymysql\.connect)\(\s*[^()\n]{1,160}?,\s*${user}\s*,\s*${quoted}`,
      "g"
    ),
    noun: "a database password"
  },
  {
    mentions: /\.login\(|setAuthentication|PasswordAuthentication\(|NetworkCredential\(/,
    pattern: new RegExp(
      String.raw`(?:\b(?:smtp|server|mail|ftp|imap|client|s)\.login|new\s+PasswordAuthentication|\.setAuthentication|new\s+DefaultAuthenticator|new\s+NetworkCredential|new\s+UsernamePasswordCredentials)\(\s*${user}\s*,\s*${quoted}`,
      "g"
    ),
    noun: "a password"
  },
  {
    mentions: /\bdbname\s?=|\bhost\s?=/,
    pattern:
      /(?:\b(?:host|dbname|user|port|sslmode)\s?=\s?[\w.$-]{1,80}\s+){1,5}password\s?=\s?(?<secret>[^\s"'`;${}<]{5,80})/g,
    noun: CONNECTION
  },
  {
    mentions: /["']auths?["']/,
    pattern: /["']auth["']\s*:\s*["'](?<secret>[A-Za-z0-9+/]{12,200}={0,2})["']/g,
    noun: REGISTRY
  }
]

/** `user:password` in base 64, as settings of container registries have it. */
const decodedLogin = (value: string): string | null => {
  const text = Buffer.from(value, "base64").toString("latin1")
  return /^[\x21-\x39\x3b-\x7e]{1,80}:[\x20-\x7e]{4,120}$/.test(text) ? text.slice(text.indexOf(":") + 1) : null
}

/** Accounts and passwords that everyone has for a trial. */
const trial =
  /^(?:test|demo|example|sample|dummy|guest|foo|bar|username|user|alice|bob|john|jane|joe|tiger|scott)\w{0,6}$/i

const isLive = (secret: string, name: string | undefined): boolean =>
  !isPlaceholder(secret) &&
  !(name !== undefined && (trial.test(name) || secret.toLowerCase().startsWith(name.toLowerCase()))) &&
  (looksRandom(secret, 12) || looksChosen(secret))

const secretAt = (match: RegExpMatchArray, noun: string): Secret | null => {
  const { secret = "", user: account } = match.groups!
  const password = noun === REGISTRY ? decodedLogin(secret) : secret
  if (password === null || !isLive(password, account)) return null
  const start = match.index! + match[0].lastIndexOf(secret)
  const isConnection = noun === CONNECTION
  return {
    rule: isConnection ? "connection-string-password" : PLACED,
    noun,
    start,
    end: start + secret.length,
    kind: isConnection ? "provider" : "labelled",
    confidence: 0.74,
    label: null,
    harmless: false
  }
}

/** Only where the value is written out. */
export const placedSecrets = (text: string): ReadonlyArray<Secret> =>
  positions
    .filter(({ mentions }) => mentions.test(text))
    .flatMap(({ pattern, noun }) => [...text.matchAll(pattern)].flatMap((match) => secretAt(match, noun) ?? []))
