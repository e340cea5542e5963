import { ruleSet } from "../../core/tool/AuditTool.ts"

const medium = { effort: "medium", risk: "medium" } as const
const small = { effort: "small", risk: "low" } as const

export const rules = ruleSet({
  query_in_loop: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "N+1 query",
    description:
      "A list of a hundred elements takes a hundred round trips to the database: fast with the ten rows of a test, slow with " +
      "the data of a year. The loop runs one query per element. Collect the keys and run one query (`WHERE id IN (…)`, " +
      "`include`, `select_related`, a join), then look up the rows in a map.",
    example: {
      path: "src/parts.py",
      bad: "from .models import Part\n\n\ndef parts_of(items):\n    for item in items:\n        item.part = Part.objects.get(pk=item.part_id)\n",
      good: "from .models import Part\n\n\ndef parts_of(items):\n    parts = Part.objects.in_bulk([item.part_id for item in items])\n    for item in items:\n        item.part = parts[item.part_id]\n"
    },
    cwe: [1073],
    confidence: 0.75,
    priority: "P2",
    ...medium
  },
  unbounded_list_route: {
    languages: ["csharp", "java", "javascript", "php", "python", "ruby"],
    title: "Missing pagination: route returns a whole table",
    description:
      "One request is enough to overload the server once the table is large: the size of the response, its memory and its " +
      "time grow with the table. The route loads all rows without a limit. Return one page, with a maximum that the client " +
      "cannot raise and a fixed order.",
    example: {
      path: "src/items.py",
      bad: 'from flask import Flask, jsonify\n\nfrom .models import Item\n\napp = Flask(__name__)\n\n\n@app.route("/items")\ndef items():\n    return jsonify([item.name for item in Item.query.all()])\n',
      good: 'from flask import Flask, jsonify\n\nfrom .models import Item\n\napp = Flask(__name__)\n\n\n@app.route("/items")\ndef items():\n    return jsonify([item.name for item in Item.query.paginate(page=1, per_page=50)])\n'
    },
    cwe: [770],
    confidence: 0.62,
    priority: "P2",
    ...medium
  },
  filter_in_memory: {
    languages: ["csharp", "java", "javascript", "php", "python", "ruby"],
    title: "In-memory filtering of a whole table",
    description:
      "The operation becomes slower with every row of the table. The database sends the whole table, every row becomes an " +
      "object, and most of them are discarded. Move the condition into the query, where an index can serve it.",
    example: {
      path: "src/open.py",
      bad: "from .models import Item\n\n\ndef open_items():\n    return [item for item in Item.objects.all() if item.open]\n",
      good: "from .models import Item\n\n\ndef open_items():\n    return list(Item.objects.filter(open=True))\n"
    },
    cwe: [1049],
    confidence: 0.78,
    priority: "P2",
    ...small
  },
  rows_loaded_to_count: {
    languages: ["csharp", "java", "javascript", "php", "python", "ruby"],
    title: "Rows loaded into memory to count them",
    description:
      "The operation becomes slower with every row of the table. Every row is sent and becomes an object for one number, which " +
      "the database can return alone. Use its count (`count()`, `CountAsync()`, `COUNT(*)`), or `exists` to test whether " +
      "there are any.",
    example: {
      path: "src/counts.py",
      bad: "from .models import Item\n\n\ndef open_count():\n    return len(Item.objects.filter(open=True))\n",
      good: "from .models import Item\n\n\ndef open_count():\n    return Item.objects.filter(open=True).count()\n"
    },
    cwe: [1049],
    confidence: 0.8,
    priority: "P3",
    ...small
  },
  columns_by_position: {
    languages: ["go", "java", "python"],
    title: "SELECT * read by column position",
    description:
      "A migration that adds or moves a column makes this code fail, or read another column unnoticed. The order and number of " +
      "columns of `SELECT *` depend on the table, and the code reads them by position. Name the columns in the query.",
    example: {
      path: "src/names.py",
      bad: 'def name(cursor, key):\n    cursor.execute("SELECT * FROM parts WHERE id = %s", [key])\n    row = cursor.fetchone()\n    return row[1]\n',
      good: 'def name(cursor, key):\n    cursor.execute("SELECT name FROM parts WHERE id = %s", [key])\n    row = cursor.fetchone()\n    return row[0]\n'
    },
    cwe: [1049],
    confidence: 0.8,
    priority: "P3",
    ...small
  }
})

export type RuleId = keyof typeof rules
