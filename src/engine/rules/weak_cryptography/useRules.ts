import { ruleSet } from "../../core/tool/AuditTool.ts"

/** Uses of weak algorithms of which the code does not show that they protect something: advisories. */
export const useRules = ruleSet({
  clearing_left_out: {
    languages: ["c", "cpp"],
    title: "Clearing of a secret that the compiler leaves out",
    description:
      "The secret stays in memory, where a crash dump, a swap file or a later overread shows it. What `memset` writes is " +
      "never read again, so an optimising compiler removes the call as a dead store. Use `explicit_bzero`, `memset_s`, " +
      "`OPENSSL_cleanse` or `sodium_memzero`.",
    example: {
      path: "src/login.c",
      bad: `int login(int fd) {
  char password[64];
  int ok = read_line(fd, password, sizeof password) && check(password);
  memset(password, 0, sizeof password);
  return ok;
}
`,
      good: `int login(int fd) {
  char password[64];
  int ok = read_line(fd, password, sizeof password) && check(password);
  explicit_bzero(password, sizeof password);
  return ok;
}
`
    },
    cwe: [14],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  weak_hash_use: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby", "rust"],
    title: "Weak hash function (MD5, SHA-1)",
    description:
      "An attacker makes two inputs with the same hash, and passes one off as the other. MD5 or SHA-1 is used and nothing " +
      "around it shows a use that stays safe, such as a cache key or a checksum. Use SHA-256, or state that it is not for " +
      "security (`usedforsecurity=False` in Python).",
    example: {
      path: "app/records.py",
      bad: `import hashlib


def record_key(record):
    return hashlib.md5(record.encode()).hexdigest()
`,
      good: `import hashlib


def record_key(record):
    return hashlib.sha256(record.encode()).hexdigest()
`
    },
    cwe: [328],
    confidence: 0.58,
    effort: "small",
    risk: "medium",
    priority: "P3"
  },
  weak_random_use: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Weak random number generator for an identifier",
    description:
      "An attacker guesses the identifiers of others where knowing one grants access. It is generated with a general-purpose " +
      "random generator, whose later and earlier outputs can be computed from a few of them. Use the system's cryptographic " +
      "generator, or a UUID made by it.",
    example: {
      path: "app/tickets.py",
      bad: `import random


def create_ticket(owner):
    ticket_code = random.randint(100000, 999999)
    return {"owner": owner, "code": ticket_code}
`,
      good: `import secrets


def create_ticket(owner):
    ticket_code = secrets.randbelow(900000) + 100000
    return {"owner": owner, "code": ticket_code}
`
    },
    cwe: [338],
    confidence: 0.55,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  static_salt: {
    languages: ["csharp", "go", "java", "javascript", "php", "python"],
    title: "Static salt for a password hash or key derivation",
    description:
      "An attacker guesses the passwords of all users at once, with tables made in advance. The salt is a literal in the " +
      "code and the same for every password. Generate a random salt of 16 bytes for each password and store it beside the " +
      "hash.",
    example: {
      path: "app/users.py",
      bad: `import hashlib


def derive(password):
    return hashlib.pbkdf2_hmac("sha256", password, b"pepper and salt", 600_000)
`,
      good: `import hashlib
import os


def derive(password):
    salt = os.urandom(16)
    return salt, hashlib.pbkdf2_hmac("sha256", password, salt, 600_000)
`
    },
    cwe: [760, 759],
    confidence: 0.72,
    effort: "medium",
    risk: "high",
    priority: "P2"
  },
  modest_key_derivation: {
    languages: ["csharp", "go", "java", "javascript", "php", "python"],
    title: "Password hash with low computational effort",
    description:
      "An attacker who obtains the hashes guesses passwords faster than necessary. The key derivation uses fewer rounds " +
      "than current advice, and its cost is the only thing that slows down guessing. Use 600,000 rounds of " +
      "PBKDF2-HMAC-SHA-256, or argon2id, and raise the cost when a user logs in.",
    example: {
      path: "app/users.py",
      bad: `import hashlib


def derive(password, salt):
    return hashlib.pbkdf2_hmac("sha256", password, salt, 20_000)
`,
      good: `import hashlib


def derive(password, salt):
    return hashlib.pbkdf2_hmac("sha256", password, salt, 600_000)
`
    },
    cwe: [916],
    confidence: 0.65,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  ssh_host_key_unchecked: {
    languages: ["java", "python", "ruby"],
    title: "SSH host key not verified",
    description:
      "Anyone on the network path can pose as the server and receive passwords, files and commands. The client accepts any " +
      "host key. Load the known host keys and reject others.",
    example: {
      path: "app/deploy.py",
      bad: `import paramiko

client = paramiko.SSHClient()
client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
`,
      good: `import paramiko

client = paramiko.SSHClient()
client.load_system_host_keys()
client.set_missing_host_key_policy(paramiko.RejectPolicy())
`
    },
    cwe: [295, 322],
    confidence: 0.72,
    effort: "small",
    risk: "medium",
    priority: "P2"
  }
})
