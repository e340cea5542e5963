import { ruleSet } from "../../core/tool/AuditTool.ts"
import { useRules } from "./useRules.ts"

const noValidation =
  "Anyone on the network path can read and change the connection, credentials included. The client accepts any certificate. "
const trustAuthority =
  "Keep the validation enabled; for an internal or self-signed certificate, add its authority to the ones this client trusts."

const predictable =
  "An attacker guesses the token, password or code. It is generated with a general-purpose random generator, whose later " +
  "and earlier outputs can be computed from a few of them. Use the system's cryptographic generator (crypto.randomBytes, " +
  "secrets, crypto/rand, SecureRandom, random_bytes)"

export const rules = ruleSet({
  ...useRules,
  weak_hash: {
    languages: ["c", "cpp", "csharp", "go", "java", "javascript", "php", "python", "ruby", "rust"],
    title: "Weak password hash (MD5, SHA-1)",
    description:
      "An attacker who obtains the hashes finds the passwords with billions of guesses per second. Passwords are hashed " +
      "with a fast, broken hash function. Hash passwords with argon2id, scrypt or bcrypt. For checksums and cache keys the " +
      "old functions are fine.",
    example: {
      path: "app/users.py",
      bad: `import hashlib


def hash_password(password, salt):
    return hashlib.md5((salt + password).encode()).hexdigest()
`,
      good: `import hashlib


def hash_password(password, salt):
    return hashlib.scrypt(password.encode(), salt=salt, n=2**17, r=8, p=1)
`
    },
    cwe: [916, 328],
    confidence: 0.82,
    effort: "medium",
    risk: "medium"
  },
  weak_hash_token: {
    languages: ["javascript"],
    title: "Weak hash (MD5, SHA-1) as a signature or token",
    description:
      "An attacker forges a signature or guesses a token. MD5 or SHA-1 over a secret and the message, or over guessable " +
      "values, is used as a signature or token. Sign with HMAC-SHA-256, and take tokens from the system's random generator.",
    example: {
      path: "server/sign.js",
      bad: `const crypto = require("node:crypto")

const sign = (body, secret) => {
  const signature = crypto.createHash("md5").update(secret + body).digest("hex")
  return signature
}
`,
      good: `const crypto = require("node:crypto")

const sign = (body, secret) => {
  const signature = crypto.createHmac("sha256", secret).update(body).digest("hex")
  return signature
}
`
    },
    cwe: [328],
    confidence: 0.82,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  },
  weak_cipher: {
    languages: ["c", "cpp", "csharp", "go", "java", "javascript", "php", "python", "ruby", "rust"],
    title: "Broken or risky cipher (DES, 3DES, RC4, ECB mode)",
    description:
      "An attacker decrypts the data or sees its patterns, and changes it unnoticed. DES, 3DES, RC2 and RC4 are broken, and " +
      "ECB mode encrypts equal blocks to equal blocks. Use AES-256-GCM or ChaCha20-Poly1305 with a fresh nonce for every " +
      "message, and re-encrypt stored data.",
    example: {
      path: "app/vault.py",
      bad: `from Crypto.Cipher import AES


def encrypt(key, data):
    return AES.new(key, AES.MODE_ECB).encrypt(data)
`,
      good: `from Crypto.Cipher import AES


def encrypt(key, data):
    cipher = AES.new(key, AES.MODE_GCM)
    return cipher.nonce, cipher.encrypt_and_digest(data)
`
    },
    cwe: [327],
    confidence: 0.85,
    effort: "medium",
    risk: "high"
  },
  static_iv: {
    languages: ["csharp", "go", "java", "javascript", "python"],
    title: "Static initialization vector (IV)",
    description:
      "An attacker recognizes equal messages, and in CTR or GCM mode recovers messages and the authentication key. The same " +
      "IV is used for every message. Generate a random IV for each message and send it along with the ciphertext; it is " +
      "not a secret.",
    example: {
      path: "server/seal.js",
      bad: `const crypto = require("node:crypto")

const seal = (key, text) => crypto.createCipheriv("aes-256-cbc", key, Buffer.alloc(16)).update(text)
`,
      good: `const crypto = require("node:crypto")

const seal = (key, text) => {
  const iv = crypto.randomBytes(16)
  return [iv, crypto.createCipheriv("aes-256-cbc", key, iv).update(text)]
}
`
    },
    cwe: [329, 1204],
    confidence: 0.85,
    effort: "medium",
    risk: "high"
  },
  hardcoded_key: {
    languages: ["go", "java", "javascript", "python"],
    title: "Hard-coded cryptographic key",
    description:
      "Anyone who can read the code, or the program built from it, can decrypt what it encrypts and sign what it trusts. " +
      "The key is a literal in the code and the same in every installation. Generate a new key, read it from the " +
      "environment or a secret store, and fail at start-up without it.",
    example: {
      path: "server/tokens.js",
      bad: `const jwt = require("jsonwebtoken")

const issue = (id) => jwt.sign({ id }, "our little secret")
`,
      good: `const jwt = require("jsonwebtoken")

const issue = (id) => jwt.sign({ id }, process.env.JWT_KEY)
`
    },
    cwe: [321],
    confidence: 0.85,
    effort: "small",
    risk: "medium"
  },
  tls_verification_disabled: {
    languages: ["c", "cpp", "csharp", "dockerfile", "go", "java", "javascript", "php", "python", "ruby", "rust"],
    title: "TLS certificate validation disabled",
    description: `${noValidation}${trustAuthority}`,
    example: {
      path: "app/client.py",
      bad: `import requests


def invoices():
    return requests.get("https://billing.example.com/invoices", verify=False).json()
`,
      good: `import requests


def invoices():
    return requests.get("https://billing.example.com/invoices", verify="certs/internal-ca.pem").json()
`
    },
    cwe: [295],
    confidence: 0.88,
    effort: "small",
    risk: "medium"
  },
  tls_verification_disabled_by_name: {
    languages: ["javascript"],
    title: "TLS certificate validation disabled in code named as insecure",
    description: `${noValidation}The names around it announce that, so it may be intended. ${trustAuthority}`,
    example: {
      path: "server/insecureAgent.js",
      bad: `const https = require("node:https")

const insecureAgent = new https.Agent({ rejectUnauthorized: false })
`,
      good: `const https = require("node:https")
const { readFileSync } = require("node:fs")

const internalAgent = new https.Agent({ ca: readFileSync("certs/internal-ca.pem") })
`
    },
    cwe: [295],
    confidence: 0.62,
    effort: "small",
    risk: "medium"
  },
  outdated_tls: {
    languages: ["c", "cpp", "csharp", "go", "java", "javascript", "php", "python", "ruby", "rust"],
    title: "Obsolete TLS version allowed",
    description:
      "An attacker on the network path downgrades the connection to a version with known attacks. SSL 3, TLS 1.0 or TLS 1.1 " +
      "is allowed, which are withdrawn. Require TLS 1.2 at least, or use the library's default.",
    example: {
      path: "server/client.js",
      bad: `const tls = require("node:tls")

const socket = tls.connect({ host: "mail.example.com", port: 465, minVersion: "TLSv1" })
`,
      good: `const tls = require("node:tls")

const socket = tls.connect({ host: "mail.example.com", port: 465, minVersion: "TLSv1.2" })
`
    },
    cwe: [327, 757],
    confidence: 0.85,
    priority: "P2",
    effort: "small",
    risk: "low"
  },
  predictable_random: {
    languages: ["c", "cpp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Weak random number generator for a secret value",
    description: `${predictable}.`,
    example: {
      path: "server/reset.js",
      bad: `const resetToken = () => {
  const token = Math.random().toString(36).slice(2)
  return token
}
`,
      good: `const { randomBytes } = require("node:crypto")

const resetToken = () => {
  const token = randomBytes(32).toString("hex")
  return token
}
`
    },
    cwe: [338],
    confidence: 0.82,
    effort: "small",
    risk: "low"
  },
  predictable_random_fallback: {
    languages: ["javascript"],
    title: "Weak random number generator as a fallback for a secret value",
    description: `${predictable} and fail where it is missing instead of falling back.`,
    example: {
      path: "web/token.js",
      bad: `export const newToken = () => {
  if (globalThis.crypto) return crypto.getRandomValues(new Uint8Array(32)).join("")
  const token = Math.random().toString(36).slice(2)
  return token
}
`,
      good: `export const newToken = () => {
  const token = crypto.getRandomValues(new Uint8Array(32)).join("")
  return token
}
`
    },
    cwe: [338],
    // The same function uses the system's generator, so this code may never run.
    confidence: 0.62,
    effort: "small",
    risk: "low"
  },
  small_key: {
    languages: ["c", "cpp", "go", "java", "javascript", "python", "ruby"],
    title: "Inadequate key size: RSA or DSA below 2048 bits",
    description:
      "A well-equipped attacker computes the private key, and current standards reject it. The key pair is generated with " +
      "fewer than 2048 bits. Generate keys of 3072 bits or more, or use Ed25519 or P-256.",
    example: {
      path: "server/keys.js",
      bad: `const crypto = require("node:crypto")

const pair = crypto.generateKeyPairSync("rsa", { modulusLength: 1024 })
`,
      good: `const crypto = require("node:crypto")

const pair = crypto.generateKeyPairSync("rsa", { modulusLength: 3072 })
`
    },
    cwe: [326],
    confidence: 0.92,
    effort: "small",
    risk: "medium"
  },
  cheap_key_derivation: {
    languages: ["java", "javascript", "php", "python", "ruby"],
    title: "Password hash with insufficient computational effort",
    description:
      "An attacker who obtains the hashes guesses passwords quickly. The key derivation uses too few rounds, and its cost is " +
      "the only thing that slows down guessing. Use 600,000 rounds of PBKDF2-HMAC-SHA-256, bcrypt with a cost of 10 or more, " +
      "or argon2id; store the cost beside the hash, and raise it when a user logs in.",
    example: {
      path: "app/users.py",
      bad: `import hashlib


def derive(password, salt):
    return hashlib.pbkdf2_hmac("sha256", password, salt, 1000)
`,
      good: `import hashlib


def derive(password, salt):
    return hashlib.pbkdf2_hmac("sha256", password, salt, 600_000)
`
    },
    cwe: [916],
    confidence: 0.85,
    priority: "P2",
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
