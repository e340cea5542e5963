import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  {
    rules: ["cors_with_credentials"],
    path: "src/a.js",
    text: (size) => filled(size, "cors({ origin: true, credentials: true })\n")
  },
  {
    rules: ["cors_with_credentials"],
    path: "src/a.js",
    text: (size) => filled(size, "credentials: true, origin: true, ", ["cors({", "})"])
  },
  {
    rules: ["cors_with_credentials"],
    path: "src/a.js",
    text: (size) =>
      filled(size, 'res.set("Access-Control-Allow-Origin", origin)\n', [
        'x("Access-Control-Allow-Credentials", true)\n',
        ""
      ])
  },
  {
    rules: ["cors_with_credentials"],
    path: "src/A.java",
    text: (size) => filled(size, ".allowCredentials(true)", ["x", ";"])
  },
  {
    rules: ["flask_debugger"],
    path: "src/a.py",
    text: (size) => filled(size, "app.run(debug=True)\n", ["import flask\n", ""])
  },
  {
    rules: ["flask_debugger_in_main"],
    path: "src/b.py",
    text: (size) =>
      filled(size, "    app.run(debug=True)\n", ["import flask\n", ""]).replace(
        "    app",
        "if __name__ == '__main__':\n    app"
      )
  },
  {
    rules: ["debug_mode"],
    path: "src/a.php",
    text: (size) => filled(size, "ini_set('display_errors', 1);\n", ["<?php\n", ""])
  },
  {
    rules: ["any_host_allowed"],
    path: "shop/settings.py",
    text: (size) => filled(size, 'ALLOWED_HOSTS = ["*"]\n', ["INSTALLED_APPS = []\n", ""])
  },
  {
    rules: ["csrf_switched_off"],
    path: "src/A.java",
    text: (size) => filled(size, ".csrf().disable()", ["formLogin()", ";"])
  },
  {
    rules: ["csrf_switched_off"],
    path: "src/views.py",
    text: (size) => filled(size, "@csrf_exempt\n", ["", "def a(): pass"])
  },
  {
    rules: ["headers_switched_off", "electron_isolation_off"],
    path: "src/a.js",
    text: (size) => filled(size, "hsts: false, webSecurity: false, nodeIntegration: true, ", ["helmet({", "})"])
  },
  {
    rules: ["open_redirect"],
    path: "src/a.js",
    text: (size) => filled(size, "res.redirect(x)\nx = x + req.query.b\n", ["app.get('/', (req, res) => {\n", "})"])
  },
  {
    rules: ["log_injection"],
    path: "src/log.js",
    text: (size) =>
      filled(size, "console.log('a' + x)\nx = x + req.query.b\n", ["app.get('/', (req, res) => {\n", "})"])
  },
  {
    rules: ["trust_boundary"],
    path: "src/Session.java",
    text: (size) =>
      filled(size, 'x = x + request.getParameter("a");\nrequest.getSession().setAttribute("a", x);\n', [
        "import javax.servlet.http.HttpServletRequest;\nclass A { void f(HttpServletRequest request) {\nString x;\n",
        "}}"
      ])
  },
  { rules: ["directory_listing"], path: "conf/nginx.conf", text: (size) => filled(size, "\tautoindex on \t") },
  { rules: ["directory_listing"], path: "conf/.htaccess", text: (size) => filled(size, "Options +a +b ") },
  { rules: ["debug_mode"], path: "conf/web.config", text: (size) => filled(size, "<compilation debug = ") },
  {
    rules: ["actuator_exposed"],
    path: "conf/application.properties",
    text: (size) => filled(size, " \t", ["management.endpoints.web.exposure.include", ""])
  },
  {
    rules: ["actuator_exposed"],
    path: "conf/application.yml",
    text: (size) => filled(size, "management:\n  endpoints: a\n---\n")
  },
  {
    rules: ["world_writable", "predictable_temporary_file", "all_interfaces"],
    path: "app/store.py",
    text: (size) =>
      filled(size, '    os.chmod(path, 0o777)\n    open("/tmp/a", "w")\n    server.bind(("0.0.0.0", 1))\n', [
        "import os\ndef f():\n",
        ""
      ])
  }
]
