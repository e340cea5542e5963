/** What a check found, and where it is not as it should be, the way out. */
export interface Found {
  readonly status: "ok" | "warn" | "fail"
  readonly detail: string
}
