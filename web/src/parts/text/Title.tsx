/** A title with what stands between backticks as code. */
export const Title = ({ text }: { readonly text: string }) =>
  text.split("`").map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
    index % 2 === 1 ? <code key={index}>{part}</code> : <span key={index}>{part}</span>
  )
