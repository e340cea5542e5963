import type { IconName } from "../icon/Icon.tsx"

export interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  readonly keyCap?: string
  readonly run: () => void
  readonly isDisabled?: boolean
}
