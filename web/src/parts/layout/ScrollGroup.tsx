import type { ReactNode } from "react"

interface ScrollGroupProps {
  /** What scrolls, for assistive technology. */
  readonly label: string
  readonly className: string | undefined
  readonly children: ReactNode
}

/** What scrolls on its own, reached by keyboard. A group and no landmark: a page may have many of the same name. */
export const ScrollGroup = ({ label, className, children }: ScrollGroupProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <div role="group" className={className} aria-label={label} tabIndex={0}>
    {children}
  </div>
)
