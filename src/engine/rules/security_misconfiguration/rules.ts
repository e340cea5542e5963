import { ruleSet } from "../../core/tool/AuditTool.ts"
import { hostRules } from "./hostRules.ts"

const flaskDebugger =
  "Anyone who reaches the debugger runs code in the process. The application is started with `debug=True`, which serves " +
  "the interactive debugger on every error. Use `flask --debug run` on developers' machines and a production server " +
  "elsewhere."

export const rules = ruleSet({
  ...hostRules,
  cors_with_credentials: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "CORS: credentials allowed for any origin",
    description:
      "Any page that a user visits can call this service with the user's cookies and read the responses. The CORS " +
      "configuration accepts every origin and allows credentials. Compare the whole origin with an allowlist of your own " +
      "sites, or do not allow credentials.",
    example: {
      path: "server/app.js",
      bad: `const express = require("express")
const cors = require("cors")

const app = express()
app.use(cors({ origin: true, credentials: true }))
`,
      good: `const express = require("express")
const cors = require("cors")

const app = express()
app.use(cors({ origin: ["https://app.example.com"], credentials: true }))
`
    },
    cwe: [942],
    confidence: 0.85,
    effort: "small",
    risk: "medium",
    priority: "P1"
  },
  debug_mode: {
    languages: ["csharp", "javascript", "php", "python", "ruby", "text", "yaml"],
    title: "Debug mode enabled in deployed code",
    description:
      "Anyone who causes an error sees source code, settings and stack traces. Debug mode is enabled in settings that " +
      "production uses. Read the setting from the environment, off by default, and enable it in development settings only.",
    example: {
      path: "shop/settings.py",
      bad: `DEBUG = True
ALLOWED_HOSTS = ["shop.example.com"]
INSTALLED_APPS = ["django.contrib.admin"]
`,
      good: `import os

DEBUG = os.environ.get("DJANGO_DEBUG") == "1"
ALLOWED_HOSTS = ["shop.example.com"]
INSTALLED_APPS = ["django.contrib.admin"]
`
    },
    cwe: [489],
    confidence: 0.78,
    effort: "small",
    risk: "low"
  },
  flask_debugger: {
    languages: ["python"],
    title: "Debug mode: Flask debugger enabled",
    description: flaskDebugger,
    example: {
      path: "app/server.py",
      bad: `from flask import Flask

app = Flask(__name__)
app.run(host="0.0.0.0", debug=True)
`,
      good: `from flask import Flask

app = Flask(__name__)
app.run(host="0.0.0.0", debug=False)
`
    },
    cwe: [489, 94],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  flask_debugger_in_main: {
    languages: ["python"],
    title: "Debug mode: Flask debugger enabled in the main block",
    description: flaskDebugger,
    example: {
      path: "app/server.py",
      bad: `from flask import Flask

app = Flask(__name__)

if __name__ == "__main__":
    app.run(debug=True)
`,
      good: `from flask import Flask

app = Flask(__name__)

if __name__ == "__main__":
    app.run()
`
    },
    cwe: [489, 94],
    // Production servers import the application and do not run this block.
    confidence: 0.65,
    effort: "small",
    risk: "low"
  },
  any_host_allowed: {
    languages: ["python"],
    title: "Host header injection: any Host header accepted",
    description:
      "An attacker makes the service send links to a host of their own, password reset links included. Links in mails and " +
      "redirects are built from the Host header, and every value is accepted. List the host names of the service.",
    example: {
      path: "shop/settings.py",
      bad: `ALLOWED_HOSTS = ["*"]
INSTALLED_APPS = ["django.contrib.admin"]
`,
      good: `ALLOWED_HOSTS = ["shop.example.com"]
INSTALLED_APPS = ["django.contrib.admin"]
`
    },
    cwe: [644, 183],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  },
  csrf_switched_off: {
    languages: ["csharp", "java", "python", "ruby"],
    title: "Cross-site request forgery (CSRF) protection disabled",
    description:
      "Another site can act as any user who visits it, because browsers send the session cookie along with its requests. " +
      "The framework's CSRF check is disabled for this code. Keep the check for everything that a browser session reaches; " +
      "disable it only for endpoints that authenticate each request by a header or a signature.",
    example: {
      path: "shop/views.py",
      bad: `from django.views.decorators.csrf import csrf_exempt


@csrf_exempt
def change_address(request):
    request.user.profile.address = request.POST["address"]
    request.user.profile.save()
`,
      good: `def change_address(request):
    request.user.profile.address = request.POST["address"]
    request.user.profile.save()
`
    },
    cwe: [352],
    confidence: 0.72,
    effort: "small",
    risk: "medium"
  },
  headers_switched_off: {
    languages: ["javascript"],
    title: "Security header disabled",
    description:
      "Attacks that browsers would block become possible: scripts from other sites, framing of the page, plain HTTP. The " +
      "code disables a security header that the framework sends by default. Configure the one directive that is in the " +
      "way instead of disabling the header.",
    example: {
      path: "server/app.js",
      bad: `const helmet = require("helmet")

app.use(helmet({ contentSecurityPolicy: false }))
`,
      good: `const helmet = require("helmet")

app.use(helmet({ contentSecurityPolicy: { directives: { imgSrc: ["'self'", "https://images.example.com"] } } }))
`
    },
    cwe: [693],
    confidence: 0.62,
    effort: "medium",
    risk: "medium",
    priority: "P3"
  },
  electron_isolation_off: {
    languages: ["javascript"],
    title: "Electron: window without isolation",
    description:
      "A script injected into the page, or loaded from another site, reads local files or runs programs. The window " +
      "disables `webSecurity`, or enables `nodeIntegration` without `contextIsolation`. Keep the defaults, and expose what " +
      "the page needs through a preload script with `contextBridge`.",
    example: {
      path: "desktop/window.ts",
      bad: `import { BrowserWindow } from "electron"

export const open = () => new BrowserWindow({ webPreferences: { webSecurity: false } })
`,
      good: `import { BrowserWindow } from "electron"

export const open = () => new BrowserWindow({ webPreferences: { webSecurity: true } })
`
    },
    cwe: [1188, 346],
    confidence: 0.85,
    effort: "medium",
    risk: "medium",
    priority: "P1"
  },
  actuator_exposed: {
    languages: ["text", "yaml"],
    title: "Spring Boot: all actuator endpoints exposed",
    description:
      "Anyone who reaches the service reads the environment with its credentials and heap dumps with data of users. The " +
      "configuration exposes every actuator endpoint over the web. Expose `health` and what monitoring needs by name, and " +
      "put the rest behind authentication on another port.",
    example: {
      path: "config/application.yml",
      bad: `management:
  endpoints:
    web:
      exposure:
        include: "*"
`,
      good: `management:
  endpoints:
    web:
      exposure:
        include: "health,prometheus"
`
    },
    cwe: [497],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  },
  directory_listing: {
    languages: ["javascript", "text"],
    title: "Directory listing enabled",
    description:
      "Visitors find backups, old versions and uploads that no page links to. The server lists the files of a folder. " +
      "Disable the listing, or add an index page to the folder.",
    example: {
      path: "conf/nginx.conf",
      bad: `server {
  location /files {
    autoindex on;
  }
}
`,
      good: `server {
  location /files {
    autoindex off;
  }
}
`
    },
    cwe: [548],
    confidence: 0.7,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  log_injection: {
    languages: ["go", "java", "javascript", "php", "python"],
    title: "Log injection: line breaks of untrusted input",
    description:
      "An attacker adds entries to the log that hide or fake what happened. Untrusted input is written to a log of " +
      "lines as it is, and a line break in it begins a new entry. Remove or escape line breaks (`%r`, `%q`, " +
      "`JSON.stringify`), or have the logger write JSON.",
    example: {
      path: "app/login.py",
      bad: `import logging
from flask import Flask, request

app = Flask(__name__)
log = logging.getLogger(__name__)


@app.post("/login")
def login():
    log.warning("failed login of %s", request.form["name"])
    return "", 403
`,
      good: `import logging
from flask import Flask, request

app = Flask(__name__)
log = logging.getLogger(__name__)


@app.post("/login")
def login():
    log.warning("failed login of %r", request.form["name"])
    return "", 403
`
    },
    cwe: [117],
    // Most places are right and few are worth a change: loggers escape line breaks by their configuration.
    confidence: 0.45,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  trust_boundary: {
    languages: ["csharp", "java"],
    title: "Trust boundary violation: session attribute from untrusted input",
    description:
      "An attacker chooses what later requests take for facts about their session. Untrusted input is stored in the " +
      "session without a check, next to attributes that the server chose. Validate the value before it is stored, or keep " +
      "it apart from what the server knows of the user.",
    example: {
      path: "src/Shop.java",
      bad: `import javax.servlet.http.HttpServletRequest;

class Shop {
    void choose(HttpServletRequest request) {
        request.getSession().setAttribute("role", request.getParameter("role"));
    }
}
`,
      good: `import javax.servlet.http.HttpServletRequest;

class Shop {
    void choose(HttpServletRequest request) {
        request.getSession().setAttribute("page", Integer.parseInt(request.getParameter("page")));
    }
}
`
    },
    cwe: [501],
    confidence: 0.55,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  open_redirect: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Open redirect",
    description:
      "An attacker sends users a link to this site that ends on a copy of its login page, and tokens in the URL go along. " +
      "Untrusted input determines the target of a redirect. Accept paths of your own site only (one slash at the beginning, " +
      "not two), or look the target up in an allowlist; compare the host of the parsed URL, not the beginning of its text.",
    example: {
      path: "server/login.js",
      bad: `app.post("/login", (req, res) => {
  res.redirect(req.query.next)
})
`,
      good: `const TARGETS = { home: "/", orders: "/orders" }

app.post("/login", (req, res) => {
  res.redirect(TARGETS[req.query.next] ?? "/")
})
`
    },
    cwe: [601],
    confidence: 0.8,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
