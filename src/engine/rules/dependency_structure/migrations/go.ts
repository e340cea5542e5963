import { type Migration, packages } from "./Migration.ts"

const language = "go"

export const goMigrations: ReadonlyArray<Migration> = [
  {
    id: "go.ioutil",
    rule: "library_migration",
    language,
    from: { modules: /^io\/ioutil$/ },
    to: { calls: /^(?:os\.(?:ReadFile|WriteFile|ReadDir|MkdirTemp|CreateTemp)|io\.(?:ReadAll|Discard|NopCloser))$/ },
    fromTitle: "io/ioutil",
    toTitle: "os and io",
    deprecation: "Go has deprecated io/ioutil since version 1.16."
  },
  {
    id: "go.net_context",
    rule: "library_migration",
    language,
    from: { modules: /^golang\.org\/x\/net\/context$/ },
    to: { modules: /^context$/ },
    fromTitle: "golang.org/x/net/context",
    toTitle: "context",
    deprecation: "Go has the context package in its standard library since version 1.7."
  },
  {
    id: "go.protobuf",
    rule: "library_migration",
    language,
    from: { modules: packages("github.com/golang/protobuf") },
    to: { modules: packages("google.golang.org/protobuf") },
    fromTitle: "github.com/golang/protobuf",
    toTitle: "google.golang.org/protobuf",
    deprecation: "The module github.com/golang/protobuf is deprecated in favour of google.golang.org/protobuf."
  },
  {
    id: "go.jwt",
    rule: "library_migration",
    language,
    from: { modules: packages("github.com/dgrijalva/jwt-go") },
    to: { modules: packages("github.com/golang-jwt/jwt") },
    fromTitle: "github.com/dgrijalva/jwt-go",
    toTitle: "github.com/golang-jwt/jwt",
    deprecation:
      "The module github.com/dgrijalva/jwt-go is archived and names github.com/golang-jwt/jwt as its successor."
  },
  {
    id: "go.exp_collections",
    rule: "library_migration",
    language,
    from: { modules: /^golang\.org\/x\/exp\/(?:slices|maps)$/ },
    to: { modules: /^(?:slices|maps)$/ },
    fromTitle: "golang.org/x/exp/slices and maps",
    toTitle: "slices and maps",
    deprecation: null
  },
  {
    id: "go.pkg_errors",
    rule: "library_migration",
    language,
    from: { modules: packages("github.com/pkg/errors") },
    to: { modules: /^errors$/ },
    fromTitle: "github.com/pkg/errors",
    toTitle: "errors",
    deprecation: null
  },
  {
    id: "go.math_rand",
    rule: "library_migration",
    language,
    from: { modules: /^math\/rand$/ },
    to: { modules: /^math\/rand\/v2$/ },
    fromTitle: "math/rand",
    toTitle: "math/rand/v2",
    deprecation: null
  },
  {
    id: "go.yaml",
    rule: "library_migration",
    language,
    from: { modules: /^gopkg\.in\/yaml\.v2$/ },
    to: { modules: /^(?:gopkg\.in\/yaml\.v3|go\.yaml\.in\/yaml\/v[34])$/ },
    fromTitle: "gopkg.in/yaml.v2",
    toTitle: null,
    deprecation: null
  },
  {
    id: "go.strings_title",
    rule: "api_migration",
    language,
    from: { calls: /^strings\.Title$/ },
    to: { calls: /^cases\.Title$/ },
    fromTitle: "strings.Title()",
    toTitle: "cases.Title()",
    deprecation: "Go has deprecated strings.Title() since version 1.18."
  },
  {
    id: "go.grpc_dial",
    rule: "api_migration",
    language,
    from: { calls: /^grpc\.Dial(?:Context)?$/ },
    to: { calls: /^grpc\.NewClient$/ },
    fromTitle: "grpc.Dial()",
    toTitle: "grpc.NewClient()",
    deprecation: "gRPC for Go has deprecated Dial() and DialContext() in favour of NewClient()."
  }
]
