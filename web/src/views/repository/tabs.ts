/** The pages of a repository beside its overview, by the last part of their address. */
export const tabNames = {
  discovery: "Discovery",
  knowledge: "Knowledge",
  rules: "Rules",
  guidance: "Guidance",
  jobs: "Jobs",
  "fix-prs": "Fix pull requests",
  reviews: "Reviews",
  settings: "Settings"
} as const

export type TabName = keyof typeof tabNames

export const isTab = (tab: string): tab is TabName => Object.hasOwn(tabNames, tab)
