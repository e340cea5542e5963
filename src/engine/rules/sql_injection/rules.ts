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
    languages: ["javascript"],
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
  }
})

export type RuleId = keyof typeof rules
