import type { ReactNode } from "react"
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components/Button"
import { Icon, type IconName } from "../icon/Icon.tsx"
import { KeyCap } from "../text/KeyCap.tsx"
import { type Look, lookOf } from "./look.ts"

interface ButtonProps extends Omit<AriaButtonProps, "children" | "className" | "style" | "isPending">, Look {
  /** Its work is under way. */
  readonly isPending?: boolean
  readonly children: ReactNode
  readonly icon?: IconName
  /** It opens a menu, which an arrow behind the words says. */
  readonly opensMenu?: boolean
  /** The key that does the same, shown beside the words. */
  readonly keyCap?: string
}

/** A verb and its object. The one primary button of a view is ink. While it is pending it stays in focus and does nothing. */
export const Button = ({
  children,
  icon,
  keyCap,
  look,
  small,
  isPending = false,
  opensMenu = false,
  ...rest
}: ButtonProps) => (
  <AriaButton
    {...rest}
    {...(isPending ? { onPress: undefined, type: "button" } : {})}
    data-pending={isPending || undefined}
    className={lookOf({ look, small })}
  >
    {isPending ? <Icon name="run" turning /> : icon === undefined ? null : <Icon name={icon} />}
    {children}
    {isPending ? <span className="hidden-text">, under way</span> : null}
    {opensMenu ? <Icon name="down" /> : null}
    {keyCap === undefined ? null : <KeyCap>{keyCap}</KeyCap>}
  </AriaButton>
)

interface IconButtonProps extends Omit<AriaButtonProps, "children" | "className" | "style" | "aria-label">, Look {
  readonly icon: IconName
  /** What it does, for those who do not see the icon. */
  readonly label: string
}

export const IconButton = ({ icon, label, look = "ghost", small, ...rest }: IconButtonProps) => (
  <AriaButton {...rest} aria-label={label} className={lookOf({ look, small }, true)}>
    <Icon name={icon} />
  </AriaButton>
)
