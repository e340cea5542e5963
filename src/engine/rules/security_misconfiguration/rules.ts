import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  cors_with_credentials: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Any site may read answers given to logged-in users",
    description:
      "With credentials allowed and every origin accepted, any page a user visits can call this service with the user's " +
      "cookies and read what it answers. Accept the origins of your own sites from a list that is compared as a whole, " +
      "or leave credentials out.",
    cwe: [942],
    confidence: 0.85,
    effort: "small",
    risk: "medium",
    priority: "P1"
  },
  debug_mode: {
    languages: ["csharp", "javascript", "php", "python", "ruby", "text", "yaml"],
    title: "Debug mode is on in deployed code",
    description:
      "Debug pages show source, settings and stack traces to whoever causes an error, and some let them run code. Read " +
      "the switch from the environment, off by default, and turn it on in development settings only.",
    cwe: [489],
    confidence: 0.78,
    effort: "small",
    risk: "low"
  },
  any_host_allowed: {
    languages: ["python"],
    title: "Any Host header is accepted",
    description:
      "Links in mails and redirects are built from the Host header; when every value is accepted, an attacker makes the " +
      "service send links to a host of their own, password resets among them. List the names the service is reached by.",
    cwe: [183],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  },
  csrf_switched_off: {
    languages: ["csharp", "java", "python", "ruby"],
    title: "Protection against forged requests is switched off",
    description:
      "Browsers send the session cookie along with requests that other sites make, so such a site can act in the name of " +
      "whoever visits it. Keep the framework's check for everything a browser session reaches; leave it out only for " +
      "endpoints that authenticate each request by a header or a signature.",
    cwe: [352],
    confidence: 0.72,
    effort: "small",
    risk: "medium"
  },
  headers_switched_off: {
    languages: ["javascript"],
    title: "Security header is switched off",
    description:
      "The header tells browsers to refuse what attacks on this site need: scripts from elsewhere, frames around the " +
      "page, plain HTTP. Configure the one directive that is in the way instead of leaving the header out.",
    cwe: [693],
    confidence: 0.62,
    effort: "medium",
    risk: "medium",
    priority: "P3"
  },
  electron_isolation_off: {
    languages: ["javascript"],
    title: "Electron window runs without isolation",
    description:
      "A script that gets into the page, by an injection or from a site it shows, reads local files or runs programs. " +
      "Keep `webSecurity` and `contextIsolation` on and `nodeIntegration` off, and offer the page what it needs through a " +
      "preload script with `contextBridge`.",
    cwe: [346],
    confidence: 0.85,
    effort: "medium",
    risk: "medium",
    priority: "P1"
  },
  actuator_exposed: {
    languages: ["text", "yaml"],
    title: "Every actuator endpoint is served over the web",
    description:
      "Among the endpoints are the environment with its credentials, heap dumps with users' data and switches for " +
      "loggers. Expose `health` and what monitoring needs by name, and put the rest behind authentication on another port.",
    cwe: [497],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  },
  directory_listing: {
    languages: ["javascript", "text"],
    title: "Folders are listed to visitors",
    description:
      "Lists of files show backups, old versions and uploads that nobody links to. Switch the listing off, or give the " +
      "folder an index page.",
    cwe: [548],
    confidence: 0.7,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  open_redirect: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Untrusted input decides where the user is sent",
    description:
      "A link to this site that ends on a copy of its login page is what people trust, and tokens in the address go along. " +
      "Accept paths of your own only (one slash at the beginning, not two), or look the target up in a list; compare " +
      "the host of the parsed address, not the beginning of its text.",
    cwe: [601],
    confidence: 0.8,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
