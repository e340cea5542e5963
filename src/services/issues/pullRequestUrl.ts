/** The page of a pull request. */
export interface PullRequestPage {
  /** One URL for all pages and spellings of a pull request. */
  readonly url: string
  /** Host, owner and name of its repository, where the URL is of a form that says so. */
  readonly repository: { readonly host: string; readonly owner: string; readonly name: string } | null
}

/** GitHub and Gitea, GitLab, Bitbucket: what follows the number is a page of the pull request. */
const forms = /^\/(.+?)\/([^/]+)\/(pull|pulls|-\/merge_requests|pull-requests)\/([1-9]\d*)(?:\/.*)?$/

/** `null` for what is no URL. */
export const pullRequestPage = (text: string): PullRequestPage | null => {
  if (!URL.canParse(text)) return null
  const { origin, host, pathname, search } = new URL(text)
  const [, owner, name, kind, number] = forms.exec(pathname) ?? []
  if (owner === undefined || name === undefined) {
    return { url: `${origin}${pathname.replace(/\/+$/, "")}${search}`, repository: null }
  }
  return { url: `${origin}/${owner}/${name}/${kind}/${number}`, repository: { host, owner, name } }
}
