const alphabets: Record<string, string> = {
  alnum: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  base64: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  base32: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  upper: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  bech32: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
  hex: "0123456789abcdef",
  digits: "0123456789"
}

/** The same characters for the same alphabet, length and seed: no one's key, in a key's form. */
export const madeUp = (alphabet: string, length: number, seed = 1): string => {
  const letters = alphabets[alphabet]
  if (letters === undefined) throw new Error(`No alphabet "${alphabet}".`)
  let state = (seed * 2654435761 + length * 40503 + letters.length) >>> 0
  let out = ""
  while (out.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    out += letters[(state >>> 8) % letters.length]
  }
  return out
}

const pem = (kind: string): string => {
  const body = madeUp("base64", 640).replace(/.{64}/g, "$&\n")
  return `-----BEGIN ${kind}PRIVATE KEY-----\n${body}-----END ${kind}PRIVATE KEY-----`
}

/**
 * Fixtures of credentials are kept in parts, so that no scanner of repositories takes them for real ones:
 * `{{made-up alnum 36}}` is 36 made-up characters, `{{made-up pem RSA}}` a private key that is not in use.
 */
export const withMadeUp = (text: string): string =>
  text
    .replace(/\{\{made-up pem ?([A-Z]*)\}\}/g, (_, kind: string) => pem(kind === "" ? "" : `${kind} `))
    .replace(/\{\{made-up (\w+) (\d+)\}\}/g, (_, alphabet: string, length: string) => madeUp(alphabet, Number(length)))
