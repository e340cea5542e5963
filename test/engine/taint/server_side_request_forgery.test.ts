import { describe } from "vitest"
import server_side_request_forgery from "../../../src/engine/rules/server_side_request_forgery/tool.ts"
import { express, flask, holdsFor, http, php, servlet } from "./reaches.ts"

const holds = holdsFor(server_side_request_forgery, ["untrusted_url", "untrusted_host"])
const node = 'const axios = require("axios")\nconst HOSTS = ["api.example.com"]'

describe("untrusted addresses", () => {
  holds(
    "through aliases, templates, loops and branches",
    express(
      node,
      `
const { url } = req.body
const copy = url
axios.get(copy) // REACHED
axios.get(\`\${req.query.scheme}://example.com/\`) // REACHED
axios.get("https://" + [req.query.sub, "example.com"].join(".")) // REACHED
for (const one of req.body.urls) axios.get(one) // REACHED
const target = req.query.fixed ? "https://api.example.com/" : url
axios.get(target) // REACHED
`
    )
  )
  holds("through a wrapper in another file", {
    "server/client.js": `const axios = require("axios")
exports.ask = (url) => axios.get(url)
exports.user = (id) => axios.get(\`https://api.example.com/users/\${id}\`)
`,
    "server/routes.js": `const app = require("express")()
const client = require("./client")
app.get("/x", (req, res) => {
  client.ask(req.query.url) // REACHED
  client.user(req.query.id)
})
`
  })
  holds(
    "only the host matters",
    express(
      node,
      `
axios.get("https://api.example.com/" + req.query.path)
axios.get(\`https://api.example.com:\${req.query.port}/\`)
axios.get(\`\${process.env.API}/\${req.query.path}\`)
axios.get("https://api.example.com", { params: req.query })
axios.get(\`https://\${req.query.user}@example.com/\`) // REACHED
axios.get("//" + req.query.host + "/x") // REACHED
`
    )
  )
  holds(
    "a list of hosts is a check, a look at the text is none",
    express(
      node,
      `
const a = new URL(req.query.a)
if (HOSTS.indexOf(a.host) === -1) return
axios.get(a.toString())
const b = req.query.b
if (!b.includes("example.com")) return
axios.get(b) // REACHED
const c = new URL(req.query.c)
if (!c.hostname.endsWith("example.com")) return
axios.get(c.href) // REACHED
const d = new URL(req.query.d)
if (!d.hostname.endsWith(".example.com")) return
axios.get(d.href)
const e = new URL(req.query.e)
if (e.protocol !== "https:") return
axios.get(e.href) // REACHED
switch (req.query.f) {
  case "https://api.example.com/":
    axios.get(req.query.f)
}
`
    )
  )
  holds(
    "sanitisers for other sinks are none",
    express(
      `${node}\nconst he = require("he")\nconst path = require("path")`,
      `
axios.get(req.query.a.trim()) // REACHED
axios.get(path.basename(req.query.b)) // REACHED
axios.get(encodeURIComponent(req.query.c))
axios.get("https://example.com/" + encodeURIComponent(req.query.d))
axios.get(decodeURIComponent(req.query.e)) // REACHED
`
    )
  )
  holds(
    "Python",
    flask(
      "import requests\nfrom urllib.parse import urlparse, urljoin\nHOSTS = {'a.example.com'}",
      `
a = urlparse(request.args["a"])
if a.netloc not in HOSTS:
    abort(400)
requests.get(a.geturl())
b = request.args["b"]
if not b.startswith("https://"):
    abort(400)
requests.get(b) # REACHED
requests.get("https://%s/" % request.args["c"]) # REACHED
requests.get("https://example.com/{}".format(request.args["d"]))
with requests.Session() as session:
    session.get(request.args["e"]) # REACHED
`
    )
  )
  holds("Go, Java and PHP", {
    ...http(
      '"net/url"',
      `
u, _ := url.Parse(r.FormValue("a"))
if u.Host != "api.example.com" {
	return
}
http.Get(u.String())
v, _ := url.Parse(r.FormValue("b"))
http.Get(v.String()) // REACHED
`
    ),
    ...servlet(
      "import java.net.*;\nimport java.util.*;",
      `
URL a = new URL(req.getParameter("a"));
if (!Set.of("api.example.com").contains(a.getHost())) { return; }
a.openStream();
URL b = new URL(req.getParameter("b"));
if (!b.getProtocol().equals("https")) { return; }
b.openConnection(); // REACHED
`
    ),
    ...php(`
$a = parse_url($_GET["a"]);
if ($a["host"] !== "api.example.com") { exit; }
curl_init($_GET["b"]); // REACHED
$c = "http://" . $_GET["c"];
$ch = curl_init();
curl_setopt($ch, CURLOPT_URL, $c); // REACHED
curl_setopt($ch, CURLOPT_USERAGENT, $_GET["d"]);
`)
  })
  holds("a browser's own requests are none", {
    "client/page.tsx": `"use client"
export const load = () => fetch(new URLSearchParams(window.location.search).get("url"))
`
  })
})
