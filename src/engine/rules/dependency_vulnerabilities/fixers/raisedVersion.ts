import { declined, type Edit, type FixSite, type Proposal } from "../../../core/fix/Fixer.ts"
import { type LockfileFormat, lockfileFormat } from "../../../dependencies/lockfiles/names.ts"
import { declaredInGradle, declaredInMaven, declaredInNuget, declaredInRequirements } from "./declaredVersion.ts"

const upgrade = /^Upgrade (\S+) (\S+) to (\S+) or later\.( .*)?$/

/** Where a file that people write says the version of the package at an offset. */
type Locate = (text: string, start: number, version: string) => ReadonlyArray<Edit> | string

const locators: Partial<Record<LockfileFormat, Locate>> = {
  requirements: declaredInRequirements,
  pom: declaredInMaven,
  gradle: declaredInGradle,
  csproj: declaredInNuget
}

/** Below 1, the second number says what the first one says later. */
const lineOf = (version: string): string => {
  const [major = "", minor = ""] = version.replace(/^v/, "").split(".")
  return major === "0" ? `0.${minor}` : major
}

const isSameLine = (from: string, to: string): boolean => lineOf(from) === lineOf(to)

/** Raises a version that the file itself decides to the lowest one without a known vulnerability. */
export const raisedVersion = ({ file, match }: FixSite): Proposal => {
  const format = lockfileFormat(file.path)
  const locate = format === null ? undefined : locators[format]
  if (locate === undefined) {
    return declined("The change needs digests of the new version, which only the package manager can fetch.")
  }
  const [, name = "", version = "", target = "", rest] = upgrade.exec(match.suggestedChange ?? "") ?? []
  if (target === "" || rest !== undefined) return declined("No single version is known that fixes all of it.")
  if (!isSameLine(version, target)) {
    return declined(`${target} is another major version, which may change what this code relies on.`)
  }
  const edits = locate(file.text, match.start, version)
  if (typeof edits === "string") return declined(edits)
  return {
    edits: edits.map((edit) => ({ ...edit, text: target })),
    summary: `Upgrade ${name.split(":").at(-1)!} to ${target}`
  }
}
