import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["weak_hash"],
    path: "src/hash.ts",
    text: (size) =>
      filled(size, 'const password = crypto.createHash("md5").update(a).digest()\n', [
        'import crypto from "node:crypto"\n',
        ""
      ])
  },
  {
    rules: ["weak_hash"],
    path: "src/chain.ts",
    text: (size) =>
      filled(size, ".update(password)\n", [
        'import crypto from "node:crypto"\nconst token = crypto.createHash("md5")',
        "\n"
      ])
  },
  {
    rules: ["weak_hash"],
    path: "src/later.py",
    text: (size) =>
      filled(size, "h.update(password)\n", ["import hashlib\nh = hashlib.md5()\n", "token = h.hexdigest()\n"])
  },
  {
    rules: ["weak_hash"],
    path: "src/many.py",
    text: (size) => filled(size, "h = hashlib.md5(password)\n", ["import hashlib\ndef f():\n    pass\n", ""])
  },
  { rules: ["weak_hash"], path: "web/a.php", text: (size) => filled(size, "md5(\n", ["<?php $password = ", "$a"]) },
  {
    rules: ["weak_cipher"],
    path: "src/Vault.java",
    text: (size) =>
      filled(size, 'Cipher c = Cipher.getInstance("DES");\n', [
        "import javax.crypto.Cipher;\nclass A { void encrypt() {\n",
        "} }\n"
      ])
  },
  {
    rules: ["weak_cipher"],
    path: "src/Names.java",
    text: (size) =>
      filled(size, "Cipher.getInstance(ALGORITHM);\n", [
        'import javax.crypto.Cipher;\nclass A { static String ALGORITHM = "DES"; void encrypt() {\n',
        "} }\n"
      ])
  },
  {
    rules: ["weak_cipher"],
    path: "src/Mode.cs",
    text: (size) =>
      filled(size, "aes.Mode = CipherMode.ECB;\n", [
        "using System.Security.Cryptography;\nclass A { void Encrypt() {\n",
        "} }\n"
      ])
  },
  {
    rules: ["static_iv", "hardcoded_key"],
    path: "src/iv.ts",
    text: (size) =>
      filled(size, 'crypto.createCipheriv("aes-256-cbc", "0123456789abcdef0123456789abcdef", Buffer.alloc(16))\n', [
        'import crypto from "node:crypto"\n',
        ""
      ])
  },
  {
    rules: ["static_iv", "hardcoded_key"],
    path: "src/bytes.py",
    text: (size) =>
      filled(size, "\\x00\n", ['from Crypto.Cipher import AES\nAES.new(b"""', '""", AES.MODE_CBC, b"0000")\n'])
  },
  {
    rules: ["static_iv", "hardcoded_key"],
    path: "src/names.py",
    text: (size) =>
      filled(size, "AES.new(key, AES.MODE_CBC, iv)\n", [
        'from Crypto.Cipher import AES\nkey = b"0123456789abcdef"\niv = b"0123456789abcdef"\n',
        ""
      ])
  },
  {
    rules: ["hardcoded_key"],
    path: "src/jwt.ts",
    text: (size) => filled(size, 'jwt.sign(a, "0123456789abcdef")\n', ['import jwt from "jsonwebtoken"\n', ""])
  },
  {
    rules: ["weak_hash_token"],
    path: "src/sign.ts",
    text: (size) =>
      filled(size, 'const signature = crypto.createHash("md5").update(secret + a).digest()\n', [
        'import crypto from "node:crypto"\n',
        ""
      ])
  },
  {
    rules: ["predictable_random_fallback"],
    path: "src/fallback.ts",
    text: (size) =>
      filled(size, "const token = Math.random()\n", ["function f() {\ncrypto.getRandomValues(a)\n", "}\n"])
  },
  {
    rules: ["tls_verification_disabled_by_name"],
    path: "src/insecure.ts",
    text: (size) => filled(size, "const insecure = { rejectUnauthorized: false }\n")
  },
  {
    rules: ["tls_verification_disabled"],
    path: "src/tls.ts",
    text: (size) => filled(size, "const a = { rejectUnauthorized: false }\n")
  },
  {
    rules: ["tls_verification_disabled"],
    path: "src/deep.ts",
    text: (size) => filled(size, "{ rejectUnauthorized: \n", ["const a = ", "false"])
  },
  {
    rules: ["tls_verification_disabled"],
    path: "src/ifs.ts",
    text: (size) => filled(size, "if (a) { \n", ["", "x = { rejectUnauthorized: false }"])
  },
  {
    rules: ["tls_verification_disabled", "outdated_tls"],
    path: "src/a.go",
    text: (size) =>
      filled(size, "a = &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10}\n", [
        "package a\nfunc f() {\n",
        "}\n"
      ])
  },
  {
    rules: ["tls_verification_disabled"],
    path: "src/verify.py",
    text: (size) => filled(size, "requests.get(a, verify=False)\n", ["import requests\n", ""])
  },
  {
    rules: ["tls_verification_disabled"],
    path: "src/Trust.java",
    text: (size) =>
      filled(size, "new X509TrustManager() { public void checkServerTrusted(X509Certificate[] a, String b) { } };\n", [
        "class A { void f() {\n",
        "} }\n"
      ])
  },
  {
    rules: ["tls_verification_disabled"],
    path: "src/Callback.cs",
    text: (size) =>
      filled(size, "a.ServerCertificateCustomValidationCallback = (a, b, c, d) => true;\n", [
        "class A { void F() {\n",
        "} }\n"
      ])
  },
  {
    rules: ["outdated_tls"],
    path: "src/old.py",
    text: (size) => filled(size, "context.minimum_version = ssl.TLSVersion.TLSv1\n", ["import ssl\n", ""])
  },
  {
    rules: ["predictable_random"],
    path: "src/random.ts",
    text: (size) => filled(size, "const token = Math.random()\n")
  },
  {
    rules: ["predictable_random"],
    path: "src/sum.ts",
    text: (size) => filled(size, "Math.random() + \n", ["const token = ", "1\n"])
  },
  {
    rules: ["predictable_random"],
    path: "src/nested.ts",
    text: (size) => filled(size, "f(Math.random(), \n", ["const token = ", "1"])
  },
  {
    rules: ["predictable_random"],
    path: "src/random.py",
    text: (size) => filled(size, "token = random.choice(a)\n", ["import random\n", ""])
  },
  {
    rules: ["small_key"],
    path: "src/key.py",
    text: (size) =>
      filled(size, "rsa.generate_private_key(65537, 1024)\n", [
        "from cryptography.hazmat.primitives.asymmetric import rsa\n",
        ""
      ])
  },
  {
    rules: ["small_key", "cheap_key_derivation"],
    path: "src/key.ts",
    text: (size) =>
      filled(
        size,
        'crypto.pbkdf2Sync(password, salt, 1000, 32, "sha1")\ncrypto.generateKeyPairSync("rsa", { modulusLength: 1024 })\n',
        ['import crypto from "node:crypto"\n', ""]
      )
  },
  {
    rules: ["cheap_key_derivation"],
    path: "src/rounds.ts",
    text: (size) =>
      filled(size, "crypto.pbkdf2Sync(password, salt, rounds, 32)\n", [
        'import crypto from "node:crypto"\nconst rounds = 10 * 100\n',
        ""
      ])
  },
  {
    rules: ["weak_hash_use"],
    path: "src/uses.py",
    text: (size) => filled(size, "    a = hashlib.md5(b)\n", ["import hashlib\ndef f():\n", ""])
  },
  {
    rules: ["weak_random_use"],
    path: "src/ids.py",
    text: (size) => filled(size, "    account_id = random.random()\n", ["import random\ndef f():\n", ""])
  },
  {
    rules: ["static_salt", "modest_key_derivation"],
    path: "src/salts.py",
    text: (size) =>
      filled(size, 'hashlib.pbkdf2_hmac("sha256", password, SALT, 20_000)\n', ['import hashlib\nSALT = b"salt"\n', ""])
  },
  {
    rules: ["ssh_host_key_unchecked"],
    path: "src/ssh.py",
    text: (size) =>
      filled(size, "    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())\n", [
        "import paramiko\ndef f():\n",
        ""
      ])
  },
  {
    rules: ["weak_cipher", "weak_hash", "small_key", "outdated_tls", "tls_verification_disabled", "predictable_random"],
    path: "src/calls.c",
    text: (size) =>
      filled(size, "  MD5(password, 1, EVP_des_cbc());\n  token[0] = rand();\n", [
        "void hash_password(void) {\n",
        "}\n"
      ])
  },
  {
    rules: ["clearing_left_out"],
    path: "src/clearing.c",
    text: (size) => filled(size, "  memset(password, 0, 8);\n", ["void a(void) {\n  char password[8];\n", "}\n"])
  }
]
