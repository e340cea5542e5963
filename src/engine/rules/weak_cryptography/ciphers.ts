import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { qualifiedName, qualifiedText } from "../../languages/code/qualifiedName.ts"
import { type Call, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { functionNameOf, isPrescribed, literalOf, matchAt, onlyDecrypts, spaced } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsCipher = /\bdes|triple_?des|rc[24]|arc4|ecb\b|blowfish|cipher|mcrypt/i

/** Ciphers by the name in the call: `des-ede3-cbc`, `DES/ECB/PKCS5Padding`, `aes-128-ecb`. */
const weakByName = (written: string, language: SourceFile["language"]): string | null => {
  if (/^(?:des-?ede3?|desede|3des|tripledes|des3)\b/i.test(written)) return "3DES"
  if (/^des\b/i.test(written)) return "DES"
  if (/^(?:rc4|arcfour|arc4)\b/i.test(written)) return "RC4"
  if (/^rc2\b/i.test(written)) return "RC2"
  if (/^(?:bf|blowfish)\b/i.test(written)) return "Blowfish"
  // RSA's "ECB" means one block, and is the only mode there is.
  if (/^(?:rsa|ecies|elgamal|none)\b/i.test(written)) return null
  if (/[-/_]ecb\b/i.test(written)) return "ECB mode"
  // Java's default mode for a bare name is ECB.
  return language === "java" && written === "AES" ? "AES in ECB mode, Java's default" : null
}

/** Constructors that take the cipher's name. */
const byArgument =
  /^(?:crypto\.create(?:Cipher|Decipher)iv|(?:javax\.crypto\.)?Cipher\.getInstance|openssl_(?:en|de)crypt|OpenSSL::Cipher(?:::Cipher)?\.new|(?:javax\.crypto\.)?KeyGenerator\.getInstance)$/
/** Constructors that are named after the cipher. */
const named: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:Crypto(?:dome)?\.Cipher\.)DES\.new$/, "DES"],
  [/^(?:Crypto(?:dome)?\.Cipher\.)DES3\.new$/, "3DES"],
  [/^(?:Crypto(?:dome)?\.Cipher\.)(?:ARC4|ARC2)\.new$/, "RC4"],
  [/^(?:Crypto(?:dome)?\.Cipher\.)Blowfish\.new$/, "Blowfish"],
  [
    /^cryptography\.hazmat\.(?:primitives\.ciphers|decrepit\.ciphers)(?:\.algorithms)?\.(?:algorithms\.)?TripleDES$/,
    "3DES"
  ],
  [/^cryptography\.hazmat\.(?:primitives\.ciphers|decrepit\.ciphers)(?:\.algorithms)?\.(?:algorithms\.)?ARC4$/, "RC4"],
  [
    /^cryptography\.hazmat\.(?:primitives\.ciphers|decrepit\.ciphers)(?:\.algorithms)?\.(?:algorithms\.)?(?:Blowfish|IDEA|CAST5)$/,
    "a 64-bit block cipher"
  ],
  [/^cryptography\.hazmat\.primitives\.ciphers(?:\.modes)?\.(?:modes\.)?ECB$/, "ECB mode"],
  [/^crypto\/des\.NewCipher$/, "DES"],
  [/^crypto\/des\.NewTripleDESCipher$/, "3DES"],
  [/^crypto\/rc4\.NewCipher$/, "RC4"],
  [/^golang\.org\/x\/crypto\/(?:blowfish|cast5|tea|xtea)\.NewCipher$/, "a 64-bit block cipher"],
  [/^(?:[\w:]+[:.])?Des::new(?:_from_slice)?$/, "DES"],
  [/^(?:[\w:]+[:.])?TdesEde[23]::new(?:_from_slice)?$/, "3DES"],
  [/^(?:[\w:]+[:.])?Rc4::new(?:_from_slice)?$/, "RC4"],
  [/^(?:[\w:]+[:.])?Blowfish(?:::<\w+>)?::new(?:_from_slice)?$/, "a 64-bit block cipher"],
  [/^crypto\.createCipher$/, "a key that MD5 makes of the password, without an initialization vector"],
  [/^(?:CryptoJS|crypto-js)\.DES\.encrypt$/, "DES"],
  [/^(?:CryptoJS|crypto-js)\.TripleDES\.encrypt$/, "3DES"],
  [/^(?:CryptoJS|crypto-js)\.(?:RC4|RC4Drop)\.encrypt$/, "RC4"],
  [/^(?:DES\.Create|DESCryptoServiceProvider)$/, "DES"],
  [/^(?:TripleDES\.Create|TripleDESCryptoServiceProvider)$/, "3DES"],
  [/^(?:RC2\.Create|RC2CryptoServiceProvider)$/, "RC2"]
]

export const weakCiphers = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    const name = weakCipherOf(file, call)
    if (name === null || isPrescribed(file, call.node) || onlyReads(file, call) || isPrimitive(file, call, name))
      continue
    const holder = functionNameOf(file, call.node)
    const subject = holder === "" ? "This code" : `\`${holder}\``
    emit(matchAt(file, call.node, { rule: "weak_cipher", message: `${subject} encrypts with ${name}.` }))
  }
}

const weakCipherOf = (file: SourceFile, call: Call): string | null => {
  const name = qualifiedName(file, call)
  if (byArgument.test(name)) {
    const isPhp = name.startsWith("openssl_")
    const written = literalOf(file, call.args[isPhp ? 1 : 0])
    if (written === null) return null
    // A key of AES has no mode yet.
    return name.endsWith("KeyGenerator.getInstance") && written === "AES" ? null : weakByName(written, file.language)
  }
  if (/^mcrypt_encrypt$/.test(name)) return mcryptCipher(file, call)
  const known = named.find(([pattern]) => pattern.test(name))
  if (known !== undefined) return known[1]
  const isAes = /^(?:Crypto(?:dome)?\.Cipher\.)\w+\.new$|^(?:CryptoJS|crypto-js)\.AES\.encrypt$/.test(name)
  if (!isAes) return null
  const options = [...call.args.slice(1), ...call.named.values()].map((node) => file.tree!.textOf(node)).join(" ")
  return /\bMODE_ECB\b|\bmode\.ECB\b/.test(options) ? "ECB mode" : null
}

/** PHP's old extension names cipher and mode by constants. */
const mcryptCipher = (file: SourceFile, call: Call): string | null => {
  const [cipher = "", , , mode = ""] = call.args.map((node) => file.tree!.textOf(node))
  const weak = /^MCRYPT_(3DES|TRIPLEDES|DES|RC2|RC4|ARCFOUR|BLOWFISH|CAST_128)\b/.exec(cipher)?.[1]
  return weak ?? (/MODE_ECB/.test(mode) ? "ECB mode" : null)
}

/** What is only decrypted was encrypted by someone else, or long ago. */
const onlyReads = (file: SourceFile, call: Call): boolean => {
  if (/decrypt|decipher/i.test(call.method)) return true
  const scope = enclosingFunction(file, call.node)
  if (scope !== null && onlyDecrypts(file, scope.node)) return true
  const words = spaced(functionNameOf(file, call.node))
  return / (?:decrypt|decode|decipher|unwrap|unseal|decryptor) /.test(words) && !/ (?:encrypt|encode) /.test(words)
}

const counterWords =
  /\b(?:counter|ctr|cmac|keystream|block_?cipher|key_?wrap|xts|header_?protection|mask|subkey|generate_subkey)\b/i
/** ECB of one block is how other modes are built. */
const isPrimitive = (file: SourceFile, call: Call, name: string): boolean => {
  if (!name.includes("ECB")) return false
  const scope = enclosingFunction(file, call.node)
  const around =
    scope === null
      ? file.text.slice(Math.max(0, file.tree!.start(call.node) - 400), file.tree!.end(call.node) + 400)
      : file.tree!.textOf(scope.node).slice(0, 3000)
  return counterWords.test(around) || /NoPadding/.test(file.tree!.textOf(call.node))
}

const ecbMember = /^(?:System\.Security\.Cryptography\.)?CipherMode\.ECB$/
/** C# names the mode in an assignment. */
export const ecbAssignments = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (file.language !== "csharp" || !file.text.includes("CipherMode.ECB")) return
  for (const node of file.tree!.of("member_access_expression")) {
    if (!ecbMember.test(qualifiedText(file, file.tree!.textOf(node)))) continue
    const holder = functionNameOf(file, node)
    const subject = holder === "" ? "This code" : `\`${holder}\``
    if (/decrypt/i.test(holder) || isPrescribed(file, node)) continue
    emit(matchAt(file, node, { rule: "weak_cipher", message: `${subject} encrypts in ECB mode.` }))
  }
}
