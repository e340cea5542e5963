import { filled, type WorstCase } from "../../support/worstCase.ts"

// Prefixes of keys, without the keys.
export const worstCases: ReadonlyArray<WorstCase> = [
  { rules: ["provider_token"], path: "src/prefix.ts", text: (size) => filled(size, "AKIA") },
  { rules: ["provider_token"], path: "src/underscore.txt", text: (size) => filled(size, "ghp_") },
  { rules: ["provider_token"], path: "src/dashes.txt", text: (size) => filled(size, "xoxb-1-") },
  { rules: ["provider_token"], path: "src/lines.ts", text: (size) => filled(size, 'const a = "sk_live_"\n') },
  { rules: ["json_web_token"], path: "src/jwt.txt", text: (size) => filled(size, "eyJ") },
  { rules: ["json_web_token"], path: "src/dots.txt", text: (size) => filled(size, "eyJhIjoxfQ.") },
  { rules: ["private_key"], path: "certs/a.txt", text: (size) => filled(size, "-----BEGIN ") },
  {
    rules: ["private_key"],
    path: "certs/b.txt",
    text: (size) => filled(size, ["-----BEGIN", "PRIVATE", "KEY-----\n"].join(" "))
  },
  {
    rules: ["encrypted_private_key"],
    path: "certs/c.txt",
    text: (size) => filled(size, ["-----BEGIN", "ENCRYPTED", "PRIVATE", "KEY-----\n"].join(" "))
  },
  {
    rules: ["example_credential"],
    path: "tests/a.txt",
    text: (size) => filled(size, "ghp_")
  },
  {
    rules: ["hardcoded_password"],
    path: "src/chosen.ts",
    text: (size) => filled(size, 'const dbPassword = "Winter-Gate!1234"\n')
  },
  { rules: ["url_password"], path: "src/url.txt", text: (size) => filled(size, "a://b:c") },
  {
    rules: ["url_password"],
    path: "src/urls.ts",
    text: (size) => filled(size, 'const a = "postgres://u:x9Yz8wV7u@h/d"\n')
  },
  { rules: ["url_password"], path: "src/at.txt", text: (size) => filled(size, "@:", ["postgres://", ""]) },
  { rules: ["url_password"], path: "app/web.xml", text: (size) => filled(size, "Password=a;Server=", ["Server=", ""]) },
  { rules: ["environment_file_secret"], path: ".env", text: (size) => filled(size, "API_SECRET=x9Yz8wV7uT6\n") },
  { rules: ["environment_file_secret"], path: "a/.env", text: (size) => filled(size, "SECRET_", ["", "=x9Yz8wV7uT6"]) },
  {
    rules: ["hardcoded_secret"],
    path: "src/named.ts",
    text: (size) => filled(size, 'const apiSecret = "x9Yz8wV7uT6sR5qP4"\n')
  },
  {
    rules: ["hardcoded_secret"],
    path: "src/label.py",
    text: (size) => filled(size, "password_", ["", ' = "x9Yz8wV7uT6sR5qP4"'])
  },
  { rules: ["hardcoded_secret"], path: "config/a.yml", text: (size) => filled(size, "secret: x9Yz8wV7uT6sR5qP4\n") },
  { rules: ["hardcoded_secret"], path: "src/quotes.js", text: (size) => filled(size, 'password: "', ["a = {", ""]) },
  {
    rules: ["hardcoded_secret"],
    path: "src/spaces.txt",
    text: (size) => filled(size, " ", ["password", '= "x9Yz8wV7uT6"'])
  },
  { rules: ["hardcoded_secret"], path: "src/base64.txt", text: (size) => filled(size, "Ab9+/", ["token = ", ""]) },
  {
    rules: ["hardcoded_secret"],
    path: "src/comment.ts",
    text: (size) => filled(size, '// token: "x9Yz8wV7uT6sR5qP4" ')
  },
  {
    rules: ["hardcoded_secret"],
    path: "src/template.ts",
    text: (size) => filled(size, 'token = "x9Yz8wV7uT6sR5qP4" ', ["const a = `", "`"])
  }
]
