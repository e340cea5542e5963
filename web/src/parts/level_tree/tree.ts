interface Node {
  readonly slug: string
  readonly name: string
  readonly parent: string | null
}

/** Levels in the order of a tree, each with its depth; those whose level above is hidden stand at the top. */
export const inTreeOrder = <Level extends Node>(
  levels: ReadonlyArray<Level>
): ReadonlyArray<{ readonly level: Level; readonly depth: number }> => {
  const known = new Set(levels.map(({ slug }) => slug))
  const below = new Map<string | null, Array<Level>>()
  for (const level of levels) {
    const parent = level.parent !== null && known.has(level.parent) ? level.parent : null
    below.set(parent, [...(below.get(parent) ?? []), level])
  }
  const walk = (parent: string | null, depth: number): ReadonlyArray<{ level: Level; depth: number }> =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => a.name.localeCompare(b.name, "en"))
      .flatMap((level) => [{ level, depth }, ...walk(level.slug, depth + 1)])
  return walk(null, 0)
}
