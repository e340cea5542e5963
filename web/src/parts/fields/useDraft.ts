import { useCallback, useState } from "react"

const read = (key: string): string => sessionStorage.getItem(key) ?? ""

/** A text that is being written; it survives a reload, and `forget` ends it once it is sent. */
export const useDraft = (name: string) => {
  const key = `draft ${name}`
  const [text, setText] = useState(() => read(key))
  const write = useCallback(
    (next: string) => {
      setText(next)
      if (next === "") sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, next)
    },
    [key]
  )
  const forget = useCallback(() => sessionStorage.removeItem(key), [key])
  return { text, write, forget }
}
