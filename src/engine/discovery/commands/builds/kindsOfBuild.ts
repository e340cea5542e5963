import { endOfSection, isTitle } from "../documentSections.ts"

const kindOf = (name: string): RegExp =>
  new RegExp(
    `^(?:(?:build|compil)(?:e|ing)?\\s+)?(?:(?:in|for)\\s+)?${name}(?:\\s+(?:builds?|mode|configuration|type|variant))?\\s*:?$`,
    "i"
  )
const ofRelease = kindOf("release")
const ofDebugging = kindOf("debug")

const isAlone = /^(?:build\s+)?release\s*:?$/i

/** What a section says to configure or compile, and words of one that ships a version. */
const builds =
  /(?:^|[\s`$])(?:meson|cmake|ninja|qmake|scons|xcodebuild|msbuild|dune build|(?:\.\/)?configure|(?:g?make|cargo build|ant)(?=\s*(?:[`\n]|$|-|[A-Z]+=)))/m
const ships = /\b(?:tag(?:ged)?|publish\w*|upload\w*|push|bump|sign|announce|changelog|tarball|twine|deploy\w*|dist)\b/i

/** A title without its marks. */
export const titleAt = (lines: ReadonlyArray<string>, index: number): string =>
  lines[index]!.replace(/^#{1,6}\s+|\s*#*\s*$/g, "").trim()

/**
 * Titles of sections that name a kind of build and no version of the product: "Release" beside "Debug", or above nothing but what
 * configures and compiles.
 */
export const kindsOfBuild = (lines: ReadonlyArray<string>): ReadonlySet<string> => {
  const titles = lines.flatMap((_, index) => (isTitle(lines, index) ? [index] : []))
  const hasDebug = titles.some((index) => ofDebugging.test(titleAt(lines, index)))
  const isKind = (index: number): boolean => {
    const title = titleAt(lines, index)
    if (!ofRelease.test(title)) return false
    const body = lines.slice(index + 1, endOfSection(lines, index)).join("\n")
    return !ships.test(body) && (hasDebug || !isAlone.test(title) || builds.test(body))
  }
  return new Set(titles.filter(isKind).map((index) => titleAt(lines, index)))
}
