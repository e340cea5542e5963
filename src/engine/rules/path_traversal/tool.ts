import { auditTool, type Hit } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { identifiersOf, rangeOf, type Told } from "../../dataflow/report.ts"
import { INCLUDED, SERVED } from "../../dataflow/sinks/pathSinks.ts"
import { untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { PATH } from "../../dataflow/values/Value.ts"

const entry =
  /^Zip(?:File|Archive\w*)\b.*\.(?:Full)?Name$|^(?:archive[:/]|adm-zip|zipfile|tarfile)|(?:Entry(?:\(\))?|nextElement\(\))\.getName/
const uploadName =
  /^(?:http:upload\.(?:FileName|getOriginalFilename|getSubmittedFileName|filename)|http:request\.upload\.|\$_FILES|flask\.request\.files|http:(?:django|starlette)\.FILES|http:(?:request|context\.request)\.files?\b)/
/** Nothing is stored there. */
const reads =
  /^\\?(?:opendir|scandir|glob|file|readfile|is_\w+|file_exists|file_get_contents|stat|filesize)$|(?:^|\.)(?:listdir|scandir|exists|existsSync|isFile|is_file|isdir|readdir|readdirSync|readFile|readFileSync|stat|statSync|createReadStream)$/
/** Contents, not names: a stream of the request that is copied to a file the code chose. */
const content = /(?:getInputStream|getBytes|getReader|getPart|getParts|read|\.Body|GetRawData|rawBody|stream)(?:\(\))?$/
/** Streams and addresses, which other tools tell of. */
const address = /^\s*(?:https?|ftp|php|data|phar):/i
const addressName = /(?:url|uri|link|href|feed|host|domain|endpoint|webhook|callback)\W*$/i
/** Set by the server, or resolved by it before any code runs. */
const resolved = /PHP_SELF|SCRIPT_NAME|\.URL\.(?:Path|RawPath)$|getRequestURI|getPathInfo/

const isRefused = (flow: Told): boolean => {
  const callee = flow.callee.slice(flow.callee.lastIndexOf(".") + 1)
  // Express refuses dots in a path that was not put together by path.join.
  if (flow.label === SERVED && /^(?:sendFile|sendfile|download)$/.test(callee)) return !flow.text.startsWith("\u0000")
  return callee === "ServeFile" && resolved.test(flow.type)
}

const untrusted = (flow: Told, path: string): Omit<Hit, "steps"> | null => {
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (flow.label === INCLUDED) {
    const message = `Untrusted input \`${flow.name}\` decides which file \`${flow.callee}\` runs as PHP.`
    return { ...at, rule: "untrusted_include", message }
  }
  if (entry.test(flow.type)) {
    const message =
      `\`${flow.name}\` is the name of an archive's entry; with \`../\` in it the path made of it lies outside of the ` +
      "folder the archive is unpacked to."
    return { ...at, rule: "zip_slip", message }
  }
  const isStream = path.endsWith(".php") && (address.test(flow.text) || addressName.test(flow.name))
  if (content.test(flow.type) || isStream || isRefused(flow)) return null
  if (uploadName.test(flow.type)) {
    if (reads.test(flow.callee)) return null
    const message =
      `The file name that came with the upload, \`${flow.name}\`, becomes part of the path that \`${flow.callee}\` ` +
      "works on: the sender chooses its ending and which file it replaces."
    return { ...at, rule: "untrusted_upload_name", message }
  }
  if (/^\$_SERVER\.(?:PHP_SELF|SCRIPT_NAME)/.test(flow.type)) return null
  const message = `Untrusted input \`${flow.name}\` becomes part of the path that \`${flow.callee}\` works on.`
  return { ...at, rule: "untrusted_path", message }
}

export default auditTool({
  id: "path_traversal",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P1",
  version: 3,
  rules: [
    {
      id: "untrusted_path",
      languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
      title: "Untrusted input becomes part of a file path",
      description:
        "With `../` or an absolute path in the input, whoever sends the request reads, replaces or removes files " +
        "outside of the folder that is meant. Resolve the whole path and refuse it unless it begins with that folder " +
        "and a separator (`path.resolve` and `startsWith`, `Path.resolve().is_relative_to`, `getCanonicalPath`, " +
        "`filepath.IsLocal`, `realpath`), take only the last part (`basename`, `secure_filename`), or look the file up " +
        "by an identifier the code itself gave out.",
      cwe: [22],
      // On code nobody tuned it on none of those read was plainly right: management interfaces, mostly.
      confidence: 0.65,
      effort: "small",
      risk: "low"
    },
    {
      id: "zip_slip",
      languages: ["csharp", "go", "java", "javascript", "python"],
      title: "Name of an archive entry becomes part of a file path",
      description:
        "An archive may hold entries named `../../etc/cron.d/job`; unpacked without a check they are written outside " +
        "of the target folder, over configuration or code. Resolve the target of every entry and skip those that do " +
        "not begin with the folder that is unpacked to, or use an unpacker that does it (`ZipFile.extractall`, " +
        "`tarfile` with `filter='data'`).",
      cwe: [22],
      // Right in none of six places read by hand: checks are often made on a normalized copy of the name.
      confidence: 0.65,
      effort: "small",
      risk: "low"
    },
    {
      id: "untrusted_include",
      languages: ["php"],
      title: "Untrusted input decides which PHP file is run",
      description:
        "The request chooses the file that is run as code: `../` reaches uploads, logs and sessions that hold what the " +
        "attacker wrote, and with remote includes turned on any address does. Look the name up in a list that the code " +
        "itself keeps and include the path that is stored there.",
      cwe: [98],
      confidence: 0.9,
      effort: "small",
      risk: "low",
      priority: "P0"
    },
    {
      id: "untrusted_upload_name",
      languages: ["csharp", "java", "javascript", "php", "python"],
      title: "An upload is stored under the name its sender gave it",
      description:
        "The sender chooses the ending, so a script or a page may end up where the server runs or shows it, and a " +
        "known name replaces someone else's file. Store uploads under a name the server makes (a UUID), keep the " +
        "original name as data only, and take the ending from a list of allowed ones.",
      cwe: [434, 22],
      confidence: 0.75,
      effort: "small",
      risk: "low"
    }
  ],
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  ...untrustedFlows(PATH, untrusted)
})
