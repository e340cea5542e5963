import { assert, describe, it } from "vitest"
import type { Language } from "../../../../src/engine/core/files/Language.ts"
import { SourceFile } from "../../../../src/engine/core/files/SourceFile.ts"
import { statesOf } from "../../../../src/engine/discovery/observers/states/states.ts"

const setsIn = (language: Language, path: string, text: string) =>
  statesOf(new SourceFile({ path, text, language }), [], []).map(({ name, values }) => [name, ...values])

describe("states that no type declares", () => {
  it.each<[string, Language, string, string, ReadonlyArray<string>]>([
    [
      "keys of a map of Go",
      "go",
      "wagon.go",
      'package yard\n\nvar wagonStates = map[string]float64{\n\t"loose": 1, // free\n\t"tight": 2,\n}\n',
      ["wagonState", "loose", "tight"]
    ],
    [
      "constants of Go without a type",
      "go",
      "wagon.go",
      "package yard\n\nconst (\n\tstatusLoose = iota\n\tstatusTight\n)\n",
      ["status", "statusLoose", "statusTight"]
    ],
    [
      "a list of Python",
      "python",
      "wagon.py",
      'WAGON_STATUSES = [\n    "loose",\n    "tight",\n]\n',
      ["wagon_status", "loose", "tight"]
    ],
    [
      "a dictionary of Python",
      "python",
      "wagon.py",
      'WAGON_STATES = {"loose": "free", "tight": "bound"}\n',
      ["wagon_state", "loose", "tight"]
    ],
    [
      "what an option for a status takes",
      "python",
      "cli.py",
      'shown.add_argument("--status", choices=["loose", "tight", "all"],\n    help="only those")\n',
      ["status", "loose", "tight"]
    ],
    [
      "a class of Python that has only constants",
      "python",
      "wagon.py",
      'class WagonStatus:\n    """How it is bound."""\n\n    loose: int = 1\n    # to another wagon\n    tight: int = 2\n\n\nWAGONS = 3\n',
      ["WagonStatus", "loose", "tight"]
    ],
    [
      "a list of JavaScript",
      "javascript",
      "wagon.js",
      'export const wagonStates = Object.freeze(["loose", "tight"])\n',
      ["wagonState", "loose", "tight"]
    ],
    [
      "a list of Rust",
      "rust",
      "wagon.rs",
      'pub const WAGON_STATES: [&str; 2] = ["loose", "tight"];\n',
      ["wagon_state", "loose", "tight"]
    ],
    [
      "macros of C",
      "c",
      "wagon.h",
      "#define WAGON_STATE_LOOSE 0 /* free */\n#define WAGON_STATE_TIGHT 1\n#define WAGON_STATE_H\n",
      ["WAGON_STATE", "WAGON_STATE_LOOSE", "WAGON_STATE_TIGHT"]
    ],
    [
      "an enumeration of C without a name whose constants begin alike",
      "c",
      "wagon.h",
      "enum {\n  STATE_LOOSE, /* free */\n  STATE_TIGHT = 4,\n};\n",
      ["STATE", "STATE_LOOSE", "STATE_TIGHT"]
    ],
    [
      "the enumeration of one field of a structure of C",
      "c",
      "wagon.h",
      "struct wagon {\n  int load;\n  enum { LOOSE, TIGHT } coupling;\n};\n",
      ["coupling", "LOOSE", "TIGHT"]
    ],
    [
      "a class of Java that has nothing but texts",
      "java",
      "Wagon.java",
      'class Wagon {\n  /** How it is bound. */\n  static class Result {\n    /** Free. */\n    public static final String LOOSE = "loose";\n    public static final String TIGHT = "tight";\n  }\n}\n',
      ["Result", "loose", "tight"]
    ]
  ])("are %s", (_, language, path, text, set) => {
    assert.deepStrictEqual(setsIn(language, path, text), [set])
  })

  it.each<[string, Language, string]>([
    ["a list of some of them", "python", 'FINAL_STATES = ["tight", "gone"]\n'],
    ["a list of other things", "python", "WAGON_STATES = [Loose(), Tight()]\n"],
    [
      "a map of Go to functions",
      "go",
      'package yard\n\nvar handlers = map[string]func(){\n\t"loose": a,\n\t"tight": b,\n}\n'
    ],
    ["what an option for a colour takes", "python", 'shown.add_argument("--colour", choices=["red", "blue"])\n'],
    ["macros of sizes", "c", "#define WAGON_MAX_LOAD 3\n#define WAGON_MAX_LENGTH 4\n"],
    ["constants of C without a name that begin apart", "c", "enum {\n  LOOSE,\n  TIGHT,\n};\n"],
    ["a macro that calls", "c", "#define STATE_OF(x) x\n#define STATE_SET(x) set(x)\n"],
    [
      "a class of Java that keeps something as well",
      "java",
      'class Result {\n  public static final String LOOSE = "loose";\n  public static final String TIGHT = "tight";\n  private int load;\n}\n'
    ],
    ["a list without an end", "javascript", `const states = [\n${'"loose",\n'.repeat(400)}`]
  ])("%s is none", (_, language, text) => {
    assert.deepStrictEqual(setsIn(language, "wagon", text), [])
  })
})

describe("states that a field is set to", () => {
  const ownedIn = (language: Language, path: string, text: string) =>
    statesOf(new SourceFile({ path, text, language }), [], []).map(({ name, owner, values }) => [
      owner,
      name,
      ...values
    ])

  it.each<[string, Language, string, string]>([
    ["JavaScript", "javascript", "wagon.js", "wagon.status = 'loose'\nif (wagon.status === 'tight') {}\n"],
    ["keys in Python", "python", "wagon.py", 'wagon["status"] = "loose"\nif wagon["status"] == "tight":\n    pass\n'],
    ["a hash of Perl", "text", "wagon.pl", "$wagon->{status} = 'loose';\nexit if $wagon->{status} eq 'tight';\n"]
  ])("%s", (_, language, path, text) => {
    assert.deepStrictEqual(ownedIn(language, path, text), [["wagon", "status", "loose", "tight"]])
  })

  it("are none where they are only compared, where there is one, and where an answer has them", () => {
    assert.isEmpty(ownedIn("javascript", "a.js", "use(wagon.status === 'loose' || wagon.status === 'tight')\n"))
    assert.isEmpty(ownedIn("javascript", "a.js", "wagon.status = 'loose'\n"))
    assert.isEmpty(ownedIn("javascript", "a.js", "response.status = 'loose'\nuse(response.status === 'tight')\n"))
    assert.isEmpty(ownedIn("typescript", "a.ts", "wagon.status = 'loose'\nuse(wagon.status === 'tight')\n"))
  })
})
