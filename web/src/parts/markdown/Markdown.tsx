import { Component, type ReactNode } from "react"
import ReactMarkdown from "react-markdown"
import remarkGfm from "remark-gfm"
import { boundDepth } from "./boundDepth.ts"
import { elementsFor } from "./elements.tsx"
import styles from "./Markdown.module.css"
import { safeUrl } from "./safeUrl.ts"

interface MarkdownProps {
  readonly text: string
  /** Level of the heading that the text stands under. */
  readonly below?: 1 | 2 | 3 | 4 | 5
}

const plugins = [remarkGfm, boundDepth]

/** The text as it was written, where it is nested too deeply to be shown otherwise. */
class Guarded extends Component<{ readonly text: string; readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <pre className={styles.source}>{this.props.text}</pre> : this.props.children
  }
}

/**
 * A stored text in Markdown: HTML in it is text, links to http, https and mailto only, and no image, which another
 * server would have to send.
 */
export const Markdown = ({ text, below = 2 }: MarkdownProps) => (
  <div className={styles.markdown}>
    <Guarded key={text} text={text}>
      <ReactMarkdown remarkPlugins={plugins} components={elementsFor(below)} urlTransform={(url) => safeUrl(url) ?? ""}>
        {text}
      </ReactMarkdown>
    </Guarded>
  </div>
)
