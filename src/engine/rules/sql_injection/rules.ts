import { type Rule, ruleSet } from "../../core/tool/AuditTool.ts"

const small: Pick<Rule, "effort" | "risk"> = { effort: "small", risk: "low" }

const untrustedSql =
  "An attacker decides which rows are read, changed or deleted. Untrusted input is concatenated into the text of an SQL " +
  "statement. Keep the text constant and pass the value separately: placeholders of the driver (`$1`, `?`, `%s` with a " +
  "second argument, `:name`) for values, and for names of columns or sort directions a lookup in an allowlist."

const parameterInQuotes =
  "A quote in the value ends the string, so a harmless name breaks the statement and a chosen one changes it. The " +
  "function concatenates its parameter into a quoted string of the SQL text, which is safe only as long as no caller " +
  "passes untrusted input. Use a placeholder and pass the value as a bound parameter."

const parameterAsValue =
  "A value that is not a plain number changes the statement. The function concatenates its parameter into the SQL text " +
  "where a placeholder belongs, which is safe only as long as no caller passes untrusted input. Use a placeholder and " +
  "pass the value as a bound parameter."

const inXpath =
  "The text of an XPath expression is concatenated from a value that the code does not choose. Keep the expression constant " +
  "and pass the value as a variable (`$name`, a variable resolver), or accept only values without quotes."

const inFilter =
  "The text of an LDAP filter is concatenated from a value that the code does not choose. Escape the value with the " +
  "function of the library (`escape_filter_chars`, `ldap_escape`, `EscapeFilter`, `filterEncode`), or build the filter " +
  "from objects."

export const rules = ruleSet({
  untrusted_sql: {
    languages: ["csharp", "go", "java", "javascript", "python", "ruby"],
    title: "SQL injection",
    description: untrustedSql,
    example: {
      path: "server/users.js",
      bad: `const { Pool } = require("pg")
const pool = new Pool()

app.get("/users", async (req, res) => {
  const { rows } = await pool.query("SELECT * FROM users WHERE name = '" + req.query.name + "'")
  res.json(rows)
})
`,
      good: `const { Pool } = require("pg")
const pool = new Pool()

app.get("/users", async (req, res) => {
  const { rows } = await pool.query("SELECT * FROM users WHERE name = $1", [req.query.name])
  res.json(rows)
})
`
    },
    cwe: [89],
    confidence: 0.9,
    ...small
  },
  untrusted_sql_php: {
    languages: ["php"],
    title: "SQL injection (PHP)",
    description: untrustedSql,
    example: {
      path: "web/users.php",
      bad: `<?php
$db = new mysqli("localhost", "app");
$result = $db->query("SELECT * FROM users WHERE name = '" . $_GET["name"] . "'");
`,
      good: `<?php
$db = new mysqli("localhost", "app");
$statement = $db->prepare("SELECT * FROM users WHERE name = ?");
$statement->bind_param("s", $_GET["name"]);
$statement->execute();
`
    },
    cwe: [89],
    // On code the rule was not tuned on, most were wrong: tools whose users write SQL, and minified code.
    confidence: 0.65,
    ...small
  },
  built_sql: {
    languages: ["csharp", "go", "java", "javascript", "python", "ruby"],
    title: "SQL injection: parameter concatenated into a quoted string",
    description: parameterInQuotes,
    example: {
      path: "app/users.py",
      bad: `def find_by_email(connection, email: str):
    cursor = connection.cursor()
    cursor.execute(f"SELECT * FROM users WHERE email = '{email}'")
    return cursor.fetchone()
`,
      good: `def find_by_email(connection, email: str):
    cursor = connection.cursor()
    cursor.execute("SELECT * FROM users WHERE email = %s", (email,))
    return cursor.fetchone()
`
    },
    cwe: [89],
    confidence: 0.8,
    ...small,
    priority: "P1"
  },
  built_sql_php: {
    languages: ["php"],
    title: "SQL injection: parameter concatenated into a quoted string (PHP)",
    description: parameterInQuotes,
    example: {
      path: "src/UserRepository.php",
      bad: `<?php
class UserRepository
{
    public function byName(PDO $pdo, string $name)
    {
        return $pdo->query("SELECT * FROM users WHERE name = '" . $name . "'")->fetchAll();
    }
}
`,
      good: `<?php
class UserRepository
{
    public function byName(PDO $pdo, string $name)
    {
        $statement = $pdo->prepare("SELECT * FROM users WHERE name = ?");
        $statement->execute([$name]);
        return $statement->fetchAll();
    }
}
`
    },
    cwe: [89],
    confidence: 0.65,
    ...small,
    priority: "P1"
  },
  built_sql_text: {
    languages: ["csharp", "go", "java", "javascript", "python"],
    title: "SQL injection: string parameter concatenated as a value",
    description: parameterAsValue,
    example: {
      path: "src/orders.ts",
      bad: `import type { Pool } from "pg"

export const orderOf = (pool: Pool, reference: string) =>
  pool.query("SELECT * FROM orders WHERE reference = " + reference)
`,
      good: `import type { Pool } from "pg"

export const orderOf = (pool: Pool, reference: string) =>
  pool.query("SELECT * FROM orders WHERE reference = $1", [reference])
`
    },
    cwe: [89],
    confidence: 0.75,
    ...small,
    priority: "P2"
  },
  built_sql_unquoted: {
    languages: ["javascript", "php", "python", "ruby"],
    title: "SQL injection: parameter concatenated as a value",
    description: parameterAsValue,
    example: {
      path: "app/orders.py",
      bad: `def orders_of(connection, customer):
    cursor = connection.cursor()
    cursor.execute(f"SELECT * FROM orders WHERE customer = {customer}")
    return cursor.fetchall()
`,
      good: `def orders_of(connection, customer):
    cursor = connection.cursor()
    cursor.execute("SELECT * FROM orders WHERE customer = %s", (customer,))
    return cursor.fetchall()
`
    },
    cwe: [89],
    // The parameter declares no type: it is often a number.
    confidence: 0.6,
    ...small,
    priority: "P2"
  },
  nosql_where: {
    languages: ["javascript"],
    title: "NoSQL injection: untrusted input in $where",
    description:
      "An attacker reads other fields, matches every document or keeps the database busy. `$where` runs JavaScript " +
      "inside the database for each document, and untrusted input is part of that code. Express the condition with " +
      "operators such as `$eq` and `$expr`, which take values instead of code.",
    example: {
      path: "server/users.js",
      bad: `const { MongoClient } = require("mongodb")
const users = new MongoClient(url).db("shop").collection("users")

exports.list = async (req, res) => {
  res.json(await users.find({ $where: "this.age > " + req.query.age }).toArray())
}
`,
      good: `const { MongoClient } = require("mongodb")
const users = new MongoClient(url).db("shop").collection("users")

exports.list = async (req, res) => {
  res.json(await users.find({ age: { $gt: Number(req.query.age) } }).toArray())
}
`
    },
    cwe: [943],
    confidence: 0.9,
    ...small
  },
  nosql_operator: {
    languages: ["java", "javascript", "php", "python"],
    title: "NoSQL operator injection",
    description:
      'An attacker matches documents without knowing their values: `{"$ne": null}` for a password matches any. A ' +
      "parsed body or query string may hold an object where the code expects a string, and the database interprets an " +
      "object as operators. Check the type or convert the value (`String(value)`, a schema, `{ $eq: value }`) before it " +
      "reaches the filter.",
    example: {
      path: "server/login.js",
      bad: `const { MongoClient } = require("mongodb")
const users = new MongoClient(url).db("shop").collection("users")

exports.find = async (req, res) => {
  res.json(await users.findOne({ email: req.body.email }))
}
`,
      good: `const { MongoClient } = require("mongodb")
const users = new MongoClient(url).db("shop").collection("users")

exports.find = async (req, res) => {
  res.json(await users.findOne({ email: String(req.body.email) }))
}
`
    },
    cwe: [943],
    confidence: 0.75,
    ...small,
    priority: "P1"
  },
  untrusted_xpath: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "XPath injection",
    description: `An attacker reads parts of the document that are not meant for them, or passes a login. ${inXpath}`,
    example: {
      path: "app/members.py",
      bad: `from flask import Flask, request
from lxml import etree

app = Flask(__name__)
members = etree.parse("members.xml")


@app.route("/member")
def member():
    return members.xpath("//member[name='" + request.args["name"] + "']")[0].get("email")
`,
      good: `from flask import Flask, request
from lxml import etree

app = Flask(__name__)
members = etree.parse("members.xml")


@app.route("/member")
def member():
    return members.xpath("//member[name=$name]", name=request.args["name"])[0].get("email")
`
    },
    cwe: [643],
    confidence: 0.85,
    ...small,
    priority: "P1"
  },
  untrusted_ldap: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "LDAP injection",
    description: `An attacker reads entries of other users, or logs in as one of them. ${inFilter}`,
    example: {
      path: "server/directory.js",
      bad: `const ldap = require("ldapjs")
const client = ldap.createClient({ url: "ldaps://directory" })

app.get("/people", (req, res) => {
  client.search("ou=people", { filter: "(uid=" + req.query.uid + ")" }, (error, found) => send(res, found))
})
`,
      good: `const ldap = require("ldapjs")
const client = ldap.createClient({ url: "ldaps://directory" })

app.get("/people", (req, res) => {
  const filter = new ldap.EqualityFilter({ attribute: "uid", value: req.query.uid })
  client.search("ou=people", { filter }, (error, found) => send(res, found))
})
`
    },
    cwe: [90],
    confidence: 0.85,
    ...small,
    priority: "P1"
  },
  built_xpath: {
    languages: ["csharp", "java", "php", "python"],
    title: "XPath injection: parameter concatenated into a quoted string",
    description: `A quote in the value breaks the expression, and a chosen value changes it. ${inXpath}`,
    example: {
      path: "app/members.py",
      bad: `from lxml import etree


def member(document, name):
    return document.xpath("//member[name='" + name + "']")
`,
      good: `from lxml import etree


def member(document, name):
    return document.xpath("//member[name=$name]", name=name)
`
    },
    cwe: [643],
    confidence: 0.6,
    ...small,
    priority: "P3"
  },
  built_ldap: {
    languages: ["csharp", "go", "java", "javascript", "php", "python"],
    title: "LDAP injection: parameter concatenated into a filter",
    description: `A parenthesis or asterisk in the value changes which entries match. ${inFilter}`,
    example: {
      path: "app/directory.py",
      bad: `import ldap


def find(uid):
    connection = ldap.initialize("ldaps://directory")
    return connection.search_s("ou=people", ldap.SCOPE_SUBTREE, "(uid=%s)" % uid)
`,
      good: `import ldap
from ldap.filter import escape_filter_chars


def find(uid):
    connection = ldap.initialize("ldaps://directory")
    return connection.search_s("ou=people", ldap.SCOPE_SUBTREE, "(uid=%s)" % escape_filter_chars(uid))
`
    },
    cwe: [90],
    confidence: 0.65,
    ...small,
    priority: "P2"
  }
})

export type RuleId = keyof typeof rules
