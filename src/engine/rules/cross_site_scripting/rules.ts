import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  untrusted_html: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Untrusted input is sent to browsers as HTML",
    description:
      "Whoever makes a user follow a link, or stores a value that others look at, gets scripts run in their session: " +
      "they read what the user can read and act in the user's name. Leave the output to a template that escapes by " +
      "itself, or escape the value for the place it goes to (`htmlspecialchars`, `html.escape`, `escape-html`); send data " +
      "as JSON with its content type.",
    cwe: [79],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  untrusted_markup: {
    languages: ["csharp", "go", "javascript", "php", "python", "ruby"],
    title: "Untrusted input is declared to be safe HTML",
    description:
      "The call tells the template to leave the value as it is, so markup in it becomes part of the page and scripts in " +
      "it run in the session of whoever looks at it. Drop the call, or clean the value with a sanitiser that keeps a " +
      "list of allowed tags and attributes before.",
    cwe: [79],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  dom_injection: {
    languages: ["javascript"],
    title: "Untrusted input becomes HTML in the page",
    description:
      "The address of the page, its referrer and messages of other windows are chosen by whoever links to it; put into " +
      "the page as HTML they run scripts in the user's session. Use `textContent`, build elements, or clean the value " +
      "with a sanitiser such as DOMPurify first; check `event.origin` before a message is used.",
    cwe: [79],
    confidence: 0.82,
    effort: "small",
    risk: "low"
  },
  unescaped_prop: {
    languages: ["javascript"],
    title: "Value is rendered as HTML without being cleaned",
    description:
      "React escapes everything except what goes through `dangerouslySetInnerHTML`; if any of this value comes from users " +
      "or from another service, scripts in it run in the session of whoever looks at the page. Render it as text, or " +
      "clean it with a sanitiser in the same expression, where the next reader sees it.",
    cwe: [79],
    confidence: 0.62,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  autoescape_off: {
    languages: ["javascript", "python"],
    title: "Templates do not escape what they show",
    description:
      "With escaping switched off, every value in every template has to be escaped by hand, and the first one that is " +
      "forgotten runs scripts in users' sessions. Switch it on and mark the few values that hold markup on purpose.",
    cwe: [79],
    confidence: 0.8,
    effort: "medium",
    risk: "medium"
  },
  unescaped_template_value: {
    languages: ["html", "php", "text"],
    title: "Template shows a value without escaping it",
    description:
      "The template is told to leave this value as it is; when users can choose any of it, markup in it becomes part of " +
      "the page. Use the form that escapes, or clean the value where it is stored and say so here.",
    cwe: [79],
    confidence: 0.6,
    effort: "small",
    risk: "low",
    priority: "P2"
  }
})

export type RuleId = keyof typeof rules
