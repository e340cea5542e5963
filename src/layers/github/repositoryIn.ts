import { Option } from "effect"
import type { GitHubRepository } from "../../services/ports/GitHubApp.ts"

const scpForm = /^[\w.-]+@([A-Za-z0-9.-]+):([^\s]+)$/

const addressOf = (cloneUrl: string): { readonly host: string; readonly path: string } | null => {
  const [, host, path] = scpForm.exec(cloneUrl) ?? []
  if (host !== undefined && path !== undefined) return { host: host.toLowerCase(), path }
  if (!URL.canParse(cloneUrl)) return null
  const url = new URL(cloneUrl)
  return /^(?:https?|ssh):$/.test(url.protocol) ? { host: hostOf(url), path: url.pathname } : null
}

/** An ssh address names the same server under another port. */
const hostOf = (url: URL) => (url.protocol === "ssh:" ? url.hostname : url.host).toLowerCase()

/** The repository on the GitHub at `site` that a clone URL means. */
export const repositoryIn = (site: string, cloneUrl: string): Option.Option<GitHubRepository> => {
  const address = addressOf(cloneUrl.trim())
  const { host, hostname } = new URL(site)
  if (address === null || ![host, hostname].includes(address.host)) return Option.none()
  const [, owner, repo] = /^\/*([\w.-]+)\/([\w.-]+?)(?:\.git)?\/*$/.exec(address.path) ?? []
  return owner === undefined || repo === undefined ? Option.none() : Option.some({ owner, repo })
}
