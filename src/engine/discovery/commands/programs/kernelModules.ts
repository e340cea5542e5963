import { directoryOf } from "../../../core/text/paths.ts"
import { lineOf, type Survey } from "../../Survey.ts"

interface KernelModule {
  readonly name: string
  readonly folder: string
  readonly path: string
  readonly line: number
}

const modules = /^[ \t]*obj-(?:m|\$\(\w+\))[ \t]*[:+?]?=[ \t]*([\w -]*\w)\.o\b/gm

/** Modules that a Makefile has the kernel's own build make. */
export const modulesOfKernel = (survey: Survey): ReadonlyArray<KernelModule> =>
  survey.sourceTexts(/^(?:[\w.-]+\/){0,2}(?:Makefile(?:\.in)?|Kbuild)$/).flatMap(({ path, text }) =>
    [...text.matchAll(modules)].map(([line, names]) => ({
      name: names!.trim().split(/\s+/).at(-1)!,
      folder: directoryOf(path),
      path,
      line: lineOf(text, line!.trim()) ?? 1
    }))
  )
