import { createPrivateKey, type KeyObject } from "node:crypto"

/** PEM in one line, with `\n` for line ends, is how container files often carry it. */
export const privateKeyOf = (pem: string): KeyObject => createPrivateKey(pem.replaceAll("\\n", "\n"))

export const isPrivateKey = (pem: string): boolean => {
  try {
    return privateKeyOf(pem).asymmetricKeyType === "rsa"
  } catch {
    return false
  }
}
