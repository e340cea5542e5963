import type { SourceFile } from "../../core/files/SourceFile.ts"
import { isDatabaseUpkeep } from "../../core/files/upkeep.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { qualifiedName } from "../../languages/code/qualifiedName.ts"
import { assignments, type Call, calls, enclosingFunction, importedNames } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { functionNameOf, isBuried, matchAt, spaced, targetsOf } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsRandom = /rand|uniqid|shuffle|\.sample\b/i

const generators: Partial<Record<SourceFile["language"], RegExp>> = {
  python: /^random\.(?:random|randint|randrange|choice|choices|sample|getrandbits|uniform|shuffle|randbytes)$/,
  go: /^math\/rand\.(?:Int|Intn|Int31|Int31n|Int63|Int63n|IntN|N|Uint32|Uint64|Read|Perm|Float64|Shuffle)$/,
  java: /^(?:Math\.random|(?:java\.util\.concurrent\.)?ThreadLocalRandom\.current|(?:org\.apache\.commons\.lang3?\.)?RandomStringUtils\.random\w*)$/,
  php: /^\\?(?:rand|mt_rand|uniqid|lcg_value|array_rand|str_shuffle)$/,
  ruby: /^(?:rand|Kernel\.rand|Random\.rand|Random\.new)$/,
  csharp: /^Random\.Shared\.Next\w*$/
}
const javascript = /^Math\.random$/
/** Objects of these types are generators; their methods are the draws. */
const generatorTypes = /^new\s+(?:java\.util\.)?(?:System\.)?Random\s*\(/
const draws = /^(?:next\w*|Next\w*|ints)$/

const generatorOf = (file: SourceFile): RegExp | undefined =>
  /^(?:typescript|tsx|javascript)$/.test(file.language) ? javascript : generators[file.language]

/** What no one may guess, as the last words of a name. */
const secretName =
  / (?:password|passwd|passphrase|passcode|secret|salt|otp|csrf|xsrf|(?:auth|access|reset|session|remember|csrf|xsrf|security|login|activation|verification|confirm|confirmation|invite|api|refresh|bearer|signup|email|magic|user|private|secret|encryption|signing|master|temp|temporary|default|new|random|generated|one time|client|cookie)* ?(?:token|password|secret)|(?:reset|verification|activation|confirmation|invite|invitation|auth|authorization|login|security|pin|otp|sms|mfa|recovery|backup|access) codes?|(?:session|csrf|api|auth|private|secret|encryption|signing|access) ?(?:id|key)|session id|sid|sessid|apikey|credentials?|totp|pin) (?:str |string |value |hash |hex )?$/
const makes =
  /^ (?:(?:_ )?(?:generate|gen|create|make|random|rand|new|build|get|generated|produce|mint|issue) (?:a |an |new |random |secure |rand |unique |temp |temporary |strong |simple )*)/
const innocent =
  / (?:test|mock|fake|dummy|sample|example|seed|jitter|delay|timeout|backoff|retry|retries|interval|sleep|index|color|colour|port|animation|shuffle|weights?|probability|logits?|nlp|tokenizer|vocab|next|word|words|placeholder|cache|design|lexer|parser|sampling|dropout|mask|cancel|cancellation|idempotency|trace|span|request|correlation|query|graph|css|element|dom|component|react|key frame) /

/** Session ids of calls and of measurements number things; they open nothing. */
const mediaSession = /(?:^|[\W_])(?:sdp|rtc|webrtc|sip|rtp|analytics|telemetry|metrics|tracking)(?:[\W_]|$)/i

const isSecretMaker = (name: string): boolean => {
  const words = spaced(name)
  if (innocent.test(words)) return false
  const made = makes.exec(words)
  return made !== null && secretName.test(` ${words.slice(made[0].length)}`)
}

const objects = (file: SourceFile): ReadonlySet<string> => {
  const names = new Set<string>()
  if (file.language !== "java" && file.language !== "csharp") return names
  const tree = file.tree!
  for (const { name, value } of assignments(file)) {
    if (value !== NONE && generatorTypes.test(tree.textOf(value).slice(0, 60))) names.add(name)
  }
  // A fallback for where the system's generator is missing.
  for (const { name, value } of assignments(file)) {
    if (value !== NONE && /^(?:new )?(?:java\.security\.)?SecureRandom/.test(tree.textOf(value).slice(0, 40)))
      names.delete(name)
  }
  return names
}

/** Files without a predictable generator, or that number sessions of media and measurements. */
const isExcluded = (file: SourceFile): boolean => {
  if (mediaSession.test(file.path)) return true
  if (file.language === "python") return !file.text.includes("random") || /SystemRandom/.test(file.text)
  return (
    file.language === "java" &&
    /SecureRandom/.test(file.text) &&
    !/new Random\(|Math\.random|ThreadLocalRandom|RandomStringUtils/.test(file.text)
  )
}

/** A call on an object that generates numbers, assigned before or created there. */
const isObjectDraw = (call: Call, generatorNames: ReadonlySet<string>): boolean => {
  if (call.receiver === null || !draws.test(call.method)) return false
  if (generatorNames.has(call.receiver.replace(/^this\./, ""))) return true
  return call.isNew === false && generatorTypes.test(call.receiver)
}

const isImported = (file: SourceFile, call: Call): boolean =>
  file.language !== "python" || importedNames(file).has(call.callee.split(".", 1)[0]!)

/** Whether a call of this file draws from a general-purpose generator. */
export const drawsOf = (file: SourceFile): ((call: Call) => boolean) => {
  const generator = generatorOf(file)
  const generatorNames = objects(file)
  return (call) =>
    (isObjectDraw(call, generatorNames) || generator?.test(qualifiedName(file, call)) === true) &&
    isImported(file, call)
}

export const predictableRandom = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (generatorOf(file) === undefined || isExcluded(file)) return
  const isDraw = drawsOf(file)
  const reported = new Set<string>()
  for (const call of calls(file)) {
    if (!isDraw(call)) continue
    const what = secretMadeBy(file, call)
    if (what === null) identifierMadeBy(file, call, reported, emit)
    if (what === null || reported.has(what) || isLengthOfSecure(file, call)) continue
    // One generator of a secret draws many times; the first draw is reported.
    reported.add(what)
    const message = `\`${what}\` is generated with \`${call.callee.slice(0, 60)}\`, whose outputs are predictable.`
    const rule = isFallback(file, call) ? "predictable_random_fallback" : "predictable_random"
    emit(matchAt(file, call.node, { rule, message, identifiers: [what] }))
  }
}

const secure = /urandom|random_?bytes|random_int\b|getRandomValues|randomUUID|SecureRandom|secrets\.|crypto\.random/i

/** `os.urandom(random.randint(20, 30))`: the bytes are not guessable, only their number. */
const isLengthOfSecure = (file: SourceFile, call: Call): boolean =>
  calls(file).some(
    (outer) => outer.node < call.node && secure.test(outer.callee) && file.tree!.contains(outer.node, call.node)
  )

/** A fallback beside the system's generator. */
const isFallback = (file: SourceFile, call: Call): boolean => {
  const scope = enclosingFunction(file, call.node)
  return scope !== null && secure.test(file.tree!.textOf(scope.node).slice(0, 4000))
}

/** Classes and functions whose tokens keep owners apart, or whose values are made up. */
const harmlessOwner =
  / (?:cache|bag|lock|mutex|lease|semaphore|captcha|seeder|seeds|faker|fixtures?|demo|simulat\w+|benchmark|mock|fake|stub) /

const secretMadeBy = (file: SourceFile, call: Call): string | null => {
  if (isBuried(file, call.node) || isDatabaseUpkeep(file.path)) return null
  if (harmlessOwner.test(spaced(file.symbolAt(file.tree!.start(call.node)) ?? ""))) return null
  const targets = targetsOf(file, call.node)
  if (targets.some((name) => / (?:jitter|delay|timeout|backoff|sleep|interval|color|port|wait|ms) /.test(spaced(name))))
    return null
  if (isPickOfNamed(file, call, targets)) return null
  const target = targets.find((name) => secretName.test(spaced(name)) && !innocent.test(spaced(name)))
  if (target !== undefined) return target
  const name = functionNameOf(file, call.node)
  return isSecretMaker(name) ? name : null
}

/** `token = tokens[random]`, `random.choice(passwords)`: one of the existing values, not a new one. */
const isPickOfNamed = (file: SourceFile, call: Call, targets: ReadonlyArray<string>): boolean => {
  if (targets.length === 0) return false
  const tree = file.tree!
  const holder = tree.textOf(
    tree.enclosing(call.node, "subscript_expression", "subscript", "index_expression", "element_access_expression")
  )
  const picked = `${holder.slice(0, 80)} ${call.args.map((node) => tree.textOf(node).slice(0, 80)).join(" ")}`
  return targets.some((name) => new RegExp(`${name.replace(/\W/g, "")}(?:s|List|_list|es)\\b`, "i").test(picked))
}

const identifier =
  / (?:id|uid|guid|uuid|nonce|iv|key|ticket|serial|voucher|coupon|code|identifier|reference|invite) (?:str |string |value |hash |hex )?$/
const harmlessIdentifier =
  / (?:element|el|node|dom|html|css|div|input|field|form|row|cell|item|widget|component|react|key|frame|layer|socket|conn|connection|channel|stream|message|msg|packet|job|task|worker|thread|process|run|build|event|operation|trace|span|request|req|correlation|query|graph|client|peer|temp|tmp|local|dummy|mock|fake|test|sample|random|rand|seed|shard|partition|country|language|status|error|exit|zip|postal|color|colour|unique|instance|node|port|index|cache|callback|boundary|transaction|txn|xid|ping|sequence|seq|player|enemy|sprite|level|map|tile|game|card|dice|bot) /

/** A few digits number something; what no one may guess is longer. */
const isSmallNumber = (file: SourceFile, call: Call): boolean => {
  const written = call.args.map((node) => file.tree!.textOf(node))
  if (/^(?:string\.)?digits$/.test(written[0] ?? "")) return true
  const limit = written.at(-1)?.replaceAll("_", "") ?? ""
  return /^\d{1,6}$/.test(limit) && written.every((text) => /^[\d_]+$/.test(text))
}

/** `"link-" + number`: what a page or a file names its parts by. */
const hasPrefix = (file: SourceFile, call: Call): boolean =>
  /["'`][\w#]{1,20}[-_]["'`]?\s*(?:\.|\+|\$\{)\s*(?:\(\w+\)\s*)?(?:Math\.floor\(\s*)?$/.test(
    file.text.slice(Math.max(0, file.tree!.start(call.node) - 60), file.tree!.start(call.node))
  )

/** A name for something that others may not be able to guess. */
const identifierMadeBy = (file: SourceFile, call: Call, reported: Set<string>, emit: Emit<RuleId>): void => {
  if (isBuried(file, call.node)) return
  const targets = targetsOf(file, call.node)
  const target = targets.find((name) => identifier.test(spaced(name)))
  const words = `${targets.map(spaced).join(" ")} ${spaced(functionNameOf(file, call.node))}`
  const stem = spaced(target ?? "").replace(identifier, " ")
  if (
    target === undefined ||
    reported.has(target) ||
    innocent.test(words) ||
    harmlessIdentifier.test(`${stem}${words.replace(spaced(target), " ")}`)
  )
    return
  // A name with nothing before it may be the number of anything.
  if (stem.trim() === "" && (isSmallNumber(file, call) || hasPrefix(file, call))) return
  if (
    /^\\?array_rand$/.test(call.callee) ||
    isPickOfNamed(file, call, targets) ||
    isFallback(file, call) ||
    isLengthOfSecure(file, call)
  )
    return
  reported.add(target)
  emit(
    matchAt(file, call.node, {
      rule: "weak_random_use",
      noun: `\`${target}\``,
      message: `\`${target}\` is generated with \`${call.callee.slice(0, 60)}\`, whose outputs are predictable.`,
      identifiers: [target]
    })
  )
}
