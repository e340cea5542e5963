/** Owner and name that a Git URL or path suggests: its last two parts; a part that cannot be a name is cleaned. */
export const namesOf = (url: string): { readonly github_org: string; readonly github_repo: string } => {
  const parts = url
    .trim()
    .replace(/[?#].*$/, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .replace(/^[a-z+]+:\/\//i, "")
    .split(/[/:]/)
    .filter((part) => part !== "")
  const repo = clean(parts.at(-1) ?? "")
  const org = clean(parts.length > 1 ? (parts.at(-2) ?? "") : "")
  return { github_org: org === "" ? "local" : org, github_repo: repo }
}

const clean = (part: string) =>
  part
    .replace(/^.*@/, "")
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replaceAll(/\.{2,}/g, ".")
    .replace(/^[.-]+/, "")
    .slice(0, 100)

/** Why a text is no address that a repository can be cloned from; null where it may be one. */
export const urlProblem = (url: string): string | null => {
  const text = url.trim()
  if (text === "") return "Enter the address that `git clone` would be given."
  if (/^https?:\/\/[^/]*:[^/]*@/.test(text))
    return "Leave user and password out of the address; add them under Settings, Code hosts."
  if (/^(https?|ssh|file|git):\/\/.+|^[^/\s]+@[^/\s]+:.+|^\/.+/.test(text)) return null
  return "Start with https://, ssh://, user@host: or, for a folder of the server, with /."
}
