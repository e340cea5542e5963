import { X509Certificate } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rootCertificates } from "node:tls"
import { ConfigError, Effect } from "effect"

const variable = "ASSAY_EXTRA_CA"
const certificate = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

const rejected = (message: string) => ConfigError.InvalidData([variable], message)

/** The certificates in the operator's file, as PEM. */
export const extraAuthorities = (file: string | null): Effect.Effect<string | null, ConfigError.ConfigError> =>
  file === null
    ? Effect.succeed(null)
    : Effect.flatMap(
        Effect.try({
          try: () => readFileSync(file, "utf8"),
          catch: () => rejected(`names ${file}, which cannot be read`)
        }),
        (text) => {
          const found = text.match(certificate) ?? []
          if (found.length === 0) return Effect.fail(rejected(`names ${file}, which has no certificate in PEM form`))
          return found.every(isCertificate)
            ? Effect.succeed(found.join("\n"))
            : Effect.fail(rejected(`names ${file}, which has a damaged certificate`))
        }
      )

const isCertificate = (pem: string) => {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** Authorities that Node trusts in place of its own once any are given: its own, the environment's, and the operator's. */
export const authoritiesOf = (extra: string | null): { readonly ca?: ReadonlyArray<string> } =>
  extra === null ? {} : { ca: [...rootCertificates, ...ofFiles(process.env.NODE_EXTRA_CA_CERTS), extra] }

const ofFiles = (...files: ReadonlyArray<string | undefined>) =>
  files.flatMap((file) => (file !== undefined && existsSync(file) ? [readFileSync(file, "utf8")] : []))

/** Where the distributions keep the authorities that programs on the machine trust. */
const systemBundles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
  "/opt/homebrew/etc/openssl@3/cert.pem"
]

/**
 * A file with the authorities that git trusts anyway and the operator's: git takes one file only, and knows no others beside
 * it. None where the operator has none.
 */
export const gitAuthorities = (dataDir: string, extra: string | null): string | undefined => {
  if (extra === null) return undefined
  const { GIT_SSL_CAINFO, SSL_CERT_FILE } = process.env
  const usual = [GIT_SSL_CAINFO, SSL_CERT_FILE, ...systemBundles].find((file) => file !== undefined && existsSync(file))
  const file = join(dataDir, "authorities.pem")
  const building = `${file}.${process.pid}.new`
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(building, [...(usual === undefined ? rootCertificates : ofFiles(usual)), extra, ""].join("\n"))
  renameSync(building, file)
  return file
}
