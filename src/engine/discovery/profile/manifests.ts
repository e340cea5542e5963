import { escape as escapeRegExp } from "effect/RegExp"
import { baseName, directoryOf } from "../../core/text/paths.ts"
import { isRecord, parseConfiguration } from "../../structure/importGraph/jsonc.ts"
import { lineOf, type Survey } from "../Survey.ts"

export interface Dependency {
  readonly ecosystem: string
  readonly name: string
  /** As declared; null where the manifest leaves it open. */
  readonly version: string | null
  readonly path: string
  readonly line: number
}

const entry =
  (ecosystem: string, path: string, text: string) =>
  (name: string, version: unknown, pattern: RegExp): Dependency => ({
    ecosystem,
    name,
    version: typeof version === "string" && version !== "" && !version.includes("$") ? version.slice(0, 40) : null,
    path,
    line: lineOf(text, pattern) ?? 1
  })

const fromJson =
  (ecosystem: string, headings: ReadonlyArray<string>) =>
  (path: string, text: string): ReadonlyArray<Dependency> => {
    const manifest = parseConfiguration(text)
    const make = entry(ecosystem, path, text)
    return headings.flatMap((heading) => {
      const entries = manifest?.[heading]
      if (!isRecord(entries)) return []
      return Object.entries(entries)
        .slice(0, 300)
        .map(([name, version]) => make(name, version, new RegExp(`"${escapeRegExp(name)}"\\s*:\\s*"`)))
    })
  }

/** One dependency a line, by a pattern with groups for name and version. */
const byLine =
  (ecosystem: string, pattern: RegExp) =>
  (path: string, text: string): ReadonlyArray<Dependency> => {
    const found: Array<Dependency> = []
    for (const [index, line] of text.split("\n").entries()) {
      const match = line.length > 400 ? null : pattern.exec(line)
      if (match === null || found.length >= 300) continue
      found.push({ ecosystem, name: match[1]!, version: match[2]?.trim().slice(0, 40) || null, path, line: index + 1 })
    }
    return found
  }

const inSection =
  (ecosystem: string, section: RegExp, pattern: RegExp) =>
  (path: string, text: string): ReadonlyArray<Dependency> => {
    let isInside = false
    const kept = text.split("\n").map((line) => {
      if (/^\s*\[/.test(line)) isInside = section.test(line)
      return isInside ? line : ""
    })
    return byLine(ecosystem, pattern)(path, kept.join("\n"))
  }

const pom = (path: string, text: string): ReadonlyArray<Dependency> =>
  [
    ...text.matchAll(
      /<(?:dependency|parent|plugin)>\s*<groupId>([^<]{1,100})<\/groupId>\s*<artifactId>([^<]{1,100})<\/artifactId>(?:\s*<version>([^<]{1,60})<)?/g
    )
  ]
    .slice(0, 300)
    .map((match) => ({
      ecosystem: "Maven",
      name: match[2]!,
      version: match[3]?.includes("$") === false ? match[3] : null,
      path,
      line: text.slice(0, match.index).split("\n").length
    }))

const readers: ReadonlyArray<readonly [RegExp, (path: string, text: string) => ReadonlyArray<Dependency>]> = [
  [/(?:^|\/)package\.json$/, fromJson("npm", ["dependencies", "devDependencies", "peerDependencies"])],
  [/(?:^|\/)composer\.json$/, fromJson("Packagist", ["require", "require-dev"])],
  [
    /(?:^|\/)requirements[\w.-]*\.txt$/,
    byLine("PyPI", /^([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*((?:[=<>~!]=?)[^;#]{1,40})?(?:[;#].*)?$/)
  ],
  [
    /(?:^|\/)pyproject\.toml$/,
    (path, text) => [
      ...byLine("PyPI", /^\s+["']([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*((?:[=<>~!]=?)[^"';]{1,40})?["';]/)(path, text),
      ...inSection(
        "PyPI",
        /^\s*\[tool\.poetry\.(?:group\.\w+\.)?(?:dev-)?dependencies\]/,
        /^([A-Za-z][\w.-]*)\s*=\s*"?\{?([^"}]{1,40})/
      )(path, text)
    ]
  ],
  [/(?:^|\/)setup\.(?:py|cfg)$/, byLine("PyPI", /^\s+["']?([A-Za-z][\w.-]*)\s*((?:[=<>~!]=)[^"';,]{1,30})["']?,?$/)],
  [/(?:^|\/)Gemfile$/, byLine("RubyGems", /^\s*gem\s+["']([\w.-]+)["'](?:,\s*["']([^"']{1,40})["'])?/)],
  [/(?:^|\/)go\.mod$/, byLine("Go", /^\s*(?:require\s+)?([\w.-]+\.[\w-]+\/\S+)\s+(v[\w.+-]+)(?!.*=>)/)],
  [
    /(?:^|\/)Cargo\.toml$/,
    inSection(
      "crates.io",
      /^\s*\[(?:[\w.'"()-]+\.)?(?:dev-|build-)?dependencies\]/,
      /^([A-Za-z][\w-]*)\s*=\s*(?:\{[^}]*version\s*=\s*)?"([^"]{1,30})"/
    )
  ],
  [
    /(?:^|\/)Cargo\.toml$/,
    (path, text) =>
      [...text.matchAll(/^\[(?:dev-|build-)?dependencies\.([\w-]+)\]\s*\nversion\s*=\s*"([^"]{1,30})"/gm)].map(
        (match) => ({
          ecosystem: "crates.io",
          name: match[1]!,
          version: match[2]!,
          path,
          line: text.slice(0, match.index).split("\n").length
        })
      )
  ],
  [/(?:^|\/)pom\.xml$/, pom],
  [
    /(?:^|\/)build\.gradle(?:\.kts)?$/,
    byLine(
      "Maven",
      /^\s*(?:api|implementation|testImplementation|compileOnly|runtimeOnly|optional|testRuntimeOnly)\s*\(?\s*["'][\w.-]+:([\w.-]+)(?::([\w.${}-]+))?["']/
    )
  ],
  [/\.csproj$/, byLine("NuGet", /<PackageReference\s+Include="([\w.-]+)"(?:\s+Version="([^"]{1,30})")?/)]
]

/** `${version}`, `$(Version)`, `@version@` and `{{ version }}` are filled in by a build. */
const isPlaceholder = (version: string | null): boolean => version !== null && /[$@{}]/.test(version)

/** Names under which the repository itself is published: it is not built with itself. */
const ownNames = (survey: Survey): ReadonlySet<string> =>
  new Set(
    survey
      .sourceTexts(
        /(?:^|\/)(?:package\.json|composer\.json|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|go\.mod|pom\.xml|[\w-]+\.gemspec)$/
      )
      .map(
        ({ path, text }) =>
          (/gemspec$/.test(path) ? /\.name\s*=\s*["']([\w-]+)/.exec(text)?.[1] : unitName(path, text)) ?? ""
      )
      .map((name) => name.toLowerCase())
  )

/** What the manifests of the product declare, those nearest to the root first; not those of examples, tests and documents. */
export const dependenciesOf = (survey: Survey): ReadonlyArray<Dependency> =>
  readers.flatMap(([pattern, read]) =>
    survey
      .sourceTexts(pattern)
      .flatMap(({ path, text }) => read(path, text))
      .map((one) => (isPlaceholder(one.version) ? { ...one, version: null } : one))
  )

/** Dependencies on what others publish. */
export const foreignDependencies = (survey: Survey): ReadonlyArray<Dependency> => {
  const own = ownNames(survey)
  return dependenciesOf(survey).filter(({ name }) => !own.has(name.toLowerCase()))
}

const frameworks: Readonly<Record<string, string>> = {
  express: "Express",
  fastify: "Fastify",
  koa: "Koa",
  hono: "Hono",
  "@nestjs/core": "NestJS",
  next: "Next.js",
  nuxt: "Nuxt",
  react: "React",
  vue: "Vue",
  svelte: "Svelte",
  "@angular/core": "Angular",
  "ember-source": "Ember",
  effect: "Effect",
  "@modelcontextprotocol/sdk": "Model Context Protocol SDK",
  "socket.io": "Socket.IO",
  electron: "Electron",
  jquery: "jQuery",
  "@patternfly/react-core": "PatternFly",
  prisma: "Prisma",
  "@prisma/client": "Prisma",
  typeorm: "TypeORM",
  sequelize: "Sequelize",
  mongoose: "Mongoose",
  knex: "Knex",
  "drizzle-orm": "Drizzle",
  graphql: "GraphQL",
  tailwindcss: "Tailwind CSS",
  vite: "Vite",
  webpack: "webpack",
  esbuild: "esbuild",
  bootstrap: "Bootstrap",
  benchpressjs: "Benchpress",
  "@effect/platform": "Effect Platform",
  django: "Django",
  Django: "Django",
  djangorestframework: "Django REST framework",
  flask: "Flask",
  Flask: "Flask",
  fastapi: "FastAPI",
  sqlalchemy: "SQLAlchemy",
  SQLAlchemy: "SQLAlchemy",
  alembic: "Alembic",
  celery: "Celery",
  pydantic: "Pydantic",
  falcon: "Falcon",
  click: "Click",
  aiohttp: "aiohttp",
  tornado: "Tornado",
  rails: "Ruby on Rails",
  sinatra: "Sinatra",
  sidekiq: "Sidekiq",
  devise: "Devise",
  "laravel/framework": "Laravel",
  "symfony/framework-bundle": "Symfony",
  "doctrine/orm": "Doctrine ORM",
  "slim/slim": "Slim",
  "github.com/gin-gonic/gin": "Gin",
  "github.com/labstack/echo/v4": "Echo",
  "github.com/go-chi/chi/v5": "chi",
  "github.com/spf13/cobra": "Cobra",
  "github.com/prometheus/client_golang": "Prometheus client",
  "google.golang.org/grpc": "gRPC",
  "gorm.io/gorm": "GORM",
  "k8s.io/client-go": "Kubernetes client",
  "go.opentelemetry.io/otel": "OpenTelemetry",
  "github.com/alecthomas/kingpin/v2": "Kingpin",
  "actix-web": "Actix Web",
  axum: "axum",
  tokio: "Tokio",
  serde: "Serde",
  clap: "clap",
  rocket: "Rocket",
  sqlx: "SQLx",
  diesel: "Diesel",
  lexopt: "lexopt",
  "spring-boot-starter-web": "Spring Boot",
  "spring-boot-starter-parent": "Spring Boot",
  "spring-webmvc": "Spring MVC",
  "hibernate-core": "Hibernate",
  "quarkus-core": "Quarkus",
  "Microsoft.EntityFrameworkCore": "Entity Framework Core",
  "Microsoft.AspNetCore.OpenApi": "ASP.NET Core"
}

const runners: Readonly<Record<string, string>> = {
  vitest: "Vitest",
  jest: "Jest",
  mocha: "Mocha",
  ava: "AVA",
  tap: "tap",
  borp: "borp (node:test)",
  qunit: "QUnit",
  "@playwright/test": "Playwright",
  cypress: "Cypress",
  pytest: "pytest",
  nose2: "nose2",
  tox: "tox",
  rspec: "RSpec",
  "rspec-rails": "RSpec",
  minitest: "Minitest",
  mocha_: "Mocha",
  "phpunit/phpunit": "PHPUnit",
  "pestphp/pest": "Pest",
  "github.com/stretchr/testify": "testify",
  junit: "JUnit 4",
  "junit-jupiter": "JUnit 5",
  "junit-jupiter-api": "JUnit 5",
  xunit: "xUnit",
  NUnit: "NUnit",
  "MSTest.TestFramework": "MSTest"
}

export interface Named {
  readonly name: string
  readonly package: string
  readonly version: string | null
  readonly file_path: string
  readonly line: number
}

const namedOf = (
  dependencies: ReadonlyArray<Dependency>,
  titles: Readonly<Record<string, string>>
): ReadonlyArray<Named> => {
  const found = new Map<string, Named>()
  for (const { name, version, path, line } of dependencies) {
    const title = Object.hasOwn(titles, name) ? titles[name]! : null
    const known = title === null ? undefined : found.get(title)
    if (title !== null && (known === undefined || (known.version === null && version !== null)))
      found.set(title, { name: title, package: name, version, file_path: path, line })
  }
  return [...found.values()]
}

export const frameworksOf = (dependencies: ReadonlyArray<Dependency>) => namedOf(dependencies, frameworks)
export const testRunnersOf = (dependencies: ReadonlyArray<Dependency>) => namedOf(dependencies, runners)

const managers: ReadonlyArray<readonly [file: string, manager: string]> = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "Yarn"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
  ["bun.lockb", "Bun"],
  ["deno.lock", "Deno"],
  ["uv.lock", "uv"],
  ["poetry.lock", "Poetry"],
  ["pdm.lock", "PDM"],
  ["Pipfile.lock", "Pipenv"],
  ["Gemfile", "Bundler"],
  ["composer.json", "Composer"],
  ["go.mod", "Go modules"],
  ["Cargo.toml", "Cargo"],
  ["pom.xml", "Maven"],
  ["build.gradle", "Gradle"],
  ["build.gradle.kts", "Gradle"]
]

/** By lock files and, failing those, by manifests, as near to the root as there are any. */
export const packageManagersOf = (
  survey: Survey,
  folder = ""
): ReadonlyArray<{ readonly name: string; readonly file_path: string }> => {
  const prefix = folder === "" ? "" : `${folder}/`
  const found = managers.flatMap(([file, name]) =>
    survey.has(prefix + file) ? [{ name, file_path: prefix + file }] : []
  )
  const isNamed = found.some(({ name }) => /^(?:pnpm|Yarn|npm|Bun|Deno)$/.test(name))
  if (!isNamed && survey.has(`${prefix}package.json`)) found.push({ name: "npm", file_path: `${prefix}package.json` })
  const python = found.some(({ name }) => /^(?:uv|Poetry|PDM|Pipenv)$/.test(name))
  const pip = python
    ? undefined
    : ["pyproject.toml", "setup.py", "requirements.txt"].find((file) => survey.has(prefix + file))
  if (pip !== undefined) found.push({ name: "pip", file_path: prefix + pip })
  return found.filter(({ name }, i) => found.findIndex((one) => one.name === name) === i)
}

/** Folder of the manifest nearest to the root: packages of distributions have all of it one or more folders down. */
export const rootFolder = (survey: Survey): string => {
  const found = survey.texts(
    /(?:^|\/)(?:package\.json|go\.mod|pyproject\.toml|setup\.py|Cargo\.toml|Gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|Makefile|[\w.-]+\.sln)$/
  )
  // What makes the pages about the product is not what makes the product.
  const first = found.find(({ path }) => !/^(?:docs?|documentation)\//.test(path))
  return first === undefined ? "" : directoryOf(first.path)
}

export interface Unit {
  readonly name: string
  readonly folder: string
  readonly file_path: string
}

const unitName = (path: string, text: string): string =>
  (/package\.json$|composer\.json$/.test(path) ? parseConfiguration(text)?.name : undefined)?.toString() ??
  /^\s*name\s*=\s*["']([^"']{1,80})["']/m.exec(text)?.[1] ??
  /^module\s+(\S{1,120})/m.exec(text)?.[1] ??
  /<artifactId>([^<]{1,80})<\/artifactId>/.exec(text.replace(/<parent>[\s\S]*?<\/parent>/, ""))?.[1] ??
  (directoryOf(path).split("/").at(-1) || baseName(path))

/** Parts of a repository that have a manifest of their own; none where there is only one. */
export const unitsOf = (survey: Survey): ReadonlyArray<Unit> => {
  const manifests = survey.sourceTexts(
    /(?:^|\/)(?:package\.json|go\.mod|pyproject\.toml|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|[\w.-]+\.(?:csproj|gradle))$/
  )
  const byFolder = new Map(
    manifests.map(({ path, text }) => [
      directoryOf(path),
      { name: unitName(path, text).slice(0, 100), folder: directoryOf(path), file_path: path }
    ])
  )
  return byFolder.size < 2 ? [] : [...byFolder.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
}
