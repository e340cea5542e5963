export interface Section {
  readonly title: string
  readonly lines: ReadonlyArray<string>
  /** So many of its lines come before the further ones of any section. */
  readonly first: number
}

/** The first lines of every section, then further ones in the order of sections, as far as they fit. */
export const withinBytes = (max: number, title: string, sections: ReadonlyArray<Section>): string => {
  const filled = sections.filter(({ lines }) => lines.length > 0)
  const heading = ({ title }: Section): string => (title === "" ? "\n" : `\n## ${title}\n\n`)
  const counts = filled.map(() => 0)
  let room = max - Buffer.byteLength(title)
  for (const limit of [({ first }: Section) => first, () => Number.POSITIVE_INFINITY])
    for (const [index, section] of filled.entries())
      while (counts[index]! < Math.min(section.lines.length, limit(section))) {
        const line = section.lines[counts[index]!]!
        const bytes = Buffer.byteLength(line) + 1 + (counts[index] === 0 ? Buffer.byteLength(heading(section)) : 0)
        if (bytes > room) break
        room -= bytes
        counts[index] = counts[index]! + 1
      }
  return filled.reduce(
    (text, section, index) =>
      counts[index] === 0
        ? text
        : `${text}${heading(section)}${section.lines
            .slice(0, counts[index])
            .map((line) => `${line}\n`)
            .join("")}`,
    title
  )
}
