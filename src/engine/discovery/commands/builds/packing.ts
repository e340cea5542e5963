import { partsOf, purposeOfText } from "../words.ts"

interface Target {
  readonly name: string
  readonly body: ReadonlyArray<string>
}

/** Makes an archive: `tar -czf`, `zip -r`, `git archive`, and what Meson and Automake do by themselves. */
const packs =
  /(?:^|[\s;(&|])(?:(?:git|hg|fossil) archive|(?:\$[({]\w*TAR[)}]|g?tar)\s+(?:-C\s+\S+\s+|--\S+\s+)*-?(?![a-zA-Z]*x)[a-zA-Z]*c[a-zA-Z]*(?=\s|$)|(?:\$[({]ZIP[)}]|zip)\s+-\w*r|(?:g?make|ninja|meson|\$[({]MAKE[)}])\s[^;&|]{0,60}?\bdist(?:check)?(?=\s|$)|pax\s+-\w*w|shar\s)/m
const tags = /(?:^|[\s;(&|])(?:(?:git|hg|cvs)\s(?:-\S+\s)*r?tag|svn (?:cp|copy)\s.{0,200}\btags\/)/m
const publishes =
  /\b(?:(?:npm|cargo|poetry|uv|dotnet nuget|mix hex\.?|twine|dune-release|opam|gh release) (?:publish|upload|push|create)|gem push|twine upload|mvn\b.{0,80}\bdeploy|docker push|rpmbuild|dpkg-buildpackage|debuild|dput|rsync|scp|ftp|git push|dist-git|gpg\b.{0,60}\bsign)\b/m

/** Targets that pack the sources: most are named for the archive. */
const namesArchive =
  /^(?:dist|distro|export|archive|tarball|tar|targz|sdist|tar[-_.](?:gz|bz2|xz|file)|dist[-_](?:bz2|bzip2|gz|gzip|xz|zip)|(?:src|source|make|create|release)[-_]?(?:dist|archive|tar(?:ball|gz)?)|(?:dist|archive)[-_]?(?:src|source))$/
const namesTag = /^(?:git[-_]?)?tag(?:[-_]?(?:release|version))?$/

const namesVersion = /version|\$[({]?(?:VER|VSN|V|REL|RELEASE)[)}]|-\d+\.\d/i

/** What is packed is the tree, or what a variable or a pattern lists of its files. */
const packsSources =
  /\b(?:git|hg|fossil) archive\b|\bdist(?:check)?(?=\s|$)|(?:tar|zip|TAR[)}]|ZIP[)}])\s[^;&|\n]*\s(?:\.{1,2}\/?|\*(?:\.\w+)?|\$[({]\w*(?:SRCS?|SOURCES?|FILES|DIST\w*)[)}])(?=\s|$)/m

/** `package` packs what was built as often; the sources are files of a language, or what a variable lists. */
const packsFilesOfLanguage =
  /\b(?:git|hg|fossil) archive\b|(?:tar|TAR[)}])\s[^;&|\n]*\s(?:(?:\$[({]\w*srcdir[)}]\/)?\*\.(?:\[\w|(?:c|cc|cpp|h|py|pl|rb|java|go|hs|ml|pas|f90|lua|sh)(?=\s|$))|\$[({]\w*(?:SRCS?|SOURCES?|DIST_?FILES)[)}])/m

/** Of what a target does so many lines are looked at: targets that need each other are written in few lines. */
const MAX_LINES = 400

/** What a target asks of others is part of what it does. */
const textOf = (target: Target, all: ReadonlyArray<Target>): string => {
  const lines: Array<string> = []
  const asked = [target]
  for (const { body } of asked)
    for (const line of body) {
      if (lines.length >= MAX_LINES) return lines.join("\n")
      lines.push(line)
      const name = /^make ([\w.-]+)$/.exec(line)?.[1]
      const other = all.find((one) => one.name === name)
      if (other !== undefined && !asked.includes(other)) asked.push(other)
    }
  return lines.join("\n")
}

/** Each variable in it costs a pass over the file. */
const MAX_TEXT = 4000

/** Variables stand for what the file sets them to. */
const withVariables = (text: string, file: string): string =>
  text.slice(0, MAX_TEXT).replace(/\$[({]([A-Za-z]\w{0,30})[)}]/g, (whole, name: string) => {
    const set = new RegExp(`^[ \\t]*${name}[ \\t]*[:?]{0,2}=[ \\t]*([^\\n#]{1,120})`, "m").exec(file)?.[1]
    return set === undefined ? whole : `${whole} ${set}`
  })

/** Whether a target packs the sources under the name of a version, or tags one. */
export const makesRelease = (target: Target, all: ReadonlyArray<Target>, file: string): boolean => {
  if (target.name === "package")
    return packsFilesOfLanguage.test(target.body.join("\n")) && purposeOfText(target.body.join("\n")) !== "build"
  if (!namesTag.test(target.name) && !namesArchive.test(target.name)) return false
  const text = textOf(target, all)
  if (namesTag.test(target.name)) return tags.test(text)
  if (!packs.test(text)) return false
  if (namesVersion.test(withVariables(text, file))) return true
  return packsSources.test(text) && purposeOfText(target.body.join("\n")) !== "build"
}

/** Whether a script that is named for releases packs, tags or publishes one. */
export const shipsSomething = (script: string): boolean =>
  packs.test(script) || tags.test(script) || publishes.test(script) || partsOf(script).some(isRelease)

const isRelease = (part: string): boolean => purposeOfText(part) === "release"
