import { relative } from "./relative.ts"

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" })

/** An instant, relative to now; the absolute one appears on hover. */
export const Time = ({ at, long = false }: { readonly at: string; readonly long?: boolean }) => {
  const instant = new Date(at)
  const { short, words } = relative(instant, new Date())
  return (
    <time dateTime={at} title={absolute.format(instant)} className="num">
      {long ? words : <span aria-hidden="true">{short}</span>}
      {long ? null : <span className="hidden-text">{words}</span>}
    </time>
  )
}
