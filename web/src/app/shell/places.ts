import type { LinkProps } from "@tanstack/react-router"
import type { IconName } from "../../parts/icon/Icon.tsx"

export interface Place {
  readonly label: string
  readonly icon: IconName
  readonly to: LinkProps["to"]
  /** The key after `g` that leads there. */
  readonly key?: string
}

/** Where the frame leads, by group. */
export const places: ReadonlyArray<{ readonly group: string; readonly places: ReadonlyArray<Place> }> = [
  {
    group: "Work",
    places: [
      { label: "Triage", icon: "triage", to: "/triage", key: "t" },
      { label: "Fix pull requests", icon: "pr", to: "/fix-prs" },
      { label: "Issues", icon: "issue", to: "/issues", key: "i" },
      { label: "Missions", icon: "mission", to: "/missions", key: "m" },
      { label: "Change reviews", icon: "review", to: "/change-reviews" }
    ]
  },
  {
    group: "Code",
    places: [
      { label: "Repositories", icon: "repo", to: "/repos", key: "r" },
      { label: "Jobs", icon: "job", to: "/jobs", key: "j" },
      { label: "Trends", icon: "trend", to: "/trends" }
    ]
  },
  {
    group: "Shared",
    places: [
      { label: "Team context", icon: "context", to: "/context", key: "c" },
      { label: "API keys", icon: "key", to: "/keys", key: "k" },
      { label: "Settings", icon: "settings", to: "/settings", key: "s" }
    ]
  }
]
