import type { ReactNode } from "react"
import { safeUrl } from "./safeUrl.ts"

/** A link to another site, as stored texts have them: it opens by itself and takes nothing with it. Others are only text. */
export const OutsideLink = ({
  url,
  children
}: {
  readonly url: string | null | undefined
  readonly children: ReactNode
}) => {
  const href = safeUrl(url)
  return href === null ? (
    children
  ) : (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
