import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["secret_in_log", "request_in_log"],
    path: "src/a.js",
    text: (size) => filled(size, "console.log(a + password + req.body)\n")
  },
  { rules: ["secret_in_log"], path: "src/a.js", text: (size) => filled(size, "password + ", ["console.log(", "1)"]) },
  { rules: ["secret_in_log"], path: "src/a.py", text: (size) => filled(size, "[", ["logger.info(password, ", ""]) },
  {
    rules: ["secret_in_log"],
    path: "src/a.js",
    text: (size) => filled(size, "`$" + "{password ", ["console.log(", ""])
  },
  {
    rules: ["stack_to_client", "exception_text_to_client"],
    path: "src/a.js",
    text: (size) => filled(size, "x = err.stack\nres.status(500).send(x)\n", ["function f() {\n", "}"])
  },
  { rules: ["stack_to_client"], path: "src/a.js", text: (size) => filled(size, "if (a) {\nres.send(err.stack)\n") },
  {
    rules: ["exception_text_to_client"],
    path: "src/a.go",
    text: (size) => filled(size, "http.Error(w, err.Error(), 500)\n")
  },
  {
    rules: ["token_in_local_storage"],
    path: "src/a.js",
    text: (size) => filled(size, "K_TOKEN = 1\nlocalStorage.setItem(K_TOKEN, x)\n")
  },
  { rules: ["api_key_in_url"], path: "src/a.js", text: (size) => filled(size, 'x = "/a?api_key=" + y\n') },
  { rules: ["secret_in_url"], path: "src/a.js", text: (size) => filled(size, "?password=", ['x = "', '" + y']) },
  { rules: ["secret_in_url"], path: "src/a.js", text: (size) => filled(size, 'x = "/a?password=" + y\n') },
  { rules: ["secret_in_url"], path: "src/a.js", text: (size) => filled(size, "`/a?password=$" + "{x + ") }
]
