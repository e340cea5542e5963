import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  untrusted_path: {
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
  zip_slip: {
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
  untrusted_include: {
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
  untrusted_upload_name: {
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
})

export type RuleId = keyof typeof rules
