import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { assignments, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { isForDevelopment, rangeAt, scopeText } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsCsrf =
  /csrf|verify_authenticity_token|skip_forgery_protection|allow_forgery_protection|IgnoreAntiforgeryToken/i

const rule = "csrf_switched_off"

/** Machines call these, without cookies. */
const forMachines = (text: string): boolean =>
  machines.test(text.replace(/verify_authenticity_token|IgnoreAntiforgeryToken|csrf_exempt/g, ""))
const machines =
  /webhook|web_hook|callback|\bapi|[._/]api|hook|ipn|notif|health|metrics|graphql|rpc|oauth|token|saml|sso|signature|hmac|bearer|authorization|api_?key|basic_?auth|stripe|paypal|slack|github|telegram|twilio|csp|report|beacon|upload|lti|xmlrpc|cas\b/i

const java = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const call of calls(file)) {
    const text = tree.textOf(call.node)
    const isOff =
      (call.method === "disable" && /(?:^|\.)csrf\(\)$/.test(call.receiver ?? "")) ||
      (call.method === "csrf" &&
        /\(\s*(?:AbstractHttpConfigurer|CsrfConfigurer)::disable\s*\)$|\(\s*\(?\w+\)?\s*->\s*\w+\.disable\(\)\s*\)$/.test(
          text.slice(-90)
        ))
    if (!isOff) continue
    // Only where a browser's session is what logs a user in.
    const scope = scopeText(file, call.node)
    if (!/formLogin|oauth2Login|rememberMe|saml2Login/.test(scope) || /STATELESS|ignoringRequestMatchers/.test(scope))
      continue
    const message =
      "Protection against forged requests is switched off where users log in with a form and a session cookie."
    emit({ ...rangeAt(file, call.node), start: tree.end(call.node) - Math.min(text.length, 40), rule, message })
  }
}

const writes = /request\.(?:POST|FILES|body)\b|["'](?:POST|PUT|DELETE|PATCH)["']|\.save\(|\.delete\(|\.create\(/
const lookup = /(?:require_POST|require_http_methods)/

/** `@key_and_ip_auth`: authentication that browsers do not send along for another site. */
const ownAuthentication = /^@(?!\S*(?:login|session|user|author))[\w.]*(?:_auth|auth_|_key|key_|secret|signed|hmac)\w*/m

/** Views of Django that are exempt from the check. */
const exemptViews = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const node of tree.of("decorator")) {
    if (!/^@(?:\w+\.)?csrf_exempt$/.test(tree.textOf(node).slice(0, 60).trim())) continue
    const whole = tree.parent(node)
    const definition = tree.child(whole, "definition")
    if (!tree.is(definition, "function_definition")) continue
    const name = tree.textOf(tree.child(definition, "name"))
    const text = tree.textOf(whole).slice(0, 4_000)
    if (
      forMachines(`${file.path} ${text}`) ||
      ownAuthentication.test(text) ||
      !(writes.test(text) || lookup.test(text))
    )
      continue
    const message = `\`${name}\` changes data and accepts forged requests of other sites.`
    emit({ ...rangeAt(file, node), rule, message, identifiers: [name] })
  }
}

/** `WTF_CSRF_ENABLED = False` in the settings of Flask. */
const disabledSettings = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const { name, node, value } of assignments(file)) {
    if (!/^(?:WTF_CSRF_ENABLED|WTF_CSRF_CHECK_DEFAULT)$/.test(name.replace(/["'\]]/g, ""))) continue
    if (value === NONE || tree.textOf(value) !== "False" || isForDevelopment(file.path)) continue
    // The check is made by hand where a form is read.
    if (name.includes("CHECK_DEFAULT") && /\bcsrf\.protect\(\)/.test(file.text)) continue
    if (/[tT]est|[dD]ev|[lL]ocal/.test(file.symbolAt(tree.start(node)) ?? "")) continue
    emit({
      ...rangeAt(file, node),
      rule,
      message: `\`${name}\` is disabled: other sites can submit forms as the user.`
    })
  }
}

const python = (file: SourceFile, emit: Emit<RuleId>): void => {
  exemptViews(file, emit)
  disabledSettings(file, emit)
}

const ruby = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const call of calls(file)) {
    const text = tree.textOf(call.node).slice(0, 200)
    const isSkipped =
      /^(?:skip_forgery_protection)\b/.test(text) ||
      /^(?:skip_before_action|skip_before_filter|skip_action_callback)\s*\(?\s*:verify_authenticity_token/.test(text)
    if (!isSkipped) continue
    const owner = tree.textOf(tree.enclosing(call.node, "class")).slice(0, 200)
    if (forMachines(`${file.path} ${owner} ${text}`)) continue
    if (
      /http_basic|doorkeeper|ActionController::API|null_session|signature|hmac|only:/i.test(
        `${file.text.slice(0, 3_000)} `
      )
    )
      continue
    emit({
      ...rangeAt(file, call.node),
      rule,
      message: `\`${call.method}\` makes the controller accept forged requests of other sites.`
    })
  }
}

const csharp = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const node of tree.of("attribute")) {
    if (!/^IgnoreAntiforgeryToken\b/.test(tree.textOf(node).slice(0, 40))) continue
    const holder = tree.parent(tree.parent(node))
    if (
      forMachines(`${file.path} ${tree.textOf(holder).slice(0, 600)}`) ||
      /ErrorModel/.test(tree.textOf(holder).slice(0, 300))
    )
      continue
    emit({ ...rangeAt(file, node), rule, message: "The action accepts forged requests of other sites." })
  }
}

export const csrfSwitchedOff = (file: SourceFile, emit: Emit<RuleId>): void => {
  switch (ruleLanguageOf(file.language)) {
    case "java":
      return java(file, emit)
    case "python":
      return python(file, emit)
    case "ruby":
      return ruby(file, emit)
    case "csharp":
      return csharp(file, emit)
  }
}
