import { paren, springTraps, type Trap } from "./traps.ts"

const variables: ReadonlyArray<Trap> = [
  {
    title: "an alias of an alias carries the taint",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      d.declare(d.v("b"), d.v("a")),
      d.declare(d.v("c"), d.v("b")),
      d.hit(d.v("c"))
    ]
  },
  {
    title: "a constant written last ends the taint",
    body: (d) => [d.declare(d.v("a"), d.source), d.assign(d.v("a"), d.text("all")), d.sink(d.v("a"))]
  },
  {
    title: "an alias keeps what the first name lost",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      d.declare(d.v("b"), d.v("a")),
      d.assign(d.v("a"), d.text("all")),
      d.sink(d.v("a")),
      d.hit(d.v("b"))
    ]
  },
  {
    title: "a constant written on one path only does not end the taint",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.when(d.unknown, [d.assign(d.v("a"), d.text("all"))]),
      d.hit(d.v("a"))
    ]
  },
  {
    title: "a taint written on one path only counts",
    body: (d) => [
      d.declare(d.v("a"), d.text("all")),
      ...d.when(d.unknown, [d.assign(d.v("a"), d.source)]),
      d.hit(d.v("a"))
    ]
  },
  {
    title: "constants on both paths end the taint",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.when(d.unknown, [d.assign(d.v("a"), d.text("x"))], [d.assign(d.v("a"), d.text("y"))]),
      d.sink(d.v("a"))
    ]
  },
  {
    title: "a flag that was false does not make a branch dead",
    body: (d) => [
      d.declare(d.v("flag"), d.falsehood),
      d.declare(d.v("a"), d.text("all")),
      ...d.when(d.v("flag"), [d.assign(d.v("a"), d.source)]),
      d.hit(d.v("a"))
    ]
  },
  {
    title: "a path that returns does not clean the one that goes on",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.when(d.unknown, [d.assign(d.v("a"), d.text("all")), d.stop]),
      d.hit(d.v("a"))
    ]
  },
  {
    title: "either side of a conditional expression counts",
    body: (d) =>
      d.name === "Go" ? null : [d.declare(d.v("a"), d.either(d.unknown, d.text("all"), d.source)), d.hit(d.v("a"))]
  },
  {
    title: "a loop hands what it leaves to its own beginning",
    body: (d) => [d.declare(d.v("a"), d.text("all")), ...d.loop([d.hit(d.v("a")), d.assign(d.v("a"), d.source)])]
  },
  {
    title: "two steps through a loop are followed",
    body: (d) => [
      d.declare(d.v("a"), d.text("x")),
      d.declare(d.v("b"), d.text("y")),
      d.declare(d.v("c"), d.text("z")),
      ...d.loop([d.assign(d.v("c"), d.v("b")), d.assign(d.v("b"), d.v("a")), d.assign(d.v("a"), d.source)]),
      d.hit(d.v("c"))
    ]
  },
  {
    title: "an exception may leave between two assignments",
    body: (d) =>
      d.attempt === null
        ? null
        : [
            d.declare(d.v("a"), d.text("x")),
            ...d.attempt([d.assign(d.v("a"), d.source), d.plain(d.call("risky")), d.assign(d.v("a"), d.text("y"))]),
            d.hit(d.v("a"))
          ]
  },
  {
    title: "text that grows keeps its untrusted part",
    body: (d) => [
      d.declare(d.v("a"), d.text("x")),
      d.assign(d.v("a"), d.concat(d.v("a"), d.source)),
      d.assign(d.v("a"), d.concat(d.v("a"), d.text("y"))),
      d.hit(d.v("a"))
    ]
  }
]

const collections: ReadonlyArray<Trap> = [
  {
    title: "a list gives back what was added",
    body: (d) => [d.list(d.v("parts"), d.text("x")), d.add(d.v("parts"), d.source), d.hit(d.joined(d.v("parts")))]
  },
  {
    title: "a list of constants stays clean",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      d.list(d.v("parts"), d.text("x")),
      d.add(d.v("parts"), d.text("y")),
      d.sink(d.joined(d.v("parts")))
    ]
  },
  {
    title: "a second name for a map sees what is written through the first",
    except: ["PHP"],
    body: (d) => [d.map(d.v("m")), d.declare(d.v("n"), d.v("m")), d.put(d.v("n"), d.source), d.hit(d.read(d.v("m")))]
  },
  {
    title: "a map of constants stays clean",
    body: (d) => [d.map(d.v("m")), d.put(d.v("m"), d.text("y")), d.sink(d.read(d.v("m")))]
  }
]

const functions: ReadonlyArray<Trap> = [
  {
    title: "what a function returns carries what it was given",
    functions: (d) => [d.fn("same", [d.v("x")], [d.give(d.v("x"))])],
    body: (d) => [d.hit(d.call("same", d.source))]
  },
  {
    title: "a function that returns a constant cleans",
    functions: (d) => [d.fn("fixed", [d.v("x")], [d.give(d.text("y"))])],
    body: (d) => [d.sink(d.call("fixed", d.source))]
  },
  {
    title: "a function that builds the text is where it is reported",
    functions: (d) => [d.fn("listing", [d.v("x")], [d.hit(d.v("x")), d.give(d.text("y"))])],
    body: (d) => [d.plain(d.call("listing", d.source))]
  },
  {
    title: "another parameter's taint does not count",
    functions: (d) => [d.fn("listing", [d.v("x"), d.v("y")], [d.sink(d.v("y")), d.give(d.text("y"))])],
    body: (d) => [d.plain(d.call("listing", d.source, d.text("y")))]
  },
  {
    title: "a chain of two functions is followed",
    functions: (d) => [
      d.fn("outer", [d.v("x")], [d.give(d.call("inner", d.concat(d.v("x"), d.text("y"))))]),
      d.fn("inner", [d.v("x")], [d.hit(d.v("x")), d.give(d.text("y"))])
    ],
    body: (d) => [d.plain(d.call("outer", d.source))]
  },
  {
    title: "a function that cleans on one path only does not clean",
    functions: (d) => [
      d.fn("half", [d.v("x")], [...d.when(d.unknown, [d.assign(d.v("x"), d.text("y"))]), d.give(d.v("x"))])
    ],
    body: (d) => [d.hit(d.call("half", d.source))]
  },
  {
    title: "a closure sees what its variable holds",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.closure(d.v("go"), [d.hit(d.v("a"))]),
      d.plain(d.run(d.v("go")).replace(/;$/, ""))
    ]
  }
]

const cleaners: ReadonlyArray<Trap> = [
  {
    title: "trimming and changing case do not sanitise",
    body: (d) => [d.declare(d.v("a"), d.tidy(d.source)), d.hit(d.v("a"))]
  },
  {
    title: "a number is harmless",
    body: (d) => [d.declare(d.v("a"), d.source), d.sink(d.number(d.v("a")))]
  },
  {
    title: "a number that is not used sanitizes nothing",
    body: (d) => [d.declare(d.v("a"), d.source), d.declare(d.v("n"), d.number(d.v("a"))), d.hit(d.v("a"))]
  },
  {
    title: "taking out one quote does not sanitise",
    body: (d) => [d.declare(d.v("a"), d.source), d.assign(d.v("a"), d.withoutQuote(d.v("a"))), d.hit(d.v("a"))]
  },
  {
    title: "escaping for HTML does not sanitise for a shell",
    only: "command",
    body: (d) => [d.declare(d.v("a"), d.html(d.source)), d.hit(d.v("a"))]
  },
  {
    title: "quoting for a shell sanitises for a shell",
    only: "command",
    body: (d) => (d.shellQuoted === null ? null : [d.declare(d.v("a"), d.source), d.sink(d.shellQuoted(d.v("a")))])
  },
  {
    title: "quoting for a shell does not sanitise for SQL",
    only: "sql",
    body: (d) => (d.shellQuoted === null ? null : [d.declare(d.v("a"), d.source), d.hit(d.shellQuoted(d.v("a")))])
  },
  {
    title: "a sanitiser on one path only does not sanitise",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.when(d.unknown, [d.assign(d.v("a"), d.number(d.v("a")))]),
      d.hit(d.v("a"))
    ]
  }
]

const checks: ReadonlyArray<Trap> = [
  {
    title: "a check against the code's own list that returns is one",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.when(d.not(paren(d, d.among(d.v("a")))), [d.stop]),
      d.sink(d.v("a"))
    ]
  },
  {
    title: "a check that goes on anyway is none",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.when(d.not(paren(d, d.among(d.v("a")))), [d.plain(d.call("log", d.v("a")))]),
      d.hit(d.v("a"))
    ]
  },
  {
    title: "a check of another variable is none",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      d.declare(d.v("b"), d.other),
      ...d.when(d.not(paren(d, d.among(d.v("b")))), [d.stop]),
      d.hit(d.v("a"))
    ]
  },
  {
    title: "a check is over when the variable is given another value",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.when(d.not(paren(d, d.among(d.v("a")))), [d.stop]),
      d.assign(d.v("a"), d.other),
      d.hit(d.v("a"))
    ]
  },
  {
    title: "a comparison with a constant holds inside of its branch only",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.when(d.equals(d.v("a"), "x"), [d.sink(d.v("a"))]),
      d.hit(d.v("a"))
    ]
  },
  {
    title: "an anchored pattern is a check",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.when(d.not(paren(d, d.matches(d.v("a"), "^[a-z]+$"))), [d.stop]),
      d.sink(d.v("a"))
    ]
  },
  {
    title: "a pattern without anchors is none",
    // `matches` of Java anchors by itself.
    except: ["Java"],
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.when(d.not(paren(d, d.matches(d.v("a"), "[a-z]+"))), [d.stop]),
      d.hit(d.v("a"))
    ]
  },
  {
    title: "a pattern anchored in each half only is none",
    except: ["Java"],
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.when(d.not(paren(d, d.matches(d.v("a"), "^[a-z]+|[0-9]+$"))), [d.stop]),
      d.hit(d.v("a"))
    ]
  },
  {
    title: "a pattern that lets quotes through is none",
    body: (d) => [
      d.declare(d.v("a"), d.source),
      ...d.when(d.not(paren(d, d.matches(d.v("a"), "^.+$"))), [d.stop]),
      d.hit(d.v("a"))
    ]
  }
]

springTraps({ variables, collections, functions, cleaners, checks })
