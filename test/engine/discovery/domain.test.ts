import { assert, describe, it } from "vitest"
import { nounKey } from "../../../src/engine/discovery/domain/Noun.ts"
import { plainDoc } from "../../../src/engine/discovery/observers/docText.ts"
import { outputOf } from "../../support/survey.ts"

const domainOf = async (texts: Readonly<Record<string, string>>): Promise<string> =>
  (await outputOf(texts)).domain_md ?? ""

const lineOf = (text: string, start: string): string => text.split("\n").find((line) => line.startsWith(start)) ?? ""

describe("nouns of the domain", () => {
  it.each([
    ["order_items", "order item"],
    ["OrderItem", "order item"],
    ["IOrderItem", "order item"],
    ["AbstractOrderItem", "order item"],
    ["OrderItemEntity", "order item"],
    ["HTTPProxies", "http proxy"],
    ["statuses", "status"]
  ])("%s is known as %s", (name, key) => {
    assert.strictEqual(nounKey(name), key)
  })

  it("a table, its model and what is exchanged are one noun, with its fields, relations and states", async () => {
    const text = await domainOf({
      "db/schema.sql":
        "CREATE TABLE orders (id int, customer_id int REFERENCES customers(id), total int, status text CHECK (status IN ('open', 'paid')), created_at date);\nCREATE TABLE customers (id int, email text);\n",
      "src/order.ts":
        'export type OrderStatus = "open" | "paid"\n/** What a {@link Customer customer} buys at once. */\nexport class Order {\n  readonly total: number\n  readonly status: OrderStatus\n}\n',
      "src/pay.ts": "export const payOrder = (order: Order) => order.total\n",
      "src/ship.ts": "export const shipOrder = (order: Order) => order.total\nexport const customerOf = () => 1\n"
    })
    const order = lineOf(text, "- **Order**")
    assert.include(order, "(SQL table `db/schema.sql:1`; type `src/order.ts:3`), named in 3 source files.")
    assert.include(order, "“What a customer buys at once.”")
    assert.include(order, "Has `customer_id`, `total`, `status`. Refers to `customers`.")
    assert.include(order, "`open`, `paid`")
    assert.isBelow(text.indexOf("**Order**"), text.indexOf("**customers**"))
  })

  it("a type of one word has the states of a noun with a field of that name where the noun's code names it", async () => {
    const orderWith = async (type: string) =>
      lineOf(
        await domainOf({
          "db/schema.sql":
            "CREATE TABLE orders (id int, customer_id int REFERENCES customers(id), total int, grade text);\nCREATE TABLE customers (id int, email text);\n",
          "src/order.ts": `export class Order {\n  readonly total: number\n  readonly grade: ${type}\n}\n`,
          "src/paint.ts": 'export type Grade = "fine" | "rough"\n',
          "src/pay.ts": "export const payOrder = (order: Order) => order.total\n"
        }),
        "- **Order**"
      )
    assert.include(await orderWith("Grade"), "Values of `Grade`: `fine`, `rough`")
    assert.notInclude(await orderWith("string"), "Grade")
  })

  it.each([
    [
      "C",
      "store.c",
      'char sql[] = "CREATE TABLE BILLS ("\n  "ID INTEGER, "\n  "TOTAL INTEGER, "\n  "PAYER TEXT"\n  ");";\nvoid add() { run("INSERT into BILLS (TOTAL) VALUES (1)"); }\n'
    ],
    [
      "Python",
      "store.py",
      "cur.execute('CREATE TABLE if not exists bills ('\n            'id integer, '\n            'total integer, '\n            'payer text default \\'\\')')\ncur.execute('UPDATE bills SET total = 1')\n"
    ]
  ])("a table that several literals of %s create beside each other is one", async (_, path, text) => {
    const others =
      "CREATE TABLE users (id int, name text, age int);\nCREATE TABLE notes (id int, text text, title text);\n"
    const writes =
      '<?php\n$db->query("INSERT INTO users (a) VALUES (1)");\n$db->query("INSERT INTO notes (a) VALUES (1)");\n'
    const found = await domainOf({ [path]: text, "schema.sql": others, "a.php": writes })
    assert.include(found, "Has `total`, `payer`.")
  })

  it("what all tables begin with is no part of them; one that keeps a version or preferences is no noun", async () => {
    const tables = ["users", "bills", "items", "notes", "version", "prefs"].map(
      (name) => `CREATE TABLE xyz_${name} (id int, title text, owner text);\n`
    )
    const text = await domainOf({
      "schema/shop.sql": tables.join(""),
      "classes/bills.php": "<?php\nclass Bills {\n  public $title;\n  public $owner;\n}\n",
      "classes/a.php": '<?php\n$db->query("INSERT INTO xyz_bills (title) VALUES (1)");\n'
    })
    assert.include(text, "- **Bills** (SQL table `schema/shop.sql:2`; class `classes/bills.php:2`)")
    assert.notInclude(text, "xyz_version")
    assert.notInclude(text, "xyz_prefs")
  })

  it("a type that does something with a noun, or is deprecated, is none; the noun itself is", async () => {
    const type = (name: string, doc = "What is sold to customers.") =>
      `/** ${doc} */\nexport class ${name} {\n  readonly title: string\n  readonly total: number\n}\n`
    const uses = ["a", "b", "c"].map((name) => [
      `src/${name}.ts`,
      "export const x = (one: Order, two: Bill, three: Receipt, four: Ticket) => one\n"
    ])
    const text = await domainOf({
      "README.md":
        "Orders, bills, receipts and tickets. Order, bill, receipt, ticket. An order, a bill, a receipt, a ticket.\n",
      "src/order.ts": type("Order"),
      "src/bill.ts": type("Bill"),
      "src/receipt.ts": type("Receipt"),
      "src/ticket.ts": type("Ticket", "Deprecated, use the order instead of it."),
      "src/actions/order.ts": `${type("Order")}`,
      ...Object.fromEntries(uses)
    })
    assert.include(text, "- **Order** (type `src/order.ts:2`)")
    assert.include(text, "**Bill**")
    assert.notInclude(text, "**Ticket** (")
  })

  it("classes of a model of Modello are nouns where code names them, with fields and relations; nothing else of XML is", async () => {
    const type = (name: string, field: string) =>
      `    <class>\n      <name>${name}</name>\n      <fields>\n${field}      </fields>\n    </class>\n`
    const plain = (name: string) =>
      `        <field>\n          <name>${name}</name>\n          <type>String</type>\n        </field>\n`
    const many = (name: string, of: string) =>
      `        <field>\n          <name>${name}</name>\n          <association>\n            <type>${of}</type>\n          </association>\n        </field>\n`
    const model = `<model>\n  <name>Depot</name>\n  <classes>\n${type("Wagon", many("axles", "Axle"))}${type("Axle", plain("width"))}${type("Ghost", plain("sheet"))}  </classes>\n</model>\n`
    const code = "package org.depot;\n\nclass Yard {\n  Wagon pull(Axle axle) {\n    return new Wagon();\n  }\n}\n"
    const domainOf = async (path: string) =>
      (await outputOf({ [path]: model, "src/main/java/org/depot/Yard.java": code })).domain_md ?? ""
    const found = await domainOf("src/main/mdo/depot.mdo")
    assert.include(lineOf(found, "- **Wagon**"), "Has `axles`. Refers to `Axle`.")
    assert.include(found, "- **Axle**")
    assert.notInclude(found, "**Ghost**")
    assert.notInclude(await domainOf("src/main/mdo/depot.xml"), "**Axle**")
  })

  it("messages, errors and settings are no nouns, nor are tables that only migrations know", async () => {
    const text = await domainOf({
      "api/shop.proto":
        "message GetOrderRequest {\n  string id = 1;\n  string view = 2;\n}\nmessage Order {\n  string id = 1;\n  string state = 2;\n}\nmessage HealthCheck {\n  string service = 1;\n  string other = 2;\n}\nmessage Write {\n  string id = 1;\n  string other = 2;\n}\n",
      "migrations/1.sql": "CREATE TABLE order_tmp (id int, a int);\nCREATE TABLE gone (id int, b int);\n",
      "src/rule.js": "export const example = `CREATE TABLE orders (id int, price int);`\n",
      "src/a.go": "package a\n\nfunc ListOrders() {}\n",
      "src/b.go": "package a\n\ntype OrderOptions struct {\n\tA int\n\tB int\n}\n\nfunc GetOrder() {}\n"
    })
    // The table of the example would come before the message.
    assert.include(text, "- **Order** (protobuf message")
    for (const name of ["GetOrderRequest", "HealthCheck", "Write", "order_tmp", "gone", "OrderOptions"])
      assert.notInclude(text, name)
  })

  it("types of C, C++, Kotlin and functions that are called with new are nouns, helpers by their name are not", async () => {
    const text = await domainOf({
      "README.md": "Kettles, teas and spoons.\n",
      "src/cup.h": "struct cup {\n  int size;\n  char *label;\n};\nenum cup_state { CUP_EMPTY, CUP_FULL };\n",
      "src/kettle.hpp": "class Kettle {\n public:\n  int litres;\n  std::string label;\n};\n",
      "src/Tea.kt": "data class Tea(val name: String, val minutes: Int)\n",
      "src/spoon.js": "function Spoon(size) {\n  this.size = size\n  this.used = false\n}\nmodule.exports = Spoon\n",
      "src/saucer.js": "function Saucer(size) {\n  this.size = size\n  this.used = false\n}\nmodule.exports = Saucer\n",
      "src/KettleParser.java": "public class KettleParser {\n  private int at;\n  private int end;\n}\n",
      ...Object.fromEntries(
        [1, 2, 3].flatMap((n) => [
          [`src/u${n}.c`, "void fill(struct cup *c) { c->size = 1; }\n"],
          [`src/u${n}.cpp`, "void fill(Kettle &k) { k.litres = 1; }\n"],
          [`src/U${n}.kt`, "fun brew(tea: Tea) = tea.name\n"],
          [`src/u${n}.js`, "new Spoon(1)\nnew Saucer(1)\n"],
          [`src/U${n}.java`, "class U { KettleParser p; }\n"]
        ])
      )
    })
    for (const noun of ["cup", "Kettle", "Tea", "Spoon"]) assert.include(text, `- **${noun}** (`)
    assert.include(lineOf(text, "- **cup**"), "`CUP_EMPTY`, `CUP_FULL`")
    assert.notInclude(text, "KettleParser")
    assert.notInclude(text, "Saucer", "nothing but its own file speaks of it")
  })

  it("a type that many functions are named after is a noun without a word in the readme; one that none is named after is not", async () => {
    const contact = "class Contact:\n    def __init__(self):\n        self.name = 1\n        self.phone = 2\n"
    const card = "class Card:\n    def __init__(self):\n        self.name = 1\n        self.phone = 2\n"
    const functions = (noun: string) =>
      ["load", "save", "find", "merge", "drop"].map((verb) => `def ${verb}_${noun}(it):\n    pass\n`).join("")
    const texts = {
      "README.md": "A program.\n",
      "desk/contact.py": contact,
      "desk/card.py": card,
      "desk/shelf.py": "class Shelf:\n    def __init__(self):\n        self.contacts = []\n        self.size = 2\n",
      "desk/a.py": `${functions("contact")}${functions("shelf")}`,
      ...Object.fromEntries(
        [1, 2, 3].map((n) => [`desk/u${n}.py`, "def use(x):\n    Contact()\n    Card()\n    Shelf()\n"])
      )
    }
    const text = await domainOf(texts)
    const main = text.slice(0, text.indexOf("## Candidates"))
    assert.include(main, "- **Contact** (class `desk/contact.py:1`)")
    assert.include(main, "- **Shelf** (class `desk/shelf.py:1`)")
    assert.notInclude(main, "**Card**")
  })

  it("what most types begin with is no part of what they are", async () => {
    const types = ["Entry", "Group", "Icon", "Field", "Link", "Tag"]
    const text = await domainOf({
      "README.md": "Groups, groups and groups; links, links and links; icons, icons and icons.\n",
      ...Object.fromEntries(
        types.map((type) => [
          `Pw${type}.cs`,
          `public class Pw${type} {\n  public int Size { get; set; }\n  public int Age { get; set; }\n}\n`
        ])
      ),
      ...Object.fromEntries([1, 2, 3].map((n) => [`Use${n}.cs`, types.map((type) => `new Pw${type}();`).join("\n")]))
    })
    for (const noun of ["PwGroup", "PwLink", "PwIcon"]) assert.include(text, `- **${noun}** (`)
  })

  it("a word that the product's name begins with is no part of what a type is; a page's types say little of the program", async () => {
    const type = (name: string) => `pub struct ${name} {\n    pub size: u8,\n    pub age: u8,\n}\n`
    const text = await domainOf({
      "README.md": "Scans, scans, scans; hosts, hosts, hosts; gadgets, gadgets, gadgets.\n",
      "Cargo.toml": '[package]\nname = "feroxbuster"\n',
      "src/scan.rs": type("FeroxScan"),
      "src/host.rs": type("FeroxHost"),
      "src/long.rs": "fn f() {}\n".repeat(200),
      "web/gadget.js": "class Gadget {\n  constructor() {\n    this.size = 1\n    this.age = 2\n  }\n}\n",
      ...Object.fromEntries(
        [1, 2, 3].flatMap((n) => [
          [`src/u${n}.rs`, "fn use_it(s: FeroxScan, h: FeroxHost) {}\n"],
          [`web/u${n}.js`, "new Gadget()\n"]
        ])
      )
    })
    assert.include(text, "- **FeroxScan** (struct `src/scan.rs:1`)")
    assert.include(text, "- **FeroxHost** (")
    assert.notInclude(text, "Gadget")
  })

  it("a structure of C is known by what its typedef calls it; what is typed on a command line is no noun", async () => {
    const text = await domainOf({
      "README.md":
        "Nicks, nicks, nicks; clients, clients, clients; a template, a template, a template; add, add, add; word lists.\n",
      "src/client.h":
        "typedef struct _CLIENT\n{\n\tchar *id;\n#ifdef TLS\n\tint secure;\n#endif\n\tint port;\n} CLIENT;\n",
      "src/nick.h": "struct _NICK_REC {\n#include <nick-rec.h>\n};\n",
      "src/wordlist.h": "struct wordlist {\n  int size;\n  char **words;\n};\n",
      "src/template.rs": "pub struct Template {\n    pub text: String,\n    pub path: String,\n}\n",
      "src/add.rs":
        "#[derive(Debug, Parser)]\n#[clap(\n    author,\n)]\npub struct Add {\n    pub paths: Vec<PathBuf>,\n    pub score: u8,\n}\n",
      ...Object.fromEntries(
        [1, 2, 3].flatMap((n) => [
          [`src/u${n}.c`, "void greet(CLIENT *c, NICK_REC *n, struct wordlist *w) { c->port = 1; }\n"],
          [`src/u${n}.rs`, "fn use_it(t: Template, a: Add) {}\n"]
        ])
      )
    })
    assert.include(text, "- **CLIENT** (struct `src/client.h:1`)")
    assert.include(lineOf(text, "- **CLIENT**"), "`secure`, `port`")
    assert.include(text, "- **NICK_REC** (struct `src/nick.h:1`)")
    assert.include(text, "- **Template** (")
    assert.notInclude(text, "**Add**")
    assert.notInclude(text, "wordlist")
  })

  it("closed sets of values are read as each language writes them", async () => {
    const text = await domainOf({
      "go/valve.go": 'package m\n\ntype Valve string\n\nconst (\n\tOpen Valve = "open"\n\tShut Valve = "shut"\n)\n',
      "go/user.go":
        'package m\n\ntype UserStatus int\n\nconst (\n\tUserActive = iota // may enter\n\tUserSilenced\n)\n\nconst (\n\tApart = iota\n\tOther\n)\n\ntype User struct {\n\tName string `db:"name"`\n\tMail string `db:"mail"`\n}\n',
      "go/shelf.go":
        'package m\n\ntype collectVisibility int\n\nconst (\n\tShown collectVisibility = iota\n\tHidden\n)\n\ntype Collection struct {\n\tName string `db:"name"`\n\tNote string `db:"note"`\n}\n\nfunc NewCollection(u *User) *Collection { return nil }\n',
      "go/side.go": "package m\n\ntype Side int\n\nconst (\n\tLeft Side = iota\n\tRight\n)\n",
      "app/cart.rb": "class Cart\n  STATUS_OPEN = 1\n  STATUS_DONE = 2\nend\n",
      "app/bill.rb": "class Bill < ApplicationRecord\n  enum status: { sent: 0, paid: 1 }\nend\n",
      "py/color.py":
        'class Color(Enum):\n    """A colour."""\n    RED = 1\n    BLUE = 2\n\n    def hot(self):\n        x = 1\n',
      "py/parcel.py":
        'class Parcel(models.Model):\n    STATUS_CHOICES = (\n        ("packed", _("Packed")),\n        ("gone", "Gone"),\n    )\n    status = models.CharField(choices=STATUS_CHOICES)\n',
      "db/types.sql": "CREATE TYPE speed AS ENUM ('slow', 'fast');\n",
      "py/uses.py": "def bill_of(parcel):\n    return Bill(Parcel())\n"
    })
    for (const expected of [
      "`Valve`: `Open`, `Shut`",
      "`Side`: `Left`, `Right`",
      "Values of `UserStatus`: `UserActive`, `UserSilenced` (",
      "Values of `collectVisibility`: `Shown`, `Hidden`",
      "`Cart.STATUS`: `STATUS_OPEN`, `STATUS_DONE`",
      "Values of `Bill.status`: `sent`, `paid`",
      "`Color`: `RED`, `BLUE`",
      "Values of `Parcel.status`: `packed`, `gone`",
      "`speed`: `slow`, `fast`"
    ])
      assert.include(text, expected)
  })

  it("tables of RethinkDB are nouns, and all tables that a program creates where it writes one; signals are none", async () => {
    const text = await domainOf({
      "lib/db.js":
        "var r = require('rethinkdb')\nexports.all = () => db.run(r.table('devices'))\nexports.one = () => r.db('x').table('groups').get(1)\n",
      "lib/page.js": "exports.show = (r) => r.table('rows')\n",
      "lib/wire.proto":
        "message GroupChangeMessage {\n  string id = 1;\n  string name = 2;\n}\nmessage Booking {\n  string id = 1;\n  string name = 2;\n}\n",
      "lib/use.js": "const deviceOf = (device, group) => bookingOf(device, groupChangeMessage)\n",
      "app/base.py":
        'def start(db):\n    db.execute("""\n    CREATE TABLE podcast (\n      id INTEGER,\n      url TEXT)\n    """)\n    db.execute("""\n    CREATE TABLE episode (\n      id INTEGER,\n      title TEXT)\n    """)\n    db.execute("INSERT INTO podcast (url) VALUES (?)")\n',
      "app/example.py": 'TEXT = """\nCREATE TABLE shelf (\n  id INTEGER,\n  name TEXT)\n"""\n',
      "app/use.py": "def show_episode(podcast):\n    return show_podcast(shelf_of(podcast))\n"
    })
    for (const name of ["devices", "groups", "podcast", "episode", "Booking"]) assert.include(text, `- **${name}** (`)
    for (const name of ["rows", "GroupChangeMessage", "shelf"]) assert.notInclude(text, `**${name}**`)
  })

  it("what one extension handles is a candidate, and windows and models that feed a view are none", async () => {
    const type = (name: string) => `// What ${name} is.\nclass ${name} {\npublic:\n  int first;\n  int second;\n};\n`
    const used = ["Feed", "Track", "Song", "Singer", "SongModel", "Editor"]
    const functions = used
      .flatMap((name) => ["open", "shut", "move", "turn", "hold"].map((verb) => `void ${verb}${name}(${name} *a) {}\n`))
      .join("")
    const text = await domainOf({
      "CMakeLists.txt": "project(player)\n",
      "src/Track.h": type("Track"),
      "src/Song.h": type("Song"),
      "src/Singer.h": type("Singer"),
      "src/SongModel.h": type("SongModel"),
      "src/Editor.h":
        "// What Editor is.\nclass Editor {\npublic:\n  int vbox;\n  int window;\n  int close_button;\n  int name_entry;\n};\n",
      "plugins/news/Feed.h": type("Feed"),
      ...Object.fromEntries([1, 2, 3, 4].map((n) => [`src/u${n}.cpp`, functions]))
    })
    const [main = "", candidates = ""] = text.split("## Candidates")
    for (const name of ["Track", "Song", "Singer"]) assert.include(main, `**${name}**`)
    assert.notInclude(main, "**Feed**")
    assert.include(candidates, "**Feed**")
    assert.notInclude(text, "**SongModel**")
    assert.notInclude(text, "**Editor**")
  })
})

describe("comments", () => {
  it.each([
    [":class:`~shop.models.Order` is paid", "`Order` is paid"],
    ["see :func:`pay <shop.pay>` first", "see `pay` first"],
    ["{@link Order#pay the payment} of {@code x}", "the payment of `x`"],
    ['<summary>A <see cref="T:Shop.Order"/> line</summary>', "A `Order` line"],
    ["An [`Order`] of [this](http://a.b)", "An `Order` of this"],
    ["the +name+ of ``it``", "the `name` of `it`"]
  ])("%s", (text, plain) => {
    assert.strictEqual(plainDoc(text), plain)
  })
})
