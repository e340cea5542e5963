import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Entity } from "../Observed.ts"

const MAX_CLASSES = 120
const MAX_FIELDS = 40

const firstName = /<name>\s*([A-Za-z]\w{1,60})\s*<\/name>/

const namesIn = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].slice(0, MAX_FIELDS)

export const isModello = ({ path, role }: SourceFile): boolean => role === "source" && path.endsWith(".mdo")

/** Classes that a build of Maven generates from a model of Modello, with what they are read from and written to. */
export const modelloClasses = (file: SourceFile): ReadonlyArray<Entity> =>
  [...file.text.matchAll(/<class(?:\s[^<>]{0,200})?>/g)].slice(0, MAX_CLASSES).flatMap((match) => {
    const from = match.index + match[0].length
    const end = file.text.indexOf("</class>", from)
    const text = file.text.slice(from, end < 0 ? from : end)
    const name = firstName.exec(text)
    return name === null
      ? []
      : [
          {
            name: name[1]!,
            as: "class of a Modello model",
            line: file.line(from + name.index),
            fields: namesIn(text, /<field(?:\s[^<>]{0,200})?>\s*<name>\s*(\w{1,60})\s*<\/name>/g),
            relations: namesIn(text, /<association(?:\s[^<>]{0,200})?>\s*<type>\s*([A-Z]\w{1,60})\s*<\/type>/g)
          }
        ]
  })
