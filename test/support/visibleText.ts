import type { World } from "./samples.ts"
import { absentName, hiddenName } from "./visibleWorld.ts"
import type { Answer } from "./wire.ts"

/** What differs in any two responses, whatever they show. The length is that of the text, which is compared itself. */
const ownOfResponse = new Set(["date", "x-request-id", "etag", "set-cookie", "content-length"])

const patterns = new WeakMap<World, RegExp>()

/** The references of a world, made into one pattern once. */
const referencesOf = (world: World): RegExp => {
  const known = patterns.get(world)
  if (known !== undefined) return known
  const { etag: _, criterion: __, ...issues } = world.issues
  const references = [
    ...[...world.open, world.closed, world.change_review],
    ...[...Object.values(issues), ...world.missions.free],
    ...Object.values(world.missions.of).map(({ ref }) => ref)
  ]
  const made = new RegExp(`(?:${references.join("|")})\\b`, "g")
  patterns.set(world, made)
  return made
}

/** A text without what sets two equal workspaces apart: IDs, times, secrets, and the names that the caller sent. */
export const withoutNames = (text: string, world: World): string =>
  text
    .replaceAll(referencesOf(world), "<ref>")
    .replaceAll(hiddenName, absentName)
    .replaceAll(/owner-[0-9a-f]{8}@/g, "owner@")
    .replaceAll(/@[ab]\.example\.org/g, "@example.org")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>")
    .replaceAll(/req_[0-9a-f]{32}/g, "<request>")
    .replaceAll(/\b[0-9a-f]{32}\b/g, "<digest>")
    .replaceAll(/\basy_\w+/g, "<key>")
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "<time>")
    .replaceAll(/("(?:next_cursor|csrf_token)":)"[^"]+"/g, '$1"<secret>"')

/** A response as its caller sees it. */
export const comparable = ({ status, headers, text }: Answer, world: World): string =>
  JSON.stringify([
    status,
    withoutNames(text, world),
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${ownOfResponse.has(name) ? "" : String(value)}`)
      .sort()
  ])

/** Cursors of a text with their positions readable. */
export const withOpenCursors = (text: string): string =>
  text.replaceAll(/"next_cursor":"([^".]+)[^"]*"/g, (_, body: string) => Buffer.from(body, "base64url").toString())

/** Where two texts part, with a little around it; null where they are equal. */
export const difference = (left: string, right: string): string | null => {
  if (left === right) return null
  let at = 0
  while (left[at] === right[at]) at++
  return `…${left.slice(Math.max(0, at - 120), at + 160)}… is …${right.slice(Math.max(0, at - 120), at + 160)}… of the plain workspace`
}
