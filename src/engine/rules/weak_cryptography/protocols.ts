import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { qualifiedName } from "../../languages/code/qualifiedName.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { announces, functionNameOf, isOptedIn, literalOf, matchAt } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsProtocols =
  /PROTOCOL_(?:SSL|TLSv1)|SslProtocols\.|setEnabledProtocols|min_tls_version|min_protocol_version|SslVersion::|MissingHostKeyPolicy|missing_host_key_policy|verify_host_key|StrictHostKeyChecking/

interface Member {
  readonly languages: ReadonlyArray<Language>
  readonly kinds: ReadonlyArray<string>
  readonly written: RegExp
}

/** Constants that name a withdrawn version. */
const members: ReadonlyArray<Member> = [
  { languages: ["python"], kinds: ["attribute"], written: /^ssl\.PROTOCOL_(?:SSLv[23]|TLSv1(?:_1)?)$/ },
  {
    languages: ["csharp"],
    kinds: ["member_access_expression"],
    written: /(?:^|\.)SslProtocols\.(?:Ssl[23]|Tls|Tls11)$/
  },
  {
    languages: ["rust"],
    kinds: ["scoped_identifier"],
    written: /^(?:\w+::)*(?:Version::TLS_1_[01]|SslVersion::(?:SSL3|TLS1|TLS1_1)|Protocol::(?:Sslv3|Tlsv10|Tlsv11))$/
  }
]

const comparison =
  /comparison_operator|binary_expression|boolean_operator|case|pattern|dictionary|pair|match_arm|subscript|if_statement/

/** Where a version is selected: an argument or a value, not a comparison or a table of all versions. */
const isSelected = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  let up = tree.parent(node)
  for (let depth = 0; depth < 4 && up !== NONE; depth++, up = tree.parent(up)) {
    if (comparison.test(tree.kind(up)) && !/\|/.test(tree.textOf(tree.child(up, "operator")))) return false
    if (
      tree.is(up, "call", "argument_list", "arguments", "call_expression", "keyword_argument", "assignment_expression")
    )
      return true
  }
  return false
}

const oldVersions = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const { kinds, written } of members.filter(({ languages }) => languages.includes(file.language))) {
    for (const node of tree.of(...kinds)) {
      const text = tree.textOf(node).slice(0, 100)
      if (!written.test(text) || !isSelected(file, node) || isOptedIn(file, node)) continue
      emit(
        matchAt(file, node, {
          rule: "outdated_tls",
          noun: `\`${text}\``,
          message: `\`${text}\` selects a version of SSL or TLS that is withdrawn.`
        })
      )
    }
  }
}

/** `socket.setEnabledProtocols(new String[] {"TLSv1", "TLSv1.2"})` */
const enabledProtocols = (file: SourceFile, call: Call, emit: Emit<RuleId>): void => {
  if (call.method !== "setEnabledProtocols" || call.args[0] === undefined) return
  const old = /"(SSLv[23]|SSLv2Hello|TLSv1(?:\.1)?)"/.exec(file.tree!.textOf(call.args[0]).slice(0, 300))?.[1]
  if (old === undefined || isOptedIn(file, call.node)) return
  emit(matchAt(file, call.node, { rule: "outdated_tls", message: `\`setEnabledProtocols\` allows ${old}.` }))
}

/** Why a call accepts any host key, or null where it does not. */
const acceptedHostKey = (file: SourceFile, call: Call): string | null => {
  const tree = file.tree!
  const first = call.args[0] === undefined ? "" : tree.textOf(call.args[0]).slice(0, 80)
  if (call.method === "set_missing_host_key_policy")
    return /(?:^|\.)(?:AutoAddPolicy|WarningPolicy)\b/.test(first) ? first.replace(/\(.*$/, "") : null
  if (file.language === "ruby" && /^Net::(?:SSH|SCP|SFTP)\.start$/.test(qualifiedName(file, call))) {
    const value = tree.textOf(call.named.get("verify_host_key") ?? NONE)
    return /^(?::never|false)$/.test(value) ? `verify_host_key: ${value}` : null
  }
  const isJava = call.method === "setConfig" || call.method === "put" || call.method === "setProperty"
  if (!isJava || file.language !== "java" || literalOf(file, call.args[0]) !== "StrictHostKeyChecking") return null
  return literalOf(file, call.args[1]) === "no" ? "StrictHostKeyChecking=no" : null
}

const uncheckedHostKey = (file: SourceFile, call: Call, emit: Emit<RuleId>): void => {
  const how = acceptedHostKey(file, call)
  if (how === null || isOptedIn(file, call.node)) return
  emit(
    matchAt(file, call.node, {
      rule: "ssh_host_key_unchecked",
      noun: `\`${how}\``,
      ...(announces(functionNameOf(file, call.node)) ? { confidence: 0.6 } : {}),
      message: `\`${how}\` accepts any host key, so anyone on the network path can pose as the server.`
    })
  )
}

export const oldProtocols = (file: SourceFile, emit: Emit<RuleId>): void => {
  oldVersions(file, emit)
  for (const call of calls(file)) {
    enabledProtocols(file, call, emit)
    uncheckedHostKey(file, call, emit)
  }
}
