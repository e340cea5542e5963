import { styleText } from "node:util"
import { Effect } from "effect"

type Style = Parameters<typeof styleText>[0]
export type Paint = (style: Style, text: string) => string

export const plain: Paint = (_, text) => text

// The caller has looked at the stream; newer versions of Node would look at stdout again, whatever the stream is.
export const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false })

/** Colours where a person looks: on a terminal, unless NO_COLOR or TERM=dumb forbid it. */
export const paintFor = (stream: NodeJS.WriteStream): Paint =>
  stream.isTTY === true && stream.hasColors() ? coloured : plain

const steering = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Text of a repository must not steer the terminal. */
export const printable = (text: string): string => text.replace(steering, "\ufffd")

/** Resolves when the text has left, so that ending the process cuts nothing off. */
export const writeOut = (text: string): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    process.stdout.write(text, () => resume(Effect.void))
  })
