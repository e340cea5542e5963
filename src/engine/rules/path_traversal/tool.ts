import { auditTool } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { INCLUDED, SERVED } from "../../dataflow/models/labels.ts"
import { isFromStranger } from "../../dataflow/models/trust.ts"
import { identifiersOf, isChosenWhole, type ReportedFlow, rangeOf } from "../../dataflow/report.ts"
import { type MatchFlow, untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { PATH } from "../../dataflow/values/Value.ts"
import { isNative } from "../../languages/native/functions.ts"
import { inspectNativePaths } from "./native.ts"
import { inspectPrefixTests } from "./prefixTests.ts"
import { type RuleId, rules } from "./rules.ts"

const entry =
  /^Zip(?:File|Archive\w*)\b.*\.(?:Full)?Name$|^(?:archive[:/]|adm-zip|zipfile|tarfile)|(?:Entry(?:\(\))?|nextElement\(\))\.getName/
const uploadName =
  /^(?:http:upload\.(?:FileName|getOriginalFilename|getSubmittedFileName|filename)|http:request\.upload\.|http:aspnet(?:context\.Request)?\.Files\b|\$_FILES|http:php\.file\(\)|http:php\.files\b|flask\.request\.files|http:starlette\.FILES|http:(?:request|context\.request)\.files?\b)/
/** Calls that store nothing. */
const reads =
  /^\\?(?:opendir|scandir|glob|file|readfile|is_\w+|file_get_contents|stat|filesize)$|(?:^|\.)(?:listdir|scandir|readdir|readdirSync|readFile|readFileSync|stat|statSync|createReadStream|ZipFile|is_zipfile|BytesIO|TextIOWrapper)$/
/** Contents, not names: a stream of the request that is copied to a file that the code chose. */
const content =
  /(?:getInputStream|getBytes|getReader|getPart|getParts|read|\.Body|GetRawData|rawBody|stream|upload\.file)(?:\(\))?$/
/** Streams and URLs, which other tools report. */
const address = /^\s*(?:https?|ftp|php|data|phar):/i
const addressName = /(?:url|uri|link|href|feed|host|domain|endpoint|webhook|callback)\W*$/i
/** Set by the server, or resolved by it before any code runs. */
const resolved = /PHP_SELF|SCRIPT_NAME|\.URL\.(?:Path|RawPath)$|getRequestURI|getPathInfo/

/** Who starts the program names its files as that account may: only shown to those who ask for it. */
const ownInput = /^(?:arguments|environment|stdin)$/
const UNLIKELY = 0.45

const isRejectedByFramework = (flow: ReportedFlow): boolean => {
  const callee = flow.callee.slice(flow.callee.lastIndexOf(".") + 1)
  // Express rejects `..` in a path that path.join did not build; `download` resolves the path before it asks.
  if (flow.label === SERVED && /^(?:sendFile|sendfile)$/.test(callee)) return !flow.text.startsWith("\u0000")
  return callee === "ServeFile" && resolved.test(flow.type)
}

/** Whether there is a file says little alone; what is done with it is reported where it is done. */
const asksOnly =
  /^\\?(?:file_exists|is_file|is_dir|is_readable|is_writable)$|(?:^|\.)(?:exists|existsSync|isFile|isDirectory|isfile|isdir|is_file|is_dir|notExists|isRegularFile|exist\?|exists\?|file\?|directory\?|Exists)$/

const untrusted: MatchFlow<RuleId> = (flow, path) => {
  if (asksOnly.test(flow.callee)) return null
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (!entry.test(flow.type) && !isFromStranger(flow.source) && isChosenWhole(flow)) return null
  if (flow.label === INCLUDED) {
    const message = `Untrusted input \`${flow.name}\` selects the file that \`${flow.callee}\` runs as PHP.`
    return { ...at, rule: "untrusted_include", message }
  }
  if (entry.test(flow.type)) {
    const message =
      `\`${flow.name}\` is the name of an archive entry; with \`../\` in it the resulting path lies outside of the ` +
      "target folder."
    return { ...at, rule: "zip_slip", message }
  }
  const isStream = path.endsWith(".php") && (address.test(flow.text) || addressName.test(flow.name))
  if (content.test(flow.type) || isStream || isRejectedByFramework(flow)) return null
  if (uploadName.test(flow.type)) {
    if (reads.test(flow.callee)) return null
    const message =
      `The file name that came with the upload, \`${flow.name}\`, becomes part of the path that \`${flow.callee}\` ` +
      "uses: the client chooses its extension and which file it replaces."
    return { ...at, rule: "untrusted_upload_name", message }
  }
  if (/^\$_SERVER\.(?:PHP_SELF|SCRIPT_NAME)/.test(flow.type)) return null
  const message = `Untrusted input \`${flow.name}\` becomes part of the path that \`${flow.callee}\` uses.`
  return { ...at, rule: "untrusted_path", message, ...(ownInput.test(flow.source) ? { confidence: UNLIKELY } : {}) }
}

const exported: MatchFlow<RuleId> = (flow) => {
  // A setting of an object is the developer's own choice.
  if (isChosenWhole(flow) || flow.label === INCLUDED || flow.name.includes(".")) return null
  const message = `\`${flow.name}\`, a parameter of an exported function, is appended to the path that \`${flow.callee}\` uses.`
  return { ...rangeOf(flow), identifiers: identifiersOf(flow), rule: "exported_path", message }
}

const flows = untrustedFlows(PATH, untrusted, { exported })

export default auditTool({
  id: "path_traversal",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P1",
  version: 8,
  rules,
  appliesTo: ({ language, role }) => role === "source" && (taintLanguageOf(language) !== null || isNative(language)),
  ...flows,
  inspect: (file, emit) => {
    if (isNative(file.language)) {
      inspectNativePaths(file, emit)
      return undefined
    }
    inspectPrefixTests(file, emit)
    return flows.inspect(file, emit)
  }
})
