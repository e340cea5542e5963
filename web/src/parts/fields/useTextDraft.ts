import { useState } from "react"

/** What is being written, and the version of the text that it was made from. */
interface TextDraft {
  readonly etag: string
  readonly text: string
}

const read = (key: string): TextDraft | null => {
  const stored = sessionStorage.getItem(key)
  return stored === null ? null : (JSON.parse(stored) as TextDraft)
}

/** A change of a text that is replaced as a whole; it survives a reload, together with what it was made from. */
export const useTextDraft = (name: string, current: TextDraft) => {
  const key = `text ${name}`
  const [draft, setDraft] = useState(() => read(key))
  const keep = (next: TextDraft | null) => {
    setDraft(next)
    if (next === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(next))
  }
  return {
    draft,
    write: (text: string) => keep({ etag: draft?.etag ?? current.etag, text }),
    /** The draft replaces this version when it is saved. */
    rebase: (etag: string) => keep({ etag, text: draft?.text ?? current.text }),
    forget: () => keep(null)
  }
}
