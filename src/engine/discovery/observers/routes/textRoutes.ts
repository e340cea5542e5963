import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { clip, type ObservedRoute } from "../../Observed.ts"
import { otherForms } from "./otherForms.ts"
import { type RouteForm, verbs } from "./RouteForm.ts"

/** How routes are written for servers whose calls look alike: by their words, without following what they are called on. */
const forms: ReadonlyArray<RouteForm> = [
  {
    framework: "router",
    files: /\.go$/,
    needs: /\bhttp\.(?:ResponseWriter|Handler|HandlerFunc)\b|\/route"|fasthttp|fiber/,
    pattern:
      /\b(?:(?:r|app|api|e|g|s|srv|av\d|\w*[rR]outer|\w*[mM]ux|\w*[gG]roup)\.(?<method>Get|Post|Put|Patch|Del|Delete|Head|Options|Any|Handle|HandleFunc)|http\.Handle(?:Func)?)\(\s*(?:path\.Join\()?(?:\*?[\w.]+\s*[+,]\s*)?"(?<path>\/[^"\n]{0,160})"[^,\n]{0,80}?\)?,\s*(?<handler>[A-Za-z_][\w.]*)?/g
  },
  {
    // The address is what a flag says.
    framework: "router",
    files: /\.go$/,
    needs: /\bhttp\.(?:ResponseWriter|Handler|HandlerFunc)\b/,
    pattern: /\b(?:http|\w*[mM]ux)\.Handle(?:Func)?\(\s*\*(?<name>[a-z]\w{1,40})\s*,\s*(?<handler>[A-Za-z_][\w.]*)?/g
  },
  {
    framework: "net/http",
    files: /\.go$/,
    needs: /\bhttp\.(?:ResponseWriter|Handler|HandlerFunc)\b/,
    pattern:
      /\b(?:http|\w*[mM]ux|r|\w*[rR]outer)\.Handle(?:Func)?\(\s*(?<name>[A-Za-z]\w{1,60})\s*(?:\+\s*[\w.]{1,60}\s*)?,\s*(?<handler>[A-Za-z_][\w.]*)?/g,
    isConstant: true
  },
  {
    framework: "actix or Rocket",
    files: /\.rs$/,
    needs: /\b(?:actix_web|rocket)\b/,
    pattern: new RegExp(
      `#\\[(?<method>${verbs})\\(\\s*"(?<path>\\/[^"\\n]{0,160})"[^\\]]{0,120}\\)\\]\\s*(?:#\\[[^\\]]{0,120}\\]\\s*){0,10}(?:pub\\s+)?(?:async\\s+)?fn\\s+(?<handler>\\w+)`,
      "g"
    )
  },
  {
    framework: "axum",
    files: /\.rs$/,
    needs: /\baxum\b/,
    pattern:
      /\.route\(\s*"(?<path>\/[^"\n]{0,160})"\s*,\s*(?:\w+::)*(?<method>get|post|put|patch|delete|any)\(\s*(?<handler>[\w:]+)/g
  },
  {
    framework: "actix",
    files: /\.rs$/,
    needs: /\bactix_web\b/,
    pattern:
      /web::resource\(\s*"(?<path>\/[^"\n]{0,160})"\s*\)(?:\s*\.\w+\([^()]{0,80}\)){0,3}?\s*\.route\(\s*web::(?<method>\w+)\(\)\s*\.to\(\s*(?<handler>[\w:]+)/g
  },
  {
    framework: "hyper",
    files: /\.rs$/,
    needs: /\bhyper\b/,
    pattern: /\(\s*&?(?:hyper::)?Method::(?<method>[A-Z]+)\s*,\s*(?:Some\()?"(?<path>\/[^"\n]{0,160})"/g
  },
  {
    framework: "hyper",
    files: /\.rs$/,
    needs: /\bhyper\b/,
    pattern: /^[ \t]*&?(?:hyper::)?Method::(?<method>GET|POST|PUT|PATCH|DELETE)\b(?<path>)[^\n=]{0,80}=>/gm
  },
  {
    framework: "Flask",
    files: /\.py$/,
    needs: /\bflask\b/i,
    pattern:
      /\.add_url_rule\(\s*(?:[rf]?["'](?<path>\/[^"'\n]{0,160})["']|(?<name>\w+))\s*,\s*(?:(?:endpoint\s*=\s*)?["'][\w.-]*["']\s*,\s*)?(?:view_func\s*=\s*)?(?<handler>[\w.]+)?/g
  },
  {
    framework: "aiohttp",
    files: /\.py$/,
    needs: /\baiohttp\b/,
    pattern:
      /(?:\.add_|\bweb\.)(?<method>get|post|put|patch|delete|head)\(\s*[rf]?["'](?<path>\/[^"'\n]{0,160})["']\s*,\s*(?<handler>[\w.]+)/g
  },
  {
    framework: "Tornado",
    files: /\.py$/,
    needs: /\btornado\b/,
    pattern:
      /^[ \t]*\(\s*[rf]{0,2}["'](?<path>\/[^"'\n]{0,160})["'](?:\s*%\s*[\w.]{1,40}|\s*%\s*\([\w., ]{1,80}\))?\s*,\s*(?<handler>[\w.]*[A-Z]\w*)/gm
  },
  {
    framework: "Werkzeug",
    files: /\.py$/,
    needs: /\bwerkzeug\b/,
    pattern:
      /\bRule\(\s*[rf]?["'](?<path>\/[^"'\n]{0,160})["'](?:[^()\n]{0,80}endpoint\s*=\s*["']?(?<handler>[\w.]+))?/g
  },
  {
    framework: "Starlette",
    files: /\.py$/,
    needs: /\bstarlette\b/,
    pattern: /\bRoute\(\s*[rf]?["'](?<path>\/[^"'\n]{0,160})["']\s*,\s*(?:endpoint\s*=\s*)?(?<handler>[\w.]+)/g
  },
  {
    framework: "Bottle",
    files: /\.py$/,
    needs: /\bbottle\b/,
    pattern: new RegExp(
      `^@(?:\\w+\\.)?(?<method>route|${verbs})\\(\\s*["'](?<path>\\/[^"'\\n]{0,160})["'][^\\n]*\\n(?:@[^\\n]*\\n){0,10}def (?<handler>\\w+)`,
      "gm"
    )
  },
  {
    framework: "CherryPy",
    files: /\.py$/,
    needs: /\bcherrypy\b/,
    pattern: /^[ \t]+@(?:cherrypy\.)?expose\b[^\n]*\n(?:[ \t]+@[^\n]*\n){0,10}[ \t]+def (?<handler>\w+)\(/gm,
    addressOf: (handler) => (handler === "index" ? "/" : handler === "default" ? "/*" : `/${handler}`)
  },
  {
    framework: "hapi",
    files: /\.[cm]?[jt]s$/,
    needs:
      /\bserver\.route\(|["']@?hapi(?:\/hapi)?["']|(?:module\.exports|export default)\s*=?\s*\[\s*\{\s*(?:method|path):/,
    pattern:
      /\bmethod:\s*\[?["'](?<method>GET|POST|PUT|PATCH|DELETE|\*)["'][^\n]{0,60}?\]?,\s*path:\s*["'`](?<path>\/[^"'`\n]{0,160})["'`]/g
  },
  {
    framework: "hapi",
    files: /\.[cm]?[jt]s$/,
    needs:
      /\bserver\.route\(|["']@?hapi(?:\/hapi)?["']|(?:module\.exports|export default)\s*=?\s*\[\s*\{\s*(?:method|path):/,
    pattern:
      /\bpath:\s*["'`](?<path>\/[^"'`\n]{0,160})["'`]\s*,\s*method:\s*\[?["'](?<method>GET|POST|PUT|PATCH|DELETE|\*)["']/g
  },
  {
    framework: "Pyramid",
    files: /\.py$/,
    needs: /\bpyramid\b|\bconfig\.add_route\b/,
    pattern: /\.add_route\(\s*["'](?<handler>[\w.-]+)["']\s*,\s*(?:pattern\s*=\s*)?["'](?<path>\/?[^"'\n]{1,160})["']/g
  },
  {
    framework: "Slim or FastRoute",
    files: /\.php$/,
    needs: /\bSlim\\|\bFastRoute\b|\bRouteCollector/,
    pattern: new RegExp(
      `\\$(?:app|router|r|group|routes?|this(?:->app)?)->(?:(?<method>${verbs})\\(|addRoute\\(\\s*(?:\\[[^\\]]{0,120}\\]|["']\\w+["'])\\s*,|map\\(\\s*\\[[^\\]]{0,120}\\]\\s*,)\\s*["'](?<path>\\/[^"'\\n]{0,160})["']\\s*,\\s*["']?\\\\?(?<handler>[A-Z][\\w\\\\]*(?:::?\\w+)?)?`,
      "g"
    )
  },
  {
    framework: "Javalin or Spark",
    files: /\.(?:java|kt)$/,
    needs: /\bio\.javalin\b|\bspark\.Spark\b|\bio\.vertx\.ext\.web\b/,
    pattern:
      /(?:^|[\s.])(?<method>get|post|put|patch|delete)\(\s*"(?<path>\/[^"\n]{0,160})"\s*[,)]\s*(?<handler>[\w.:]+)?/gm
  },
  {
    framework: "servlet",
    files: /\.java$/,
    needs: /\bHttpServlet\b/,
    pattern: /@WebServlet\([^)]{0,120}?"(?<path>\/[^"\n]{0,160})"[^)]{0,200}\)[\s\S]{0,200}?\bclass\s+(?<handler>\w+)/g
  },
  {
    framework: "Ktor",
    files: /\.kt$/,
    needs: /\bio\.ktor\b/,
    pattern: /^[ \t]*(?<method>get|post|put|patch|delete)\(\s*"(?<path>\/?[^"\n]{0,160})"\s*\)\s*\{/gm
  },
  {
    framework: "Mojolicious or Dancer",
    files: /\.(?:pl|pm|psgi|cgi)$/,
    needs: /\b(?:Mojolicious|Dancer2?)\b/,
    pattern:
      /(?:^[ \t]*|->)(?<method>get|post|put|patch|del|any)\s{0,20}\(?\s{0,20}['"](?<path>\/[^'"\n]{0,160})['"]\s*\)?(?:\s*->\s*to\(\s*['"]?(?<handler>[\w#-]+))?/gm
  },
  {
    framework: "Phoenix",
    files: /router\.ex$/,
    needs: /\buse \w+, :router\b|Phoenix\.Router/,
    pattern: /^[ \t]*(?<method>get|post|put|patch|delete)\(?\s*"(?<path>\/[^"\n]{0,160})"\s*,\s*(?<handler>\w+)/gm
  },
  {
    framework: "Crow or cpp-httplib",
    files: /\.(?:cpp|cc|cxx|h|hpp)$/,
    needs: /\bhttplib\b|\bCROW_ROUTE\b/,
    pattern:
      /(?:CROW_ROUTE\(\s*\w+\s*,|\b\w+(?:\.|->)(?<method>Get|Post|Put|Patch|Delete)\()\s*R?"\(?(?<path>\/[^"\n]{0,160}?)\)?"/g
  }
]

const methodOf = (written: string | undefined): ObservedRoute["method"] => {
  const method = (written ?? "ANY").toUpperCase()
  if (method === "DEL") return "DELETE"
  return /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method) ? (method as ObservedRoute["method"]) : "ANY"
}

const isComment = (line: string): boolean => /^\s*(?:\/\/|\*|\/\*|#(?!\[))/.test(line)

const isKeyword = (word: string): boolean => /^(?:func|function|async|fn|lambda|new)$/.test(word)

const constant = /(?<![\w.])([A-Za-z]\w{1,60})(?:[ \t]+string)?[ \t]*=[ \t]*"(\/[^"\n]{0,160})"/g

/** Addresses by the names of the constants that a file declares them as. */
const addressesIn = (file: SourceFile): ReadonlyMap<string, string> =>
  new Map([...file.text.matchAll(constant)].map(([, name, address]) => [name!, address!]))

/** Where the path is kept in a variable, its name stands for it. */
const pathOf = (path: string | undefined, name: string | undefined): string =>
  path !== undefined && path !== "" ? path : name === undefined ? "/*" : `{${name}}`

const routeOf = (
  file: SourceFile,
  { framework, addressOf, isPage }: RouteForm,
  match: RegExpExecArray
): ReadonlyArray<ObservedRoute> => {
  const { path, name, method, handler } = match.groups ?? {}
  const line = file.line(match.index + match[0].search(/\S/))
  if (isComment(file.lineText(line))) return []
  return [
    {
      framework,
      method: methodOf(method),
      path:
        isPage === true
          ? `/${(path ?? handler ?? "").replace(/^\//, "")}`
          : addressOf === undefined
            ? pathOf(path, name)
            : addressOf(handler ?? ""),
      handler: handler === undefined || isKeyword(handler) ? null : clip(handler, 100),
      guards: [],
      line,
      end: file.line(match.index + match[0].length - 1)
    }
  ]
}

const routesOf = (file: SourceFile, form: RouteForm): ReadonlyArray<ObservedRoute> => {
  const matches = [...file.text.matchAll(form.pattern)]
  if (form.isConstant !== true) return matches.flatMap((match) => routeOf(file, form, match))
  const addresses = matches.length === 0 ? new Map<string, string>() : addressesIn(file)
  return matches.flatMap((match) => {
    const path = addresses.get(match.groups?.name ?? "")
    return path === undefined ? [] : routeOf(file, form, match).map((route) => ({ ...route, path }))
  })
}

/** Routes of servers and frameworks whose routes the audit does not follow, as they are written. */
export const textRoutes = (file: SourceFile): ReadonlyArray<ObservedRoute> =>
  [...forms, ...otherForms].flatMap((form) =>
    form.files.test(file.path) && form.needs.test(file.text) ? routesOf(file, form) : []
  )
