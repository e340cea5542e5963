import { type ReactNode, useEffect } from "react"
import styles from "./layout.module.css"

export interface Crumb {
  readonly label: string
  readonly href: string
}

interface BarProps {
  readonly title: string
  /** The way here from the list that holds it. */
  readonly crumbs?: ReadonlyArray<Crumb>
  readonly actions?: ReactNode
  /** A word beside the title, for example how many there are. */
  readonly note?: ReactNode
  readonly children?: ReactNode
}

/** The line at the upper edge of a view; it names the document, too. */
export const Bar = ({ title, crumbs = [], actions, note, children }: BarProps) => {
  useEffect(() => {
    document.title = `${title} · Assay`
  }, [title])
  return (
    <header className={styles.bar}>
      {crumbs.length === 0 ? (
        <h1 className="clip">{title}</h1>
      ) : (
        <nav aria-label="Breadcrumb" className="clip">
          <ol className={styles.crumbs}>
            {crumbs.map(({ label, href }) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
            <li aria-current="page" className="clip">
              {title}
            </li>
          </ol>
        </nav>
      )}
      {note === undefined ? null : <span className="muted num">{note}</span>}
      {children}
      {actions === undefined ? null : <div className="line push">{actions}</div>}
    </header>
  )
}

interface PageProps extends BarProps {
  /** Facts beside the content; under it where there is no room. */
  readonly side?: ReactNode
}

/** Content, and facts beside it; under it where there is no room. */
export const Columns = ({ side, children }: { readonly side: ReactNode; readonly children: ReactNode }) => (
  <div className={styles.withSide}>
    <div>{children}</div>
    <aside className={styles.side}>{side}</aside>
  </div>
)

export const Page = ({ side, children, ...bar }: PageProps) => (
  <>
    <Bar {...bar} />
    <div className={styles.page}>{side === undefined ? children : <Columns side={side}>{children}</Columns>}</div>
  </>
)

/** The title of a page that has crumbs above it, the facts below the title, and what can be done. */
export const PageHead = ({
  title,
  facts,
  actions
}: {
  readonly title: string
  readonly facts?: ReactNode
  readonly actions?: ReactNode
}) => (
  <div className={styles.pageHead}>
    <div className="stack">
      <h1>{title}</h1>
      {facts === undefined ? null : <div className="line wrap soft">{facts}</div>}
    </div>
    {actions === undefined ? null : <div className="line wrap">{actions}</div>}
  </div>
)

export const Section = ({
  title,
  actions,
  children
}: {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => (
  <section className={styles.section}>
    <div className={`${styles.sectionHead} spread wrap`}>
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
)

export const Box = ({ children, padded = true }: { readonly children: ReactNode; readonly padded?: boolean }) => (
  <div className={padded ? `${styles.box} ${styles.padded}` : styles.box}>{children}</div>
)
