import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["jwt_unverified", "jwt_expiry_ignored"],
    path: "a.js",
    text: (size) =>
      filled(size, "req.user = jwt.decode(a, b)\njwt.verify(a, k, { algorithms, clockTolerance: t })\n", [
        "function f(req) {\n",
        "}\n"
      ])
  },
  {
    rules: ["jwt_unverified", "jwt_algorithm_open", "jwt_expiry_ignored"],
    path: "a.py",
    text: (size) =>
      filled(size, "  jwt.decode(a, b, options={'verify_signature': False, 'verify_exp': False}, leeway=x)\n", [
        "import jwt\ndef f():\n",
        ""
      ])
  },
  {
    rules: ["session_cookie_readable", "session_cookie_unencrypted"],
    path: "a.js",
    text: (size) => filled(size, 'res.cookie("theme", a, o)\no = { httpOnly: x }\n', ["function f(res) {\n", "}\n"])
  },
  {
    rules: ["session_cookie_readable", "session_cookie_unencrypted"],
    path: "a.go",
    text: (size) =>
      filled(size, 'http.SetCookie(w, &http.Cookie{Name: "session", Value: v})\n', [
        "package a\nfunc f() {\n",
        "r.AddCookie(c)\n}\n"
      ])
  },
  {
    rules: ["timing_unsafe_compare", "plain_password_compare"],
    path: "a.js",
    text: (size) =>
      filled(size, "if (user.password === password) { a = b }\nif (a !== token) { b = a }\n", [
        "function f(password) {\n",
        "a = crypto.createHmac(x).digest()\nbcrypt.hash(a)\n}\n"
      ])
  },
  {
    rules: ["constant_credentials", "timing_unsafe_compare"],
    path: "a.js",
    text: (size) => filled(size, 'password === "abcdef" && ', ["x = createHmac(a) && ", "true\n"])
  },
  {
    rules: ["timing_unsafe_secret"],
    path: "b.js",
    text: (size) => filled(size, 'if (req.headers["x-api-key"] !== process.env.API_KEY) { b = a }\n')
  },
  {
    rules: ["session_fixation_express"],
    path: "c.js",
    text: (size) => filled(size, "req.session.user = u\n", ["function f() {\nbcrypt.compare(a, b)\n", "}\n"])
  },
  {
    rules: ["session_fixation"],
    path: "a.php",
    text: (size) =>
      filled(size, "$_SESSION['user'] = $u;\n", ["<?php\nfunction f() {\nif (password_verify($a, $b)) {}\n", "}\n"])
  },
  {
    rules: ["cookie_without_flags"],
    path: "shop/basket.py",
    text: (size) => filled(size, '    r.set_cookie("basket", choice, secure=False)\n', ["def f(r, choice):\n", ""])
  }
]
