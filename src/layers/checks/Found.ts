/** What a check found, and where it is not as it should be, the way out. */
export interface Found {
  readonly status: "ok" | "warn" | "fail"
  readonly detail: string
  /** The same for owners of workspaces, who need not be the operator: without paths, addresses and texts of errors. */
  readonly shown?: string
}

export const ok = (detail: string, shown?: string): Found => found("ok", detail, shown)
export const warn = (detail: string, shown?: string): Found => found("warn", detail, shown)
export const fail = (detail: string, shown?: string): Found => found("fail", detail, shown)

const found = (status: Found["status"], detail: string, shown: string | undefined): Found => ({
  status,
  detail,
  ...(shown === undefined ? {} : { shown })
})
