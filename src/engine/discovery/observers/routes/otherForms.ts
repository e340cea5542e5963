import { type RouteForm, verbs } from "./RouteForm.ts"

const path = String.raw`["'](?<path>\/[^"'\n]{0,160})["']`
const method = `(?<method>${verbs})`
const ofVerb = (before: string, after: string): RegExp => new RegExp(`${before}${method}${after}`, "gm")

/** A function of Python whose decorator has the method and the address. */
const decorated = new RegExp(
  `^[ \\t]*@(?:\\w{1,40}\\.)?(?<method>route|${verbs})\\(\\s*${path}[^@]{0,600}?\\n[ \\t]*(?:async[ \\t]+)?def[ \\t]+(?<handler>\\w+)`,
  "gm"
)

/** Servers that are met less often, and those of languages whose code is not read. */
export const otherForms: ReadonlyArray<RouteForm> = [
  {
    framework: "Ember",
    files: /(?:^|\/)router\.[jt]s$/,
    needs: /["']@ember\/routing\/router["']|\bEmber\.Router\b|\bRouter\.map\(/,
    pattern:
      /\bthis\.route\(\s*["'](?<handler>[\w./-]{1,80})["'](?:\s*,\s*\{[^}\n]{0,80}?\bpath:\s*["'](?<path>[^"'\n]{1,160})["'])?/g,
    isPage: true
  },
  {
    // A class of this kind has the annotations for those that derive from it, which have the address of the resource.
    framework: "JAX-RS",
    files: /\.java$/,
    needs: /^(?=[\s\S]*\b(?:javax|jakarta)\.ws\.rs\b)(?=[\s\S]*\babstract\s+class\b)/,
    pattern:
      /^[ \t]*@(?<method>GET|POST|PUT|PATCH|DELETE)\b[ \t]*\n(?:[ \t]*@(?!Path\b)\w[^\n]{0,120}\n){0,4}[ \t]*@Path\(\s*"(?<path>[^"\n]{1,160})"\s*\)[ \t]*\n(?:[ \t]*@\w[^\n]{0,160}\n){0,5}[ \t]*(?:public|protected)\s[^;{(]{0,120}?\b(?<handler>\w{1,60})\s*\(/gm
  },
  {
    framework: "Django Ninja",
    files: /\.py$/,
    needs: /^[ \t]*(?:from|import)\s+ninja\b/m,
    pattern: decorated
  },
  {
    framework: "Sanic, Litestar or their like",
    files: /\.py$/,
    needs: /^[ \t]*(?:from|import)\s+(?:sanic|litestar|starlite|blacksheep|robyn|responder|microdot|emmett)\b/m,
    pattern: decorated
  },
  {
    framework: "Falcon",
    files: /\.py$/,
    needs: /\bfalcon\b/,
    pattern: new RegExp(String.raw`\.add_route\(\s*[rf]?${path}\s*,\s*(?<handler>[\w.]+)`, "g")
  },
  {
    framework: "Express or its like",
    files: /\.(?:coffee|litcoffee|ls)$/,
    needs: /["'](?:express|restify|koa-router|@koa\/router|fastify|zappa(?:js)?|polka)["']/,
    pattern: new RegExp(
      String.raw`^[ \t]*(?:@|(?:@?\w{0,20}(?:app|router|server|Router)|express)\.)(?<method>get|post|put|patch|delete|del|all)\s{0,4}\(?\s{0,4}${path}(?:\s*,\s*(?<handler>@?[A-Za-z][\w.]*)\s*\)?$)?`,
      "gm"
    )
  },
  {
    framework: "find-my-way",
    files: /\.[cm]?[jt]s$/,
    needs: /["']find-my-way["']/,
    pattern: new RegExp(String.raw`\.on\(\s*\[?["'](?<method>[A-Z]{3,7})["'][^\n]{0,60}?,\s*${path}`, "g")
  },
  {
    framework: "Elysia",
    files: /\.[cm]?[jt]s$/,
    needs: /["']elysia["']/,
    pattern: ofVerb(String.raw`\.`, String.raw`\(\s*${path}\s*,\s*(?<handler>\w+)?`)
  },
  {
    framework: "poem",
    files: /\.rs$/,
    needs: /\bpoem\b/,
    pattern: ofVerb(
      String.raw`\.at\(\s*"(?<path>\/[^"\n]{0,160})"\s*,\s*(?:\w+::){0,2}`,
      String.raw`\(\s*(?<handler>[\w:]+)`
    )
  },
  {
    framework: "tide",
    files: /\.rs$/,
    needs: /\btide\b/,
    pattern: ofVerb(String.raw`\.at\(\s*"(?<path>\/[^"\n]{0,160})"\s*\)\s*\.`, String.raw`\(\s*(?<handler>[\w:]+)?`)
  },
  {
    framework: "rouille",
    files: /\.rs$/,
    needs: /\brouille\b/,
    pattern: /^[ \t]*\((?<method>GET|POST|PUT|PATCH|DELETE)\)\s*\(\s*(?<path>\/[^()\n]{0,160}?)\s*\)\s*=>/gm
  },
  {
    framework: "CodeIgniter",
    files: /(?:^|\/)Routes\.php$/,
    needs: /\$routes->/,
    pattern: ofVerb(
      String.raw`^[ \t]*\$routes->`,
      String.raw`\(\s*["'](?<path>[^"'\n]{1,160})["']\s*,\s*["']\\?(?<handler>[\w\\]+(?:::\w+)?)`
    )
  },
  {
    framework: "Grape or Roda",
    files: /\.rb$/,
    needs: /\bGrape::API\b|<\s*Roda\b/,
    pattern: ofVerb(
      String.raw`^[ \t]*(?:r\.)?`,
      String.raw`\s*\(?\s*["':](?<path>[\w/:]{1,80})["']?\)?[^\n]{0,60}\bdo\b`
    )
  },
  {
    framework: "Play",
    files: /(?:^|\/)conf\/[\w.]*routes$/,
    needs: /^(?:GET|POST)\s/m,
    pattern: /^(?<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]+(?<path>\/\S{0,160})[ \t]+@?(?<handler>[\w.]+)/gm
  },
  {
    framework: "Scotty or Spock",
    files: /\.hs$/,
    needs: /^import\s+(?:qualified\s+)?(?:Web\.Scotty|Web\.Spock)/m,
    pattern: ofVerb(String.raw`^[ \t]+(?:\w{1,20}\.)?`, String.raw`\s+"(?<path>\/[^"\n]{0,160})"`)
  },
  {
    framework: "Dream or Opium",
    files: /\.(?:ml|re)$/,
    needs: /\bDream\.|\bOpium\b/,
    pattern: ofVerb(
      String.raw`\b(?:Dream|App|Opium\.App)\.`,
      String.raw`\s+"(?<path>\/[^"\n]{0,160})"\s*(?<handler>[a-z][\w.]*)?`
    )
  },
  {
    framework: "Compojure",
    files: /\.clj[cs]?$/,
    needs: /\bcompojure\b/,
    pattern: /\((?<method>GET|POST|PUT|PATCH|DELETE|ANY)\s+"(?<path>\/[^"\n]{0,160})"/g
  },
  {
    framework: "Kemal or Jester",
    files: /\.(?:cr|nim)$/,
    needs: /\bkemal\b|\bjester\b/i,
    pattern: ofVerb(String.raw`^[ \t]*`, String.raw`\s+"(?<path>\/[^"\n]{0,160})"`)
  },
  {
    framework: "vibe.d",
    files: /\.d$/,
    needs: /\bvibe\b/,
    pattern: ofVerb(String.raw`\.`, String.raw`\(\s*"(?<path>\/[^"\n]{0,160})"\s*,\s*&?(?<handler>\w+)`)
  },
  {
    framework: "Lapis",
    files: /\.lua$/,
    needs: /["']lapis/,
    pattern: ofVerb(String.raw`\bapp:`, String.raw`\(\s*(?:["'][\w-]+["']\s*,\s*)?${path}`)
  },
  {
    framework: "shelf",
    files: /\.dart$/,
    needs: /\bshelf_router\b/,
    pattern: ofVerb(String.raw`\.`, String.raw`\(\s*${path}\s*,\s*(?<handler>\w+)?`)
  },
  {
    framework: "Vapor",
    files: /\.swift$/,
    needs: /^import Vapor$/m,
    pattern: ofVerb(
      String.raw`\b(?:app|router|routes|\w+Routes?)\.`,
      String.raw`\(\s*"(?<path>[^"\n]{1,160})"(?:[^\n]{0,80}?\buse:\s*(?<handler>[\w.]+))?`
    )
  }
]
