import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { aFolder } from "./gitRepository.ts"

export interface ServerCertificate {
  readonly key: string
  readonly cert: string
}

export interface CertificateAuthority {
  /** The authority's own certificate, as PEM, and the file that holds it. */
  readonly pem: string
  readonly file: string
  /** A certificate for names and addresses, such as `DNS:git.example.test` and `IP:127.0.0.1`. */
  readonly certify: (...names: ReadonlyArray<string>) => ServerCertificate
}

const ofCurve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

/** A private certificate authority, as a company has its own. */
export const aCertificateAuthority = (): CertificateAuthority => {
  const folder = aFolder()
  const at = (name: string) => join(folder, name)
  const openssl = (...args: ReadonlyArray<string>) => execFileSync("openssl", args, { stdio: "pipe", cwd: folder })
  const request = ["req", ...ofCurve, "-keyout"]
  openssl(...request, "ca.key", "-x509", "-days", "2", "-subj", "/CN=An authority of a test", "-out", "ca.pem")
  let count = 0
  return {
    pem: readFileSync(at("ca.pem"), "utf8"),
    file: at("ca.pem"),
    certify: (...names) => {
      const name = `server${count++}`
      writeFileSync(at(`${name}.ext`), `subjectAltName=${names.join(",")}\n`)
      openssl(...request, `${name}.key`, "-subj", "/CN=A server of a test", "-out", `${name}.csr`)
      const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", `${name}.ext`]
      openssl("x509", "-req", "-in", `${name}.csr`, ...signed, "-out", `${name}.pem`)
      return { key: readFileSync(at(`${name}.key`), "utf8"), cert: readFileSync(at(`${name}.pem`), "utf8") }
    }
  }
}
