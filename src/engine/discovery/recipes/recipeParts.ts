import { directoryOf } from "../../core/text/paths.ts"
import { at, code, type Guide, type GuideItem, type GuidePart, type Item } from "../Draft.ts"
import type { PlacedType } from "../domain/TypeHierarchy.ts"
import { GroupEvidence } from "../groupEvidence.ts"
import type { Group } from "../groups.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"
import { taskName } from "../skills.ts"
import type { Sibling } from "./Family.ts"

export const inPart = (part: GuidePart, items: ReadonlyArray<Item | null>): ReadonlyArray<GuideItem> =>
  items.flatMap((item) => (item === null ? [] : [{ ...item, part }]))

/** What the guide to adding another of something is called. */
export const namedAddition = (noun: string): Pick<Guide, "slug" | "title"> => {
  const task = taskName(noun)
  return { slug: task.replaceAll(/[^a-z\d]+/g, "-"), title: `A${task.slice(1)}` }
}

/** The name of a module that serves the others of its folder, or lists them; one that begins with an underscore is for them alone. */
export const isShared = /^(?:index|mod|main|utils?|helpers?|common|base|root|abstract\w*|types?|_\w+)$/i

export const siblingOf = ({ what: { name, line }, file }: PlacedType): Sibling => ({ name, line, file })

/** What another of those that share a base type is made as. */
export const shapeOf = ({ name, line, file }: Sibling): string =>
  `a type that derives from ${code(name)} (${at({ path: file.path, line })})`

/** The folder that most of some files are in, and how many of them. */
export const mainFolder = (files: ReadonlyArray<ObservedFile>): { readonly folder: string; readonly count: number } => {
  const counts = new Map<string, number>()
  for (const { path } of files) counts.set(directoryOf(path), (counts.get(directoryOf(path)) ?? 0) + 1)
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return { folder: best?.[0] ?? "", count: best?.[1] ?? 0 }
}

/** Where files like these are listed, how they are tested, and what history changed with them. */
export const aroundFiles = (survey: Survey, files: ReadonlyArray<ObservedFile>): ReadonlyArray<Item> => {
  const { folder } = mainFolder(files)
  const group: Group = {
    scope: { folder, role: "source" },
    files: files.filter(({ path }) => directoryOf(path) === folder),
    title: "",
    noun: ""
  }
  const evidence = new GroupEvidence(survey, [group])
  const listed = evidence.registry(group)
  const test = evidence.test(group)
  const changed = evidence
    .additions(group)
    .items.filter(({ cites }) => listed === null || cites[0]?.path !== listed.cites[0]!.path)
  return [...(listed === null ? [] : [listed]), ...changed, ...(test === null ? [] : [test])]
}
