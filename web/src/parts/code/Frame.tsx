import type { ReactNode } from "react"
import { ScrollGroup } from "../layout/ScrollGroup.tsx"
import styles from "./Code.module.css"

interface FrameProps {
  /** What stands before the path, for example a step's number and role. */
  readonly lead?: ReactNode
  readonly path?: string
  /** Beside the path, for example `52–61`. */
  readonly note?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** The box around code, with the path of its file; a path is cut at its start where there is no room. */
export const Frame = ({ lead, path, note, actions, children }: FrameProps) => (
  <div className={styles.frame}>
    {path === undefined && lead === undefined ? null : (
      <header className={styles.head}>
        {lead}
        {path === undefined ? null : (
          <span className={`${styles.path} clip`} title={path}>
            <bdi>{path}</bdi>
          </span>
        )}
        {note === undefined ? null : <span className={`${styles.note} num`}>{note}</span>}
        {actions === undefined ? null : <span className="line push">{actions}</span>}
      </header>
    )}
    {children}
  </div>
)

/** Scrolls sideways on its own and never wraps; reached by keyboard. */
export const Scroll = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <ScrollGroup className={styles.scroll} label={label}>
    {children}
  </ScrollGroup>
)
