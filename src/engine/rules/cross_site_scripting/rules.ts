import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  untrusted_html: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Cross-site scripting (XSS)",
    description:
      "An attacker runs scripts in a user's session with a link or a stored value: the scripts read what the user can " +
      "read and act as the user. Untrusted input is part of HTML that the server sends without escaping. Render the " +
      "output with a template that escapes automatically, or escape the value for its context (`htmlspecialchars`, " +
      "`html.escape`, `escape-html`); send data as JSON with its content type.",
    example: {
      path: "server/search.js",
      bad: `app.get("/search", (req, res) => {
  res.send("<h1>Results for " + req.query.q + "</h1>")
})
`,
      good: `const escapeHtml = require("escape-html")

app.get("/search", (req, res) => {
  res.send("<h1>Results for " + escapeHtml(req.query.q) + "</h1>")
})
`
    },
    cwe: [79],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  untrusted_markup: {
    languages: ["csharp", "go", "javascript", "php", "python", "ruby"],
    title: "Cross-site scripting (XSS): untrusted input marked as safe HTML",
    description:
      "An attacker runs scripts in the session of every user who opens the page. The call turns escaping off for this " +
      "value, so markup in untrusted input becomes part of the page. Remove the call, or sanitize the value first with a " +
      "library that keeps an allowlist of tags and attributes.",
    example: {
      path: "app/greeting.py",
      bad: `from flask import Flask, render_template, request
from markupsafe import Markup

app = Flask(__name__)


@app.route("/greeting")
def greeting():
    return render_template("greeting.html", name=Markup(request.args["name"]))
`,
      good: `from flask import Flask, render_template, request

app = Flask(__name__)


@app.route("/greeting")
def greeting():
    return render_template("greeting.html", name=request.args["name"])
`
    },
    cwe: [79],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  dom_injection: {
    languages: ["javascript"],
    title: "DOM-based cross-site scripting (XSS)",
    description:
      "An attacker runs scripts in a user's session with a link to the page. Its URL, its referrer or a message of " +
      "another window is inserted into the page as HTML. Use `textContent`, create elements, or sanitize the value with " +
      "a library such as DOMPurify first; check `event.origin` before a message is used.",
    example: {
      path: "web/banner.js",
      bad: `const query = new URLSearchParams(location.search)
document.querySelector("#banner").innerHTML = "Welcome, " + query.get("name")
`,
      good: `const query = new URLSearchParams(location.search)
document.querySelector("#banner").textContent = "Welcome, " + query.get("name")
`
    },
    cwe: [79],
    confidence: 0.82,
    effort: "small",
    risk: "low"
  },
  unescaped_prop: {
    languages: ["javascript"],
    title: "Cross-site scripting (XSS): unsanitized dangerouslySetInnerHTML",
    description:
      "If any of this value comes from users or from another service, scripts in it run in the session of every user " +
      "who opens the page. React escapes everything except what goes through `dangerouslySetInnerHTML`, and nothing here " +
      "sanitizes the value. Render it as text, or sanitize it in the same expression, where the next reader sees it.",
    example: {
      path: "web/Comment.jsx",
      bad: `export const Comment = ({ comment }) => <p dangerouslySetInnerHTML={{ __html: comment.body }} />
`,
      good: `export const Comment = ({ comment }) => <p>{comment.body}</p>
`
    },
    cwe: [79],
    confidence: 0.62,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  autoescape_off: {
    languages: ["javascript", "python"],
    title: "Cross-site scripting (XSS): template autoescaping turned off",
    description:
      "One value that is not escaped by hand lets an attacker run scripts in users' sessions. The template engine is " +
      "configured without automatic escaping, so every template must escape every value itself. Turn escaping on and " +
      "mark the few values that hold markup on purpose.",
    example: {
      path: "app/pages.py",
      bad: `from jinja2 import Environment, FileSystemLoader

environment = Environment(loader=FileSystemLoader("templates"), autoescape=False)
page = environment.get_template("page.html")
`,
      good: `from jinja2 import Environment, FileSystemLoader

environment = Environment(loader=FileSystemLoader("templates"), autoescape=True)
page = environment.get_template("page.html")
`
    },
    cwe: [79, 116],
    confidence: 0.8,
    effort: "medium",
    risk: "medium"
  },
  request_in_template: {
    languages: ["html", "php", "text", "vue"],
    title: "Cross-site scripting (XSS): request rendered without escaping",
    description:
      "An attacker runs scripts in a user's session with a link. A value of the request reaches a template that renders " +
      "it with the syntax that does not escape, directly or under the name that the controller gives it. Use the syntax " +
      "that escapes, or sanitize the value first with a library that keeps an allowlist of tags and attributes.",
    example: {
      path: "views/search.ejs",
      bad: `<h1>Results for <%- term %></h1>
`,
      good: `<h1>Results for <%= term %></h1>
`,
      besides: {
        "routes/search.js": `app.get("/search", (req, res) => res.render("search", { term: req.query.q }))
`
      }
    },
    cwe: [79],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  raw_template_output: {
    languages: ["html", "php", "text", "vue"],
    title: "Cross-site scripting (XSS): raw output in a template",
    description:
      "If anyone but the authors of the program can choose this value, scripts in it run in the session of everyone who " +
      "opens the page. The template renders it with the syntax that does not escape, and neither the template nor a " +
      "controller shows that it is sanitized. Use the syntax that escapes, or sanitize it in the same expression.",
    example: {
      path: "views/profile.ejs",
      bad: `<p><%- profile.about %></p>
`,
      good: `<p><%= profile.about %></p>
`
    },
    cwe: [79],
    confidence: 0.5,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  markup_from_caller: {
    languages: ["javascript"],
    title: "Cross-site scripting (XSS): a caller's text becomes HTML",
    description:
      "A page that hands this function a text of its users runs their scripts. The parameter becomes HTML without " +
      "being escaped, and its name does not say that it is markup. Use `textContent` or elements, escape the text, or " +
      "say in name and documentation that it has to be safe HTML.",
    example: {
      path: "src/tooltip.js",
      bad: `exports.show = (element, title) => {
  element.innerHTML = "<b>" + title + "</b>"
}
`,
      good: `exports.show = (element, title) => {
  element.replaceChildren(Object.assign(document.createElement("b"), { textContent: title }))
}
`
    },
    cwe: [79],
    confidence: 0.55,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  unescaped_template_value: {
    languages: ["html", "php", "text"],
    title: "Cross-site scripting (XSS): unescaped visitor input in a template",
    description:
      "If users can choose any of this value, scripts in it run in the session of everyone who opens the page. The " +
      "template renders it with the syntax that does not escape. Use the syntax that escapes, or sanitize the value " +
      "where it is stored and note that here.",
    example: {
      path: "views/comment.ejs",
      bad: `<p><%- comment.text %></p>
`,
      good: `<p><%= comment.text %></p>
`
    },
    cwe: [79],
    confidence: 0.6,
    effort: "small",
    risk: "low",
    priority: "P2"
  }
})

export type RuleId = keyof typeof rules
