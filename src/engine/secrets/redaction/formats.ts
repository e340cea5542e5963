import { redactGroup } from "./commandLines.ts"
import type { Redact } from "./literal.ts"

const noun = "(?:passw(?:or)?d|passphrase|passwd|pwd|secret|token|api_?-?key|access_?-?key|secret_?-?key|credentials?)"

/** Places of formats that are known to hold a credential, each with what a text has if it has one. The group is the value. */
const patterns: ReadonlyArray<readonly [needle: string, pattern: RegExp]> = [
  // Elements and entries of XML: Maven, NuGet, Spring, Jenkins.
  ["</", new RegExp(String.raw`<[\w:.-]{0,60}${noun}(?:\s[^<>]{0,200})?>\s{0,80}([^\s<>]{2,2000})\s{0,80}<\/`, "gi")],
  ["</", new RegExp(String.raw`=["'][\w:.-]{0,60}${noun}["'][^<>]{0,80}>\s{0,80}([^\s<>]{2,2000})\s{0,80}<\/`, "gi")],
  ["value=", new RegExp(String.raw`=["'][\w:.-]{0,60}${noun}["']\s{1,80}value=["']([^"'\n]{2,2000})["']`, "gi")],
  // Lists of environment variables: Kubernetes, ECS.
  [
    "value",
    new RegExp(
      String.raw`name["']?\s{0,3}[:=]\s{0,3}["']?\w{0,60}${noun}["']?,?\s{1,80}["']?value["']?\s{0,3}[:=]\s{0,3}["']?([^\s"',{}]{2,2000})`,
      "gi"
    )
  ],
  // `password "…"` of Gradle and SQL, and what databases call it.
  ["password", /\b(?:password|storePassword|keyPassword)\s{1,3}["']([^"'\n\s]{2,200})["']/gi],
  ["identified", /\bidentified\s+(?:with\s+\S{1,60}\s+)?by\s+(?:password\s+)?["']([^"'\n]{2,200})/gi],
  ["password(", /\bpassword\(\s?["']([^"'\n]{2,200})["']/gi],
  // Registries: Docker, Composer, pip, netrc.
  ["auth", /"_?auth(?:Token)?"\s{0,3}:\s{0,3}"((?=[^"]*(?:\d|=|[A-Z][^"]*[a-z]))[A-Za-z0-9+/=_.:-]{8,4000})"/g],
  [
    "-",
    /"(?:github|gitlab|bitbucket)-(?:oauth|token)"\s{0,3}:\s{0,3}\{\s{0,80}"[^"\n]{1,200}"\s{0,3}:\s{0,3}"([^"\n]{4,400})"/g
  ],
  ["bearer", /"bearer"\s{0,3}:\s{0,3}\{\s{0,80}"[^"\n]{1,200}"\s{0,3}:\s{0,3}"([^"\n]{4,400})"/g],
  ["cookies", /\bcookies\s{0,2}[=:]\s{0,2}\{\s{0,2}["'][^"'\n]{1,80}["']\s{0,2}:\s{0,2}["']([^"'\n]{6,2000})["']/gi],
  ["login", /\blogin\s{1,80}[^\s"']{1,200}\s{1,80}password\s{1,80}["']?([^\s"']{2,400})/g],
  // A name and a password as arguments.
  ...["auth", "credential", "connect", "login"].map(
    (name) =>
      [
        name,
        new RegExp(
          String.raw`${name}\w{0,16}\s{0,2}=?\s{0,2}\(\s{0,20}(?:[^()"'\n]{0,120},\s{0,20})?(?:["'][^"'\n]{1,300}["']\s{0,2},\s{0,20})?["'][^"'\n]{1,120}["']\s{0,2},\s{0,20}["']((?=[^"'\n]*[\d!#$%^&*?+~])[^"'\n\s]{3,200})["']`,
          "gi"
        )
      ] as const
  )
]

/** Hashes of passwords, which can be guessed offline. */
const hash =
  /\$(?:apr1|2[abxy]?|[156y]|argon2\w{0,3}|scrypt|pbkdf2[\w-]{0,12})\$[\w./$=,+-]{12,400}|(?<=\{(?:S?SHA\d{0,3}|SSHA|MD5|CRYPT)\})[\w./+=$-]{8,400}/g

/** Credentials that only the format of their file gives away. */
export const knownFormats = (text: string, redact: Redact): void => {
  const lower = text.toLowerCase()
  for (const [needle, pattern] of patterns) if (lower.includes(needle)) redactGroup(text, pattern, redact)
  for (const { 0: digest, index } of text.matchAll(hash)) redact(index, index + digest.length)
}

const files: ReadonlyArray<readonly [path: RegExp, value: RegExp]> = [
  [/(?:^|[/.])htpasswd$/i, /(?<=^[^:#\s]{1,200}:)\S{2,400}$/gm],
  [/(?:^|[/.])pgpass$/i, /(?<=^(?:[^:#\s]{0,200}:){4})\S{2,400}$/gm]
]

/** Files of which each line ends with a password. */
export const passwordFiles = (path: string, text: string, redact: Redact): void => {
  for (const [name, value] of files) {
    if (!name.test(path)) continue
    for (const { 0: password, index } of text.matchAll(value)) redact(index, index + password.length)
  }
}
