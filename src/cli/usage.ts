import { childOf, type HelpNode, nameOf, optionNames } from "./help.ts"
import { nearest } from "./nearest.ts"

/**
 * What is wrong with the words of a command line, before its parser sees them; null when nothing is. The parser blames
 * whichever argument comes next for an option that does not exist.
 */
export const usageError = (root: HelpNode, args: ReadonlyArray<string>): string | null => {
  let node = root
  const path = [nameOf(root)]
  const words = [...args]
  while (node.children !== undefined) {
    const word = words.shift()
    if (word === undefined || word.startsWith("-")) return null
    const next = childOf(node, word)
    if (next === undefined) {
      const names = node.children.map(nameOf)
      return `there is no command ${JSON.stringify([...path.slice(1), word].join(" "))}.${nearest(word, names)}`
    }
    node = next
    path.push(word)
  }
  const known = optionNames(node)
  const end = words.indexOf("--")
  const written = (end === -1 ? words : words.slice(0, end)).filter((word) => /^--?[a-zA-Z]/.test(word))
  const unknown = written.map((word) => word.split("=", 1)[0]!).find((word) => !known.has(word))
  return unknown === undefined ? null : `${path.slice(1).join(" ")} has no option ${unknown}.${nearest(unknown, known)}`
}
