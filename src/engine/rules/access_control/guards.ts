import type { SourceFile } from "../../core/files/SourceFile.ts"
import { asksWho } from "../../structure/routes/Route.ts"
import { byGroup, type Entry, entries, isGuarded } from "./handlers.ts"

/** A route that lacks what its siblings have, unless something in another file covers it. Plain data. */
export interface Candidate {
  readonly rule: "unguarded_mutation" | "unguarded_admin_route"
  readonly start: number
  readonly end: number
  readonly message: string
}

const MIN_GUARDED = 3
const MAX_UNGUARDED = 2

/** Routes that are used before, or instead of, logging in. */
const publicRoutes =
  /log_?-?(?:in|out|on|off)|sign_?-?(?:in|up|out|on)|regist|password|forgot|reset|verif|confirm|activat|web_?-?hook|callback|\bhooks?\b|oauth|saml|sso|token|refresh|health|ping|public|contact|subscri|newsletter|invit|track|beacon|csp|search|quer(?:y|ies)|preview|graphql|captcha|feedback|\bauth|session|otp|2fa|mfa|magic|validat|check|setup|install|onboard|guest|anonym|wizard|checkout|payment|stripe|paypal|notify|ipn|share|form|survey|rsvp|consent|cookie|locale|language|theme|error|log\b|metrics|status|batch_get|calculate|estimate|quote|convert/i

/** The handler checks the caller itself, or is protected in another way. */
const checksCaller =
  /\b(?:current_?user|currentUser|req(?:uest)?\.(?:user|auth|session|account|principal)|ctx\.(?:state\.)?user|session\[|getSession|getServerSession|auth\(\)|authenticat|authoriz|authorise|permission|isAdmin|is_admin|is_staff|has_role|hasRole|hasAuthority|can\?|allowed_to|require_|requires_|SecurityContext|Principal|User\.(?:Identity|IsInRole|Claims|FindFirst)|Forbid\(|Unauthorized|401|403|forbidden|signature|hmac|api_?key|verify|token|secret)/i

const quoted = (names: ReadonlyArray<string>): string => names.map((name) => `\`${name.slice(0, 60)}\``).join(", ")

/** The guard most siblings share. */
const usual = (guarded: ReadonlyArray<Entry>): { readonly name: string; readonly count: number } => {
  const counts = new Map<string, number>()
  for (const { guards } of guarded) {
    for (const name of new Set(guards.filter(asksWho))) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const [name, count] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0] ?? ["", 0]
  return { name, count }
}

const isExempt = (entry: Entry): boolean =>
  entry.isOpen ||
  publicRoutes.test(entry.label) ||
  checksCaller.test(entry.body) ||
  entry.guards.some((name) => /sign|hmac|secret|webhook|internal|basic/i.test(name))

const admin = /(?:^|[/_#.-])admin(?:istrator|istration|s)?(?:[/_#.-]|$)/i

const inGroup = (group: ReadonlyArray<Entry>): ReadonlyArray<Candidate> => {
  const mutating = group.filter((entry) => entry.isMutating)
  const guarded = mutating.filter(isGuarded)
  const bare = mutating.filter((entry) => !isGuarded(entry) && !isExempt(entry))
  const { name, count } = usual(guarded)
  const found: Array<Candidate> = []
  if (count >= MIN_GUARDED && bare.length <= MAX_UNGUARDED && bare.length * 2 <= guarded.length) {
    for (const { start, end, label } of bare) {
      const message = `\`${label}\` changes data without ${quoted([name])}, which guards ${count} of the ${mutating.length} routes of this group that change data.`
      found.push({ rule: "unguarded_mutation", start, end, message })
    }
  }
  const admins = group.filter(({ path }) => admin.test(path))
  const guardedAdmins = admins.filter(isGuarded)
  const open = admins.filter((entry) => !isGuarded(entry) && !entry.isMutating && !isExempt(entry))
  if (guardedAdmins.length >= MIN_GUARDED && open.length > 0 && open.length <= MAX_UNGUARDED) {
    for (const { start, end, label } of open) {
      const message = `\`${label}\` is an administration route without ${quoted([usual(guardedAdmins).name])}, which guards ${guardedAdmins.length} others here.`
      found.push({ rule: "unguarded_admin_route", start, end, message })
    }
  }
  return found
}

export const candidatesOf = (file: SourceFile): ReadonlyArray<Candidate> =>
  entries(file).length < MIN_GUARDED + 1 ? [] : byGroup(entries(file)).flatMap(inGroup)

/** A setting that guards all routes of a program, whatever they declare themselves. */
const everywhere =
  /anyRequest\(\)\s*\.\s*(?:authenticated|fullyAuthenticated|hasRole|hasAuthority)|FallbackPolicy|AuthorizeFilter\(|MapControllers\(\)\s*\.RequireAuthorization|\bAPP_GUARD\b|useGlobalGuards\(|DEFAULT_PERMISSION_CLASSES|Login(?:Required|NotRequired)Middleware|@app\.before_request|\.before_request\(|FastAPI\([^)]{0,300}dependencies\s*=/

/** Whether the file guards everything: in Rails, a base controller's filter. */
export const guardsEverything = (file: SourceFile): boolean => {
  if (file.language !== "ruby") return everywhere.test(file.text)
  return (
    /class\s+(?:\w+::)*(?:Application|Base|Admin(?:::)?Base|Authenticated)Controller\b/.test(file.text) &&
    /\bbefore_(?:action|filter)\s+:\w*(?:auth|login|sign|session|user)/.test(file.text)
  )
}
