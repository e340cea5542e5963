import { matching, parsed, secret, setting, siteOf } from "../settingReaders.ts"
import { isPrivateKey } from "./privateKey.ts"

const allowed = "an https:// address without a query (http:// only on this machine)"

/** The operator's GitHub App; see docs/github-app.md. */
export const githubSettings = {
  githubAppId: setting(
    "ASSAY_GITHUB_APP_ID",
    "none",
    "ID of your GitHub App; see [GitHub App](docs/github-app.md).",
    parsed(null, matching(/^(?:\d{1,12}|Iv[\w.]{1,40})$/), "the app's ID or client ID")
  ),
  githubPrivateKey: setting(
    "ASSAY_GITHUB_PRIVATE_KEY",
    "none",
    "Private key of the app, PEM; line ends may be written `\\n`.",
    (name) => secret(name, isPrivateKey, "a private key in PEM, as GitHub gives it out")
  ),
  githubPrivateKeyFile: setting(
    "ASSAY_GITHUB_PRIVATE_KEY_FILE",
    "none",
    "File of that key, instead.",
    parsed(null, (path) => path, "a path")
  ),
  githubWebhookSecret: setting(
    "ASSAY_GITHUB_WEBHOOK_SECRET",
    "none",
    "Secret of the app's webhook; without one no delivery is accepted.",
    (name) => secret(name, (text) => text.length >= 16, "16 characters or more")
  ),
  githubUrl: setting(
    "ASSAY_GITHUB_URL",
    "`https://github.com`",
    "Address of an enterprise server.",
    parsed("https://github.com", siteOf, allowed)
  ),
  githubApiUrl: setting(
    "ASSAY_GITHUB_API_URL",
    "by `ASSAY_GITHUB_URL`",
    "Address of its REST API, where it is not `/api/v3` below it.",
    parsed(null, siteOf, allowed)
  )
} as const

/** Settings that have an effect only together with another one, and why. */
export const githubPairs: ReadonlyArray<readonly [string, string, string]> = [
  ["ASSAY_GITHUB_PRIVATE_KEY", "ASSAY_GITHUB_APP_ID", "it names the app whose key this is"],
  ["ASSAY_GITHUB_PRIVATE_KEY_FILE", "ASSAY_GITHUB_APP_ID", "it names the app whose key this is"],
  ["ASSAY_GITHUB_WEBHOOK_SECRET", "ASSAY_GITHUB_APP_ID", "it names the app whose webhook this is"]
]
