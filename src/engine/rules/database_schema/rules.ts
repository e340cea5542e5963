import { type RuleLanguage, ruleSet } from "../../core/tool/AuditTool.ts"

const medium = { effort: "medium", risk: "high" } as const
const migrations: ReadonlyArray<RuleLanguage> = ["javascript", "php", "python", "ruby", "sql"]

export const rules = ruleSet({
  not_null_without_default: {
    languages: ["javascript", "python", "ruby", "sql"],
    title: "NOT NULL column added without a default",
    description:
      "On a table that has rows the statement fails, because they would all be null, and the deployment stops half way; and " +
      "until the new code runs everywhere, inserts of the old code fail. Add the column with a default, or nullable, fill " +
      "it, and set NOT NULL in a later migration.",
    example: {
      path: "db/postgres/migrations/0012_change_orders.sql",
      bad: `ALTER TABLE orders ADD COLUMN region TEXT NOT NULL;
`,
      good: `ALTER TABLE orders ADD COLUMN region TEXT NOT NULL DEFAULT 'eu';
`,
      besides: {
        "package.json": `{ "dependencies": { "pg": "8.11.0" } }
`
      }
    },
    cwe: [],
    confidence: 0.85,
    priority: "P1",
    ...medium
  },
  index_locks_table: {
    languages: ["python", "ruby", "sql"],
    title: "Blocking CREATE INDEX (not CONCURRENTLY)",
    description:
      "In PostgreSQL a plain CREATE INDEX blocks every insert, update and delete of the table until it is done, which on a " +
      "large table is minutes. Build it CONCURRENTLY, outside of the migration's transaction " +
      "(`disable_ddl_transaction!`, `postgresql_concurrently=True`, a migration of its own).",
    example: {
      path: "db/postgres/migrations/0012_change_orders.sql",
      bad: `CREATE INDEX orders_by_state ON orders (state);
`,
      good: `CREATE INDEX CONCURRENTLY orders_by_state ON orders (state);
`,
      besides: {
        "package.json": `{ "dependencies": { "pg": "8.11.0" } }
`
      }
    },
    cwe: [],
    confidence: 0.76,
    priority: "P2",
    ...medium
  },
  constraint_scans_table: {
    languages: ["ruby", "sql"],
    title: "Blocking constraint validation (not NOT VALID)",
    description:
      "Adding a foreign key or CHECK in PostgreSQL reads the whole table while writing is blocked. Add it NOT VALID, which " +
      "holds for new rows at once, and VALIDATE it in a second step that does not block.",
    example: {
      path: "db/postgres/migrations/0012_change_orders.sql",
      bad: `ALTER TABLE orders ADD CONSTRAINT orders_customer FOREIGN KEY (customer_id) REFERENCES customers (id);
`,
      good: `ALTER TABLE orders ADD CONSTRAINT orders_customer FOREIGN KEY (customer_id) REFERENCES customers (id) NOT VALID;
`,
      besides: {
        "package.json": `{ "dependencies": { "pg": "8.11.0" } }
`
      }
    },
    cwe: [],
    confidence: 0.72,
    priority: "P2",
    ...medium
  },
  drops_data: {
    languages: migrations,
    title: "Destructive migration: column or table dropped",
    description:
      "The data is gone, and while the release rolls out the old code still reads and writes what no longer exists: every " +
      "query that names the column fails. Remove its uses in one release and drop it in a later one, with a backup at hand.",
    example: {
      path: "db/postgres/migrations/0012_change_orders.sql",
      bad: `ALTER TABLE orders DROP COLUMN legacy;
`,
      good: `ALTER TABLE orders ALTER COLUMN legacy DROP NOT NULL;
`,
      besides: {
        "package.json": `{ "dependencies": { "pg": "8.11.0" } }
`
      }
    },
    cwe: [],
    confidence: 0.62,
    priority: "P2",
    ...medium
  },
  renames_in_place: {
    languages: migrations,
    title: "Breaking migration: column or table renamed in place",
    description:
      "From this moment the running code, which uses the old name, fails until the last of it is replaced, and rolling back " +
      "the code fails the same way. Add the new column, write to both, copy, switch reads, then drop the old one; for a table " +
      "leave a view under the old name.",
    example: {
      path: "db/postgres/migrations/0012_change_orders.sql",
      bad: `ALTER TABLE orders RENAME COLUMN state TO status;
`,
      good: `ALTER TABLE orders ADD COLUMN status TEXT;
`,
      besides: {
        "package.json": `{ "dependencies": { "pg": "8.11.0" } }
`
      }
    },
    cwe: [],
    confidence: 0.66,
    priority: "P2",
    ...medium
  },
  changes_type: {
    languages: ["javascript", "python", "ruby", "sql"],
    title: "Blocking migration: column type changed in place",
    description:
      "Most changes of type write the whole table again under an exclusive lock, and values that do not fit make it fail. Add " +
      "a column of the new type, fill it in batches, and switch over.",
    example: {
      path: "db/postgres/migrations/0012_change_orders.sql",
      bad: `ALTER TABLE orders ALTER COLUMN total TYPE INTEGER USING total::integer;
`,
      good: `ALTER TABLE orders ADD COLUMN total_cents INTEGER;
`,
      besides: {
        "package.json": `{ "dependencies": { "pg": "8.11.0" } }
`
      }
    },
    cwe: [],
    confidence: 0.64,
    priority: "P2",
    ...medium
  },
  deletes_all_rows: {
    languages: ["sql"],
    title: "Destructive migration: all rows deleted",
    description:
      "A DELETE without WHERE or a TRUNCATE takes every row of every installation the migration runs on, and nothing can bring " +
      "them back. Say which rows are meant, or keep the data under another name until it is known not to be needed.",
    example: {
      path: "db/postgres/migrations/0012_change_orders.sql",
      bad: `DELETE FROM customers;
`,
      good: `DELETE FROM customers WHERE closed_at < '2020-01-01';
`,
      besides: {
        "package.json": `{ "dependencies": { "pg": "8.11.0" } }
`
      }
    },
    cwe: [],
    confidence: 0.74,
    priority: "P1",
    ...medium
  },
  float_for_money: {
    languages: ["java", "javascript", "php", "prisma", "python", "ruby", "sql"],
    title: "Floating-point column for money",
    description:
      "Binary fractions cannot hold 0.10, so sums drift by cents and comparisons fail: invoices do not add up. Use a decimal " +
      "type with a fixed scale (`NUMERIC(12, 2)`), or whole cents in an integer.",
    example: {
      path: "db/postgres/migrations/0012_change_orders.sql",
      bad: `CREATE TABLE lines (
  id BIGSERIAL PRIMARY KEY,
  price DOUBLE PRECISION
);
`,
      good: `CREATE TABLE lines (
  id BIGSERIAL PRIMARY KEY,
  price NUMERIC(12, 2)
);
`,
      besides: {
        "package.json": `{ "dependencies": { "pg": "8.11.0" } }
`
      }
    },
    cwe: [1339],
    confidence: 0.82,
    priority: "P2",
    effort: "medium",
    risk: "medium"
  }
})

export type RuleId = keyof typeof rules
