import { useState } from "react"
import { Button, IconButton } from "../button/Button.tsx"

/** Copies a text and says so; where the browser refuses, the text is selected by hand as ever. */
export const CopyButton = ({
  text,
  label,
  words
}: {
  readonly text: string
  readonly label: string
  readonly words?: string
}) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false)
    )
  }
  if (words === undefined)
    return <IconButton small icon={copied ? "check" : "copy"} label={copied ? "Copied" : label} onPress={copy} />
  return (
    <Button small icon={copied ? "check" : "copy"} onPress={copy} aria-label={copied ? "Copied" : label}>
      {copied ? "Copied" : words}
    </Button>
  )
}
