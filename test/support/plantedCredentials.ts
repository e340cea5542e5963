import { madeUp } from "./madeUp.ts"

/** A made-up credential, and where people write one. */
export interface Planted {
  readonly shape: string
  /** A file in which the text stands as it is written here. */
  readonly path: string
  readonly text: string
  readonly value: string
}

const base64 = (text: string): string => Buffer.from(text).toString("base64").replace(/=+$/, "")

/** Like passwords that people choose, each another one. */
const chosen = (n: number): string => `Kestrel-${madeUp("alnum", 7, n)}9`

const lines: ReadonlyArray<
  readonly [shape: string, path: string, write: (value: string) => string, value?: (password: string) => string]
> = [
  ["a database on this machine", "src/a.ts", (v) => `const db = "postgres://shop:${v}@localhost:5432/shop"`],
  ["a database of a test", "src/a.py", (v) => `db = "mysql+pymysql://shop:${v}@db.test/shop"`],
  ["a database on an example host", ".env", (v) => `DATABASE_URL=mongodb+srv://shop:${v}@cluster.example.com/shop`],
  ["a message queue of a company", "config/app.yml", (v) => `broker: amqps://shop:${v}@mq.acme-corp.com:5671/%2F`],
  ["a cache without a user", "src/a.rb", (v) => `Redis.new(url: "redis://:${v}@127.0.0.1:6379/0")`],
  ["a registry over git", "requirements.txt", (v) => `shop @ git+https://ci:${v}@git.acme-corp.com/shop.git@v1`],
  ["a proxy", "Dockerfile", (v) => `ENV HTTPS_PROXY=http://proxy:${v}@proxy.local:3128`],
  ["a proxy without a scheme", ".env", (v) => `http_proxy=shop:${v}@proxy.local:3128`],
  ["a token as the user of a URL", "src/a.sh", (v) => `git clone https://${v}@git.acme-corp.com/shop.git`],
  [
    "a query of a JDBC source",
    "src/A.java",
    (v) => `String u = "jdbc:mysql://db.local/shop?user=shop&password=${v}&ssl=1";`
  ],
  [
    "a property of a JDBC source",
    "src/A.java",
    (v) => `String u = "jdbc:sqlserver://db.local;user=shop;password=${v};";`
  ],
  ["a source of a Go driver", "src/a.go", (v) => `db, err := sql.Open("mysql", "shop:${v}@tcp(127.0.0.1:3306)/shop")`],
  ["a source of libpq", "src/a.py", (v) => `db = connect("host=localhost dbname=shop user=shop password=${v}")`],
  ["curl -u", "src/a.sh", (v) => `curl -sSf -u deploy:${v} https://ci.local/build`],
  ["curl --user", "Makefile", (v) => `\tcurl --user "deploy:${v}" https://ci.local/build`],
  ["curl --proxy-user", "src/a.sh", (v) => `curl -x proxy.local:3128 --proxy-user 'deploy:${v}' https://ci.local`],
  ["curl --cookie", "src/a.sh", (v) => `curl -b "session=${v}" https://ci.local/build`],
  [
    "a header of basic authentication",
    "src/a.sh",
    (v) => `curl -H "Authorization: Basic ${v}" https://ci.local/build`,
    (v) => base64(`deploy:${v}`)
  ],
  ["a header with a bearer token", "src/a.js", (v) => `fetch(url, { headers: { Authorization: "Bearer ${v}" } })`],
  ["a header with an API key", "src/a.py", (v) => `requests.get(url, headers={"X-Api-Key": "${v}"}, timeout=5)`],
  ["a header of a private token", "src/a.sh", (v) => `curl --header 'PRIVATE-TOKEN: ${v}' https://git.local/api`],
  ["a cookie of a session", "src/a.js", (v) => `fetch(url, { headers: { Cookie: "lang=en; session=${v}" } })`],
  ["mysql -p", "src/a.sh", (v) => `mysql -h db.local -uroot -p${v} shop < dump.sql`],
  ["mysqldump --password", "src/a.sh", (v) => `mysqldump --user=root --password=${v} shop`],
  ["PGPASSWORD", "src/a.js", (v) => `exec("PGPASSWORD=${v} psql -h localhost shop")`],
  ["sshpass -p", "src/a.py", (v) => `subprocess.run(["sshpass", "-p", "${v}", "ssh", "deploy@host"])`],
  ["wget --password", "src/a.sh", (v) => `wget --user=deploy --password=${v} https://ci.local/build`],
  ["wget --http-password", "src/a.sh", (v) => `wget --http-user=deploy --http-password="${v}" https://ci.local/build`],
  ["docker login", ".github/workflows/a.yml", (v) => `      - run: docker login -u deploy -p ${v} registry.local`],
  [
    "a password that is piped",
    "src/a.sh",
    (v) => `echo "${v}" | docker login -u deploy --password-stdin registry.local`
  ],
  ["az login", "src/a.sh", (v) => `az login --service-principal -u app -p ${v} --tenant acme`],
  ["az --account-key", "src/a.sh", (v) => `az storage blob list --account-name shop --account-key ${v}`],
  ["aws configure set", "src/a.sh", (v) => `aws configure set aws_secret_access_key ${v}`],
  ["gh secret set", "src/a.sh", (v) => `gh secret set DEPLOY --body "${v}"`],
  ["heroku config:set", "src/a.sh", (v) => `heroku config:set MAIL_API_KEY=${v} --app shop`],
  ["htpasswd -b", "src/a.sh", (v) => `htpasswd -bc /etc/nginx/users deploy ${v}`],
  ["openssl -passin", "src/a.sh", (v) => `openssl rsa -in key.pem -passin pass:${v} -out plain.pem`],
  ["keytool -storepass", "src/a.sh", (v) => `keytool -list -keystore shop.jks -storepass ${v}`],
  ["net use", "src/a.bat", (v) => `net use Z: \\\\files\\shop ${v} /user:deploy`],
  ["smbclient", "src/a.sh", (v) => `smbclient //files/shop -U deploy%${v} -c ls`],
  ["ldapsearch -w", "src/a.sh", (v) => `ldapsearch -x -D cn=admin,dc=shop -w ${v} -b dc=shop`],
  ["redis-cli -a", "src/a.sh", (v) => `redis-cli -h cache.local -a ${v} ping`],
  ["mongosh -p", "src/a.sh", (v) => `mongosh --host db.local -u root -p ${v} shop`],
  ["lftp -u", "src/a.sh", (v) => `lftp -u deploy,${v} ftp.local -e "mirror; quit"`],
  ["rsync", "src/a.sh", (v) => `RSYNC_PASSWORD='${v}' rsync -a . deploy@files.local::shop`],
  [".npmrc: _authToken", ".npmrc", (v) => `//npm.local/:_authToken=${v}`],
  [".npmrc: _password", ".npmrc", (v) => `//npm.local/:_password=${v}`, base64],
  [".pypirc", ".pypirc", (v) => `[shop]\nusername = deploy\npassword = ${v}`],
  ["pip: index-url", "pip.conf", (v) => `[global]\nindex-url = https://deploy:${v}@pypi.local/simple`],
  [".netrc", ".netrc", (v) => `machine git.local login deploy password ${v}`],
  [
    "Maven",
    "settings.xml",
    (v) => `<server><id>shop</id><username>deploy</username><password>${v}</password></server>`
  ],
  ["Gradle", "build.gradle", (v) => `    credentials { username "deploy"; password "${v}" }`],
  ["NuGet", "NuGet.config", (v) => `<add key="ClearTextPassword" value="${v}" />`],
  ["Composer", "auth.json", (v) => `{"http-basic": {"repo.local": {"username": "deploy", "password": "${v}"}}}`],
  ["Composer: github-oauth", "auth.json", (v) => `{"github-oauth": {"github.com": "${v}"}}`],
  ["Cargo", ".cargo/credentials.toml", (v) => `[registries.shop]\ntoken = "${v}"`],
  [
    "Docker",
    ".docker/config.json",
    (v) => `{"auths": {"registry.local": {"auth": "${v}"}}}`,
    (v) => base64(`deploy:${v}`)
  ],
  [".htpasswd", ".htpasswd", (v) => `deploy:$apr1$${v.slice(-8)}$${v}`, () => madeUp("alnum", 22, 77)],
  ["an environment file", ".env", (v) => `SMTP_PASSWORD=${v}`],
  ["YAML", "config/app.yml", (v) => `smtp:\n  passwd: ${v}`],
  ["the environment of a container", "k8s/app.yaml", (v) => `env:\n  - name: SMTP_PASSWORD\n    value: ${v}`],
  ["a default of a variable", "compose.yml", (v) => `      DB_PASSWORD: \${DB_PASSWORD:-${v}}`],
  ["JSON", "config/app.json", (v) => `{"smtp": {"user": "shop", "pwd": "${v}"}}`],
  ["TOML", "config/app.toml", (v) => `api_key = "${v}"`],
  ["properties", "src/app.properties", (v) => `spring.datasource.password=${v}`],
  ["XML", "config/app.xml", (v) => `<smtp><secret>${v}</secret></smtp>`],
  ["SQL", "db/users.sql", (v) => `CREATE USER shop IDENTIFIED BY '${v}';`]
]

export const planted: ReadonlyArray<Planted> = lines.map(([shape, path, write, as], i) => {
  const value = as?.(chosen(i + 1)) ?? chosen(i + 1)
  return { shape, path, text: write(value), value }
})

/** What looks like one of the above, and says where a credential is kept or is something else. */
export const lookAlikes: ReadonlyArray<readonly [path: string, text: string]> = [
  ["src/a.sh", 'curl -u "deploy:${PASSWORD}" https://ci.local/build'],
  ["src/a.sh", "curl -u deploy:$PASSWORD https://ci.local/build"],
  ["README.md", "curl -u <user>:<password> https://ci.local/build"],
  ["src/a.sh", 'mysql -uroot -p"$(cat /run/secrets/db)" shop'],
  ["src/a.sh", "PGPASSWORD=$(cat /run/secrets/db) psql shop"],
  ["src/a.sh", "mysql -uroot -p shop"],
  ["src/a.sh", "docker run -d -p 8080:80 nginx"],
  ["src/a.sh", "mkdir -p build/out"],
  ["src/a.sh", "ssh -p 2222 deploy@host"],
  ["src/a.sh", "cp -p a b && tar -czf out.tgz -C build ."],
  ["src/a.sh", "echo $TOKEN | docker login -u deploy --password-stdin registry.local"],
  ["src/a.sh", "wget --password=$PW https://ci.local/build"],
  ["src/a.sh", "rsync --password-file=/run/secrets/rsync . deploy@files.local::shop"],
  ["src/a.sh", "openssl rsa -in key.pem -passin env:KEY_PASSWORD"],
  ["src/a.ts", "interface Login { password: string; token?: string }"],
  ["src/a.ts", "const password = process.env.DB_PASSWORD"],
  ["src/a.ts", "connect({ password: config.password, token: getToken() })"],
  ["src/a.ts", 'const field = <input type="password" name="password" />'],
  ["src/a.ts", "headers: { Authorization: `Bearer ${token}` }"],
  ["src/a.ts", "headers: { authorization: authHeader, cookie: cookies }"],
  ["src/a.ts", 'fetch("http://localhost:3000/@scope/pkg?page=2&order=name")'],
  ["src/a.ts", 'import x from "https://esm.sh/react@18"'],
  ["src/a.ts", "const max_tokens = 4096; const tokenType = 'bearer'"],
  ["src/a.py", "def connect(user, password=None, token=None): pass"],
  ["src/a.py", "client = Client(password=settings.PASSWORD, api_key=os.environ['API_KEY'])"],
  ["src/a.py", 'parser.add_argument("--password", help="what to sign in with")'],
  ["src/a.py", 'url = f"postgres://{user}:{password}@{host}/{name}"'],
  ["src/a.go", 'fmt.Sprintf("postgres://%s:%s@%s/%s", user, password, host, name)'],
  ["compose.yml", "      DB_PASSWORD: ${DB_PASSWORD:?set it}"],
  ["compose.yml", "      DB_PASSWORD_FILE: /run/secrets/db"],
  ["k8s/app.yaml", "        secretName: shop-tls"],
  [".github/workflows/a.yml", "          password: ${{ secrets.REGISTRY_PASSWORD }}"],
  [".npmrc", "//npm.local/:_authToken=${NPM_TOKEN}"],
  ["settings.xml", "<password>${env.MAVEN_PASSWORD}</password>"],
  ["config/app.yml", 'password: "{{ vault_password }}"'],
  ["README.md", "Set the token in the settings; the password is asked for once."],
  ["src/a.sh", "git clone git@github.com:acme/shop.git && git clone ssh://git@github.com/acme/shop.git"]
]
