import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs"
import { CopyButton } from "../text/CopyButton.tsx"
import styles from "./SecretOnce.module.css"

export interface Snippet {
  readonly id: string
  /** The client that it sets up. */
  readonly name: string
  /** Where it goes: a file, or a shell. */
  readonly where: string
  readonly text: string
}

/** Ready-made texts to paste, one client a tab. */
export const Snippets = ({
  title,
  snippets
}: {
  readonly title: string
  readonly snippets: ReadonlyArray<Snippet>
}) => (
  <Tabs className={styles.snippets}>
    <div className="spread wrap">
      <h3>{title}</h3>
      <TabList aria-label={title} className={styles.tabs}>
        {snippets.map(({ id, name }) => (
          <Tab key={id} id={id} className={styles.tab}>
            {name}
          </Tab>
        ))}
      </TabList>
    </div>
    {snippets.map(({ id, name, where, text }) => (
      <TabPanel key={id} id={id} className={styles.panel}>
        <div className={`${styles.head} spread`}>
          <span className="clip">{where}</span>
          <CopyButton text={text} label={`Copy the set-up of ${name}`} words="Copy" />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className={styles.text} tabIndex={0} aria-label={`Set-up of ${name}`}>
          <pre>{text}</pre>
        </section>
      </TabPanel>
    ))}
  </Tabs>
)
