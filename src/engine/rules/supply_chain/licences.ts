import { roleOf } from "../../core/files/FileRole.ts"
import { type EmitAt, type Project } from "../../core/tool/AuditTool.ts"
import { readJson, unescaped } from "../../dependencies/lockfiles/jsonEvents.ts"
import type { LockedPackage } from "../../dependencies/lockfiles/LockedPackage.ts"
import type { RuleId } from "./rules.ts"

export type Row = readonly [name: string, version: string, licence: string, start: number, end: number]

const copyleft = /^(?:A?GPL)-\d(?:\.\d)?(?:-only|-or-later|\+)?$/i
const permissive = /^(?:MIT|MIT-0|ISC|0BSD|Unlicense|Zlib|Apache-2\.0|BSD-[234]-Clause|CC0-1\.0)$/i

/** Every choice that a licence leaves is strong copyleft; what has an exception is none of our business. */
const asksForTheWhole = (licence: string): boolean => {
  if (licence.length > 200 || /\bWITH\b/i.test(licence)) return false
  return licence
    .replace(/[()]/g, " ")
    .split(/\s+OR\s+/i)
    .every((choice) => choice.split(/\s+AND\s+/i).some((part) => copyleft.test(part.trim())))
}

export const copyleftRows = (packages: ReadonlyArray<LockedPackage>): ReadonlyArray<Row> | undefined => {
  const rows = packages.flatMap(
    ({ name, version, licence, dev, start, end }): ReadonlyArray<Row> =>
      licence !== undefined && dev !== true && asksForTheWhole(licence) ? [[name, version, licence, start, end]] : []
  )
  return rows.length === 0 ? undefined : rows
}

const manifests: Readonly<Record<string, string>> = {
  "package-lock.json": "package.json",
  "npm-shrinkwrap.json": "package.json",
  "composer.lock": "composer.json"
}

/** What the manifest says of itself; null unless that is one permissive licence, or a choice of several. */
const ownLicence = (text: string): string | null => {
  let licence: string | null = null
  readJson(text, {
    enter: (path) => path.length === 0,
    leave: () => undefined,
    scalar: (path, key, start, end) => {
      if (path.length === 1 && key.text === "license") licence = unescaped(text.slice(start, end))
    }
  })
  return licence !== null && permissive.test(licence) ? licence : null
}

export const licenceConflicts = (
  path: string,
  rows: ReadonlyArray<Row>,
  project: Project,
  emit: EmitAt<RuleId>
): void => {
  const slash = path.lastIndexOf("/") + 1
  const manifest = manifests[path.slice(slash)]
  if (manifest === undefined || roleOf(`${path.slice(0, slash)}x`) !== "source") return
  const own = ownLicence(project.manifest(`${path.slice(0, slash)}${manifest}`) ?? "")
  if (own === null) return
  for (const [name, version, licence, start, end] of rows) {
    emit(path, {
      rule: "licence_conflict",
      start,
      end,
      title: `${name} is licensed ${licence} in a project under ${own}`,
      message: `\`${name}\` ${version} is licensed ${licence}, and \`${manifest}\` says that this project is ${own}.`
    })
  }
}
