import type { Word } from "./words.ts"

export type Captured = Readonly<Record<string, Word>>

interface Slot {
  readonly words: ReadonlySet<string>
  /** Name under which any word is kept; null for a slot of listed words. */
  readonly captures: string | null
  readonly isOptional: boolean
}

/**
 * A way to say something: `tests|test changed with? <what>`. A word must be one of those that `|` separates, `?` makes it
 * optional, and `<name>` keeps any word. A phrase is the whole text, since more words may ask for more.
 */
export class Phrase {
  private readonly slots: ReadonlyArray<Slot>

  constructor(template: string) {
    this.slots = template.split(" ").map((part) => {
      const isOptional = part.endsWith("?")
      const body = isOptional ? part.slice(0, -1) : part
      const captures = /^<(\w+)>$/.exec(body)?.[1] ?? null
      return { words: new Set(captures === null ? body.split("|") : []), captures, isOptional }
    })
  }

  /** What the phrase keeps of a text; null when the text says something else. */
  read(words: ReadonlyArray<Word>): Captured | null {
    return words.length > this.slots.length ? null : this.from(words, 0, 0)
  }

  private from(words: ReadonlyArray<Word>, at: number, slotAt: number): Captured | null {
    const slot = this.slots[slotAt]
    if (slot === undefined) return at === words.length ? {} : null
    const word = words[at]
    if (word !== undefined && fits(slot, word)) {
      const rest = this.from(words, at + 1, slotAt + 1)
      if (rest !== null) return slot.captures === null ? rest : { ...rest, [slot.captures]: word }
    }
    return slot.isOptional ? this.from(words, at, slotAt + 1) : null
  }
}

const fits = ({ words, captures }: Slot, { word, isQuoted }: Word): boolean =>
  captures !== null || (!isQuoted && words.has(word))
