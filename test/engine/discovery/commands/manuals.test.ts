import { assert, describe, it } from "vitest"
import { manualText } from "../../../../src/engine/discovery/commands/manuals/manualPage.ts"
import { synopsisOf } from "../../../../src/engine/discovery/commands/manuals/synopses.ts"
import { commandsOf } from "../../../../src/engine/discovery/commands.ts"
import { type Observed } from "../../../../src/engine/discovery/Observed.ts"
import { surveyOf } from "../../../support/survey.ts"

const runsIn = (texts: Readonly<Record<string, string>>, observed: Readonly<Record<string, Partial<Observed>>> = {}) =>
  commandsOf(surveyOf(texts, observed))
    .filter(({ purpose, origin }) => purpose === "run" && origin !== "convention")
    .map(({ command }) => command)

const page =
  ".TH KETTLE 1\n.SH NAME\nkettle \\- boils\n.SH SYNOPSIS\n.B kettle\n[\\fI\\,options\\/\\fR] \\fIfile\\fR\n.SH DESCRIPTION\n"
const built = { "meson.build": "project('kettle', 'c')\nexecutable('kettle', 'a.c')\n" }
const withPage = (text: string) => ({ "kettle.1": { text } })

describe("The synopsis of a manual page", () => {
  it("is read from the macros of `man` and `mdoc`, Markdown, AsciiDoc and POD, its first form alone", () => {
    const forms: ReadonlyArray<readonly [text: string, expected: string]> = [
      [page, "kettle [options] file"],
      [".Sh SYNOPSIS\n.Nm\n.Op Fl v\n.Op Fl o Ar file\n.Ar pot\n.Sh DESCRIPTION\n", "kettle [-v] [-o file] pot"],
      [".Sh SYNOPSIS\n.Nm\n.Op Fl C \\(ba Fl S\n.Ic command\n.Sh DESCRIPTION\n", "kettle [-C | -S] command"],
      ["# SYNOPSIS\n\n**kettle** [ *OPTIONS* ]\n\n# OPTIONS\n", "kettle [ OPTIONS ]"],
      ["== SYNOPSIS\n\n*kettle* [_OPTION_]\n\n== OPTIONS\n", "kettle [OPTION]"],
      ["=head1 SYNOPSIS\n\n  kettle B<-v> I<pot>\n  kettle --help\n\n=head1 NAME\n", "kettle -v pot"]
    ]
    for (const [text, expected] of forms) assert.strictEqual(synopsisOf(text, "kettle")?.text, expected)
    assert.isNull(synopsisOf("# SYNOPSIS\n\n#include <kettle.h>\n", "kettle"))
    assert.isNull(synopsisOf("# OVERVIEW\n\nkettle pot\n", "kettle"))
  })

  it("says how the program is run where no other document does", () => {
    assert.deepStrictEqual(runsIn(built, withPage(page)), ["kettle [options] file"])
    const readme = { "README.md": "```\nkettle --port 80\n```\n" }
    assert.deepStrictEqual(runsIn({ ...built, ...readme }, withPage(page)), ["kettle --port 80"])
  })

  it("says nothing where several programs have pages and none has the product's name", () => {
    const programs = { "Makefile.am": "bin_PROGRAMS = lid\nsbin_PROGRAMS = spout\n" }
    const pages = Object.fromEntries(
      ["lid", "spout"].map((name) => [`${name}.1`, { text: page.replaceAll("kettle", name) }])
    )
    assert.deepStrictEqual(runsIn(programs, pages), [])
  })

  it("of a file only what may hold one is kept", () => {
    assert.strictEqual(manualText("man/kettle.1", page), page)
    assert.lengthOf(manualText("kettle.8.in", "x".repeat(20_000)) ?? "", 8 * 1024)
    assert.isNull(manualText("lib/kettle.3", page))
    assert.isNull(manualText("bin/kettle", "#!/bin/sh\n"))
    assert.isNotNull(manualText("bin/kettle", "#!/usr/bin/perl\n\n=head1 SYNOPSIS\n\n kettle\n"))
  })
})

describe("Programs that sentences start", () => {
  const own = { "Cargo.toml": '[package]\nname = "git-boil"\n\n[[bin]]\nname = "git-boil"\n' }

  it("one word is a command where it is the repository's program and the sentence says to run it", () => {
    assert.deepStrictEqual(runsIn({ ...built, "README.md": "You can call `kettle` whenever you need it.\n" }), [
      "kettle"
    ])
    assert.deepStrictEqual(
      runsIn({ ...built, "README.md": "Start it as root, or `kettle` fails. See `lid`.\n" }).length,
      1
    )
    assert.deepStrictEqual(runsIn({ ...built, "README.md": "The name `kettle` is old. Run `lid` first.\n" }), [])
  })

  it("Git starts a program as a word of its own", () => {
    assert.deepStrictEqual(runsIn({ ...own, "README.md": "```\ngit add a.c\ngit boil --hot\n```\n" }), [
      "git boil --hot"
    ])
  })

  it("what starts the product comes before what asks it for a part, or prepares it", () => {
    const readme = "```\nkettle new-pot tea\nkettle list-pots\nkettle serve\n```\n"
    assert.deepStrictEqual(runsIn({ ...built, "README.md": readme }), ["kettle serve", "kettle list-pots"])
  })
})
