import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  weak_hash: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby", "rust"],
    title: "Broken hash function protects something",
    description:
      "MD5 and SHA-1 are fast, and collisions for them can be bought: a password hashed this way is guessed by the " +
      "billion per second, and a signature or token can be forged. Hash passwords with argon2id, scrypt or bcrypt; " +
      "sign with HMAC-SHA-256; take tokens from the system's random generator. For checksums and cache keys the old " +
      "functions are fine.",
    cwe: [328, 916],
    confidence: 0.82,
    effort: "medium",
    risk: "medium"
  },
  weak_cipher: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Broken cipher or block mode",
    description:
      "DES, 3DES, RC2 and RC4 can be broken with today's hardware, and ECB encrypts equal blocks to equal blocks, so " +
      "the pattern of the data shows through. None of them notices a change. Use AES-256-GCM or ChaCha20-Poly1305 " +
      "with a fresh nonce for every message, and re-encrypt what is stored.",
    cwe: [327],
    confidence: 0.85,
    effort: "medium",
    risk: "high"
  },
  static_iv: {
    languages: ["go", "java", "javascript", "python"],
    title: "Initialisation vector is always the same",
    description:
      "With a fixed IV, equal messages give equal ciphertexts, and in CTR or GCM mode two messages under one nonce " +
      "give away both of them and the authentication key. Draw a new random IV for each message and send it along " +
      "with the ciphertext; it is no secret.",
    cwe: [329, 1204],
    confidence: 0.85,
    effort: "medium",
    risk: "high"
  },
  hardcoded_key: {
    languages: ["go", "java", "javascript", "python"],
    title: "Cryptographic key is a literal in the code",
    description:
      "Everyone who can read the code, or the program built from it, can decrypt what it encrypts and sign what it " +
      "trusts; and the key is the same everywhere. Make a new key, read it from the environment or a secret store, " +
      "and let the program refuse to start without it.",
    cwe: [321],
    confidence: 0.85,
    effort: "small",
    risk: "medium"
  },
  tls_verification_disabled: {
    languages: ["csharp", "dockerfile", "go", "java", "javascript", "php", "python", "ruby", "rust"],
    title: "Certificate check is switched off",
    description:
      "Without the check, the connection is encrypted to whoever answers: anyone on the way can read and change it, " +
      "credentials included. Leave the check on; for an internal or self-signed certificate, add its authority to " +
      "the trusted ones of this client instead.",
    cwe: [295],
    confidence: 0.88,
    effort: "small",
    risk: "medium"
  },
  outdated_tls: {
    languages: ["csharp", "go", "java", "javascript", "python"],
    title: "Obsolete TLS version is allowed",
    description:
      "SSL 3, TLS 1.0 and TLS 1.1 have known attacks and are withdrawn; a client that accepts them can be talked down " +
      "to them. Ask for TLS 1.2 at least, or leave the choice to the library's default.",
    cwe: [327, 757],
    confidence: 0.85,
    priority: "P2",
    effort: "small",
    risk: "low"
  },
  predictable_random: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "Secret value comes from a predictable generator",
    description:
      "General-purpose generators are made for speed: after a few outputs, all later and earlier ones can be " +
      "computed. A token, password or code made from them can be guessed. Take such values from the system's " +
      "cryptographic generator (crypto.randomBytes, secrets, crypto/rand, SecureRandom, random_bytes).",
    cwe: [338],
    confidence: 0.82,
    effort: "small",
    risk: "low"
  },
  small_key: {
    languages: ["go", "java", "javascript", "python", "ruby"],
    title: "Asymmetric key is too short",
    description:
      "RSA and DSA keys below 2048 bits are within reach of well-equipped attackers and are refused by current " +
      "standards. Generate keys of 3072 bits or more, or use Ed25519 or P-256.",
    cwe: [326],
    confidence: 0.92,
    effort: "small",
    risk: "medium"
  },
  cheap_key_derivation: {
    languages: ["java", "javascript", "python"],
    title: "Password derivation is too cheap",
    description:
      "The cost of deriving a key from a password is the only thing that slows down guessing. Current advice is " +
      "600,000 rounds of PBKDF2-HMAC-SHA-256, bcrypt with a cost of 10 or more, or argon2id. Store the cost beside " +
      "the hash, and raise it when a user logs in.",
    cwe: [916],
    confidence: 0.85,
    priority: "P2",
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
