import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { qualifiedName } from "../../languages/code/qualifiedName.ts"
import {
  type Assignment,
  assignments,
  type Call,
  calls,
  enclosingFunction,
  type FunctionInfo,
  functions
} from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { announces, functionNameOf, isOptedIn, literalOf, matchAt, targetsOf } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsTransport =
  /rejectUnauthorized|REJECT_UNAUTHORIZED|strictSSL|checkServerIdentity|verify|CERT_NONE|InsecureSkipVerify|InsecureIgnoreHostKey|TrustManager|HostnameVerifier|TrustAll|TrustSelfSigned|ALLOW_ALL_HOSTNAME|ServerCertificate|danger_accept|SSL|TLS|check_hostname|AutoAddPolicy/i

type Languages = ReadonlyArray<Language>
/** Names around a node: those its value is assigned to, its function, its class. */
const isAnnounced = (file: SourceFile, node: number): boolean =>
  [...targetsOf(file, node), functionNameOf(file, node), file.symbolAt(file.tree!.start(node)) ?? ""].some(announces)
/** Peers that know each other by key check the certificate after the handshake. */
const checksLater = (file: SourceFile): boolean => file.language === "go" && file.text.includes("PeerCertificates")
const verificationRule = (file: SourceFile, node: number): RuleId =>
  isAnnounced(file, node) || checksLater(file) ? "tls_verification_disabled_by_name" : off

const js: Languages = ["typescript", "tsx", "javascript"]

interface Setting {
  readonly languages: Languages
  /** Target as written, or its last name. */
  readonly name: RegExp
  readonly value: RegExp
  readonly rule: "tls_verification_disabled" | "outdated_tls"
  /** Module that must be mentioned for a common name to mean this. */
  readonly needs?: RegExp
}

const off = "tls_verification_disabled"
const old = "outdated_tls"

const settings: ReadonlyArray<Setting> = [
  { languages: js, name: /^rejectUnauthorized$/, value: /^false$/, rule: off },
  { languages: js, name: /^NODE_TLS_REJECT_UNAUTHORIZED$/, value: /^(?:["']0["']|0)$/, rule: off },
  { languages: js, name: /^strictSSL$/, value: /^false$/, rule: off },
  {
    languages: js,
    name: /^checkServerIdentity$/,
    value:
      /^(?:\(\w*(?:,\s*\w+)?\)|_|function\s*\(\w*(?:,\s*\w+)?\))\s*(?:=>)?\s*(?:undefined|null|\{\s*(?:return(?:\s+(?:undefined|null|true))?;?\s*)?\})$/,
    rule: off
  },
  {
    languages: js,
    name: /^(?:minVersion|secureProtocol)$/,
    value: /^["'](?:TLSv1(?:\.1)?|TLSv1(?:_1)?_method|SSLv[23]_method)["']$/,
    rule: old
  },
  { languages: ["python"], name: /^verify_mode$/, value: /^[\w.]*\bCERT_NONE$/, rule: off },
  { languages: ["python"], name: /^_create_default_https_context$/, value: /_create_unverified_context$/, rule: off },
  { languages: ["python"], name: /^cert_reqs$/, value: /^(?:ssl\.CERT_NONE|["']CERT_NONE["'])$/, rule: off },
  {
    languages: ["python"],
    name: /^(?:\w+\.)*(?:session|sess|s|client|requests)\.verify$/,
    value: /^False$/,
    rule: off,
    needs: /\b(?:requests|httpx)\b/
  },
  {
    languages: ["python"],
    name: /^(?:minimum_version|ssl_version|ssl_minimum_version)$/,
    value: /(?:^|\.)(?:TLSv1|TLSv1_1|SSLv3|PROTOCOL_TLSv1|PROTOCOL_TLSv1_1|PROTOCOL_SSLv[23])$/,
    rule: old
  },
  { languages: ["go"], name: /^InsecureSkipVerify$/, value: /^true$/, rule: off },
  { languages: ["go"], name: /^MinVersion$/, value: /^tls\.Version(?:TLS10|TLS11|SSL30)$/, rule: old },
  {
    languages: ["php"],
    name: /^(?:CURLOPT_SSL_VERIFYPEER|CURLOPT_SSL_VERIFYHOST|verify_peer|verify_peer_name)$/,
    value: /^(?:false|0)$/i,
    rule: off
  },
  { languages: ["php"], name: /^verify$/, value: /^false$/i, rule: off, needs: /Guzzle|HttpClient|Http::/ },
  { languages: ["ruby"], name: /^verify_mode$/, value: /^[\w:]*\bVERIFY_NONE$/, rule: off },
  { languages: ["ruby"], name: /^ssl_version$/, value: /^:(?:TLSv1|TLSv1_1|SSLv3|SSLv23)$/, rule: old },
  {
    languages: ["csharp"],
    name: /^(?:ServerCertificateValidationCallback|ServerCertificateCustomValidationCallback|RemoteCertificateValidationCallback)$/,
    value:
      /^(?:(?:async )?\([\w\s,?]*\)\s*=>\s*(?:true|\{\s*return true;\s*\})|delegate\s*(?:\([^)]*\))?\s*\{\s*return true;\s*\}|(?:HttpClientHandler\.)?DangerousAcceptAnyServerCertificateValidator)$/,
    rule: off
  },
  { languages: ["csharp"], name: /^SecurityProtocol$/, value: /^SecurityProtocolType\.(?:Ssl3|Tls|Tls11)$/, rule: old },
  {
    languages: ["ruby"],
    name: /^min_version$/,
    value: /^(?::TLS1(?:_1)?|:SSL3|OpenSSL::SSL::(?:TLS1|TLS1_1|SSL3)_VERSION)$/,
    rule: old
  },
  {
    languages: ["php"],
    name: /^CURLOPT_SSLVERSION$/,
    value: /^CURL_SSLVERSION_(?:SSLv[23]|TLSv1(?:_[01])?)$/,
    rule: old
  },
  { languages: ["rust"], name: /^danger_accept_invalid_certs$/, value: /^true$/, rule: off }
]

/** The setting that an assignment makes, when its value is an unsafe one. */
const settingOf = (
  file: SourceFile,
  { name, target, value }: Assignment,
  candidates: ReadonlyArray<Setting>
): Setting | null => {
  if (value === NONE) return null
  const bare = bareName(name)
  const setting = candidates.find((candidate) => candidate.name.test(bare) || candidate.name.test(target))
  if (setting === undefined) return null
  if (!setting.value.test(file.tree!.textOf(value).slice(0, 200).replace(/\s+/g, " "))) return null
  return setting.needs === undefined || setting.needs.test(file.text) ? setting : null
}

const bareName = (name: string): string => name.replace(/^["']|["']$/g, "")

const isJustified = (file: SourceFile, assignment: Assignment, { rule }: Setting): boolean =>
  isOptedIn(file, assignment.node) ||
  isDefaultOrType(file, assignment) ||
  (rule === off && isCheckedOtherwise(file, assignment))

export const transportSettings = (file: SourceFile, emit: Emit<RuleId>): void => {
  const own = settings.filter(({ languages }) => languages.includes(file.language))
  if (own.length === 0) return
  const reported = new Set<number>()
  for (const assignment of assignments(file)) {
    const setting = settingOf(file, assignment, own)
    if (setting === null || isJustified(file, assignment, setting)) continue
    // PHP needs two settings to switch off one check.
    const scope = enclosingFunction(file, assignment.node)?.node ?? 0
    if (file.language === "php" && reported.has(scope)) continue
    reported.add(scope)
    emit(settingMatch(file, assignment, setting, bareName(assignment.name)))
  }
}

const settingMatch = (file: SourceFile, { node, value }: Assignment, { rule }: Setting, name: string) => {
  const written = file.tree!.textOf(value).replace(/\s+/g, " ").slice(0, 60)
  const message =
    rule === off
      ? `\`${name}\` set to \`${written}\` accepts any certificate, so anyone can impersonate the other side.`
      : `\`${name}\` set to \`${written}\` accepts a TLS version with known attacks.`
  return matchAt(file, node, { rule: rule === off ? verificationRule(file, node) : rule, message, identifiers: [name] })
}

const scriptCheck =
  /getPeerCertificate|getX509Certificate|fingerprint256|checkServerIdentity(?::|\s*=)\s*(?:function\b[^{]{0,60}\{\s*(?!return;|\}|return (?:undefined|null|true)\b)|(?!undefined|null|function\b)[\w.]+)|requestCert/
const ownChecks: Partial<Record<Language, RegExp>> = {
  // `ClientAuth` is for servers, which ignore `InsecureSkipVerify`, and for peers that know each other by key.
  go: /VerifyPeerCertificate|VerifyConnection|\bClientAuth\b|PeerCertURI|spiffe/i,
  javascript: scriptCheck,
  typescript: scriptCheck,
  tsx: scriptCheck,
  python: /assert_fingerprint|assert_hostname=["'\w]|getpeercert\(/
}

const hostOfUrl = /\b(?:https?|wss?|tls):\/\/([\w.[\]:-]{0,80})/g
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$)/

/** All addresses that a function names are of the machine itself, where no one is in between. */
const isLoopback = (code: string): boolean => {
  const hosts = [...code.matchAll(hostOfUrl)].map(([, host]) => host!)
  return hosts.length > 0 && hosts.every((host) => loopback.test(host))
}

/**
 * Programs that check the certificate themselves switch the stock check off first. A server that requests certificates
 * of its clients without insisting on them is another matter.
 */
const isCheckedOtherwise = (file: SourceFile, { node }: Assignment): boolean => {
  const checks = ownChecks[file.language]
  if (checks === undefined) return false
  const tree = file.tree!
  const holder = tree.enclosing(node, "literal_value", "block", "object", "statement_block")
  const call = tree.enclosing(node, "call_expression")
  const around = `${tree.textOf(holder).slice(0, 6000)} ${tree.textOf(call).slice(0, 4000)}`
  const scope = enclosingFunction(file, node)
  const code = scope === null ? "" : tree.textOf(scope.node).slice(0, 8000)
  if (checks.test(code) || isLoopback(code)) return true
  return checks.test(around) || /^[\w.]*createServer\(/.test(tree.textOf(call).slice(0, 60))
}

/** A named parameter's default or a test of the value is not a setting. */
const isDefaultOrType = (file: SourceFile, { node, target }: Assignment): boolean =>
  // A context class's own beginning, before anyone has set it up.
  (file.language === "python" &&
    (target === "self.verify_mode" || isServerSide(file, node) || isOfServer(file, node, target))) ||
  file.tree!.is(file.tree!.parent(node), "formal_parameters", "parameters", "object_pattern")

const requesters = /^(?:requests|httpx)(?:\.\w+)*$|(?:^|[._])(?:session|client|http|sess)$/i
const httpMethods = /^(?:get|post|put|patch|delete|head|options|request|send|stream|Client|AsyncClient|Session)$/

interface SwitchingCall {
  readonly languages: Languages
  readonly call: RegExp
  readonly rule: Setting["rule"]
  readonly does: string
}

const switching: ReadonlyArray<SwitchingCall> = [
  {
    languages: ["python"],
    call: /^ssl\._create_unverified_context$/,
    rule: off,
    does: "creates a context that accepts any certificate"
  },
  {
    languages: ["go"],
    call: /^golang\.org\/x\/crypto\/ssh\.InsecureIgnoreHostKey$/,
    rule: off,
    does: "accepts any host key, so anyone can impersonate the server"
  },
  {
    languages: ["rust"],
    call: /\.danger_accept_invalid_(?:certs|hostnames)$/,
    rule: off,
    does: "accepts any certificate"
  },
  {
    languages: ["python"],
    call: /^ssl\.wrap_socket$/,
    rule: off,
    does: "does not check the certificate of the server"
  },
  {
    languages: ["java"],
    call: /(?:^|\.)(?:TrustAllStrategy|AllowAllHostnameVerifier|TrustAllCerts\w*)$/,
    rule: off,
    does: "accepts any certificate"
  }
]

export const transportCalls = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const own = switching.filter(({ languages }) => languages.includes(file.language))
  for (const call of calls(file)) {
    const name = qualifiedName(file, call)
    const does =
      own.find(
        (candidate) =>
          candidate.call.test(name) &&
          (file.language !== "rust" || tree.textOf(call.args[0] ?? NONE) === "true") &&
          !(name === "ssl.wrap_socket" && /cert_reqs|server_side|\*\*/.test(tree.textOf(call.node)))
      )?.does ?? switchedOffByArgument(file, call, name)
    if (
      does !== null &&
      does !== undefined &&
      !isOptedIn(file, call.node) &&
      !isPassedOn(file, call) &&
      !isOwnDefinition(file, call)
    ) {
      const message = `\`${call.callee.slice(0, 60)}\` ${does}.`
      emit(matchAt(file, call.node, { rule: verificationRule(file, call.node), message }))
    }
    const version =
      file.language === "java" && /(?:^|\.)SSLContext\.getInstance$/.test(name) ? literalOf(file, call.args[0]) : null
    if (version !== null && /^(?:SSLv[23]|TLSv1(?:\.1)?)$/.test(version)) {
      emit(
        matchAt(file, call.node, {
          rule: old,
          message: `\`SSLContext.getInstance\` selects ${version}, which has known attacks.`
        })
      )
    }
  }
}

/** `ssl._create_default_https_context = ssl._create_unverified_context` is reported at the assignment. */
const isPassedOn = (file: SourceFile, call: Call): boolean =>
  file.language === "python" && call.callee.endsWith("_create_default_https_context")

/** A server rarely requests certificates of its clients. */
const isServerSide = (file: SourceFile, node: number): boolean =>
  /server_side['"]?\s*[:=]\s*True/.test(
    file.tree!.textOf(file.tree!.enclosing(node, "dictionary", "argument_list")).slice(0, 2000)
  )

/** Characters between a context and its settings at most. */
const MAX_DISTANCE = 2_000

/** `context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)`, whose `verify_mode` is set then. */
const isOfServer = (file: SourceFile, node: number, target: string): boolean => {
  const context = /^([\w.]+)\.(?:verify_mode|check_hostname)$/.exec(target)?.[1]
  if (context === undefined) return false
  const end = file.tree!.start(node)
  const before = file.text.slice(Math.max(0, end - MAX_DISTANCE), end)
  const made = before.slice(before.lastIndexOf(`${context} = `))
  return /^[\w.]+ = [\w.]+\([^()]*(?:PROTOCOL_TLS_SERVER|Purpose\.CLIENT_AUTH)/.test(made)
}

/** The class or constant that is defined here, not used. */
const isOwnDefinition = (file: SourceFile, call: Call): boolean =>
  (file.symbolAt(file.tree!.start(call.node)) ?? "").split(".").includes(call.method) ||
  targetsOf(file, call.node).some((name) => /^[A-Z][A-Z_\d]+$/.test(name))

/** `requests.get(url, verify=False)`, `aiohttp.TCPConnector(ssl=False)` */
const pythonArgument = (file: SourceFile, call: Call, name: string): string | null => {
  const isFalse = (argument: string): boolean => file.tree!.textOf(call.named.get(argument) ?? NONE) === "False"
  if (isFalse("verify") && httpMethods.test(call.method) && /\b(?:requests|httpx)\b/.test(file.text))
    return requesters.test(call.receiver ?? name) || /^(?:requests|httpx)\./.test(name)
      ? "accepts any certificate (`verify=False`)"
      : null
  const ssl = call.named.has("ssl") ? "ssl" : "verify_ssl"
  return isFalse(ssl) && /^aiohttp\./.test(name) ? "accepts any certificate" : null
}

/** `curl_setopt($handle, CURLOPT_SSL_VERIFYPEER, false)` */
const phpArgument = (file: SourceFile, call: Call, name: string): string | null => {
  if (name !== "curl_setopt") return null
  const [, option = "", value = ""] = call.args.map((argument) => file.tree!.textOf(argument))
  const isOff = /^(?:false|0)$/i.test(value) && /^CURLOPT_SSL_VERIFY(?:PEER|HOST)$/.test(option)
  return isOff ? `accepts any certificate (\`${option}\`)` : null
}

const switchedOffByArgument = (file: SourceFile, call: Call, name: string): string | null => {
  if (file.language === "python") return pythonArgument(file, call, name)
  return file.language === "php" ? phpArgument(file, call, name) : null
}

const trustChecks = /^(?:checkServerTrusted)$/

/** Java code that trusts every certificate: an empty check, a verifier that always accepts. */
export const trustEveryone = (file: SourceFile, emit: Emit<RuleId>): void => {
  if (file.language !== "java") return
  for (const info of functions(file)) {
    const message = info.body === NONE || isOptedIn(file, info.node) ? null : trustingFunction(file, info)
    if (message !== null) emit(matchAt(file, info.node, { rule: verificationRule(file, info.node), message }))
  }
  for (const node of file.tree!.of("field_access")) {
    const constant = file.tree!.textOf(node)
    if (!trustingConstants.test(constant) || isOptedIn(file, node)) continue
    const message = `\`${constant}\` accepts every certificate or host name.`
    emit(matchAt(file, node, { rule: verificationRule(file, node), message }))
  }
}

const trustingConstants =
  /(?:^|\.)(?:NoopHostnameVerifier\.INSTANCE|ALLOW_ALL_HOSTNAME_VERIFIER|InsecureTrustManagerFactory\.INSTANCE|TrustAllStrategy\.INSTANCE)$/

/** The message for a function that trusts every certificate or host name, or null for any other. */
const trustingFunction = (file: SourceFile, { node, name, body, parameters }: FunctionInfo): string | null => {
  const code = file
    .tree!.textOf(body)
    .replace(/\/\/[^\n]*|\/\*[\s\S]{0,2000}?\*\//g, "")
    .replace(/\s+/g, " ")
    .trim()
  if (trustChecks.test(name ?? "") && /^\{ ?(?:return; ?)?\}$/.test(code))
    return "`checkServerTrusted` has an empty body, so every certificate is trusted."
  const agrees = /^(?:\{ ?return true; ?\}|true)$/.test(code)
  return agrees && parameters.length === 2 && isHostnameVerifier(file, node, name, parameters[1]!.type)
    ? "This hostname verifier accepts every name, so a certificate for any host is accepted."
    : null
}

const isHostnameVerifier = (file: SourceFile, node: number, name: string | null, type: string | null): boolean => {
  if (name === "verify" && type !== null) return /(?:^|\.)SSLSession$/.test(type)
  const tree = file.tree!
  if (!tree.is(node, "lambda_expression")) return false
  const around = file.text.slice(Math.max(0, tree.start(node) - 120), tree.start(node))
  return /[hH]ostname_?[vV]erifier\w*\s*(?:\(|=)\s*(?:\(\w*HostnameVerifier\)\s*)?$/.test(around)
}

const environment = /\bNODE_TLS_REJECT_UNAUTHORIZED["']?\s{0,3}[=:]\s{0,3}["']?0\b/g

/** The environment disables the check for a whole Node program: Dockerfiles, manifests, scripts. */
export const transportEnvironment = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const match of file.text.matchAll(environment)) {
    const line = file.lineText(file.line(match.index))
    if (/^\s*(?:#|\/\/)/.test(line)) continue
    emit({
      rule: off,
      start: match.index,
      end: match.index + match[0].length,
      message: "`NODE_TLS_REJECT_UNAUTHORIZED` set to 0 makes every connection of the program accept any certificate."
    })
  }
}
