import { filled, type WorstCase } from "../../support/worstCase.ts"

const express =
  'const { exec, spawn, execFile } = require("child_process")\napp.get("/", (req, res) => {\nlet a = req.query.a\n'

const handler = (unit: string, last: string) => (size: number) => filled(size, unit, [express, `${last}})\n`])

const rules = ["untrusted_command"]

export const worstCases: ReadonlyArray<WorstCase> = [
  { rules, path: "server/sinks.js", text: handler('exec("ls " + a)\n', "") },
  {
    rules,
    path: "server/checks.js",
    text: handler('if (["a", "b"].includes(a) && /^[a-z]+$/.test(a)) { exec("ls " + a) }\n', "")
  },
  {
    rules,
    path: "server/conditions.js",
    text: (size) => filled(size, '["a"].includes(a) || ', [`${express}if (`, 'a) exec("ls " + a)\n})\n'])
  },
  {
    rules,
    path: "server/pattern.js",
    text: (size) => filled(size, "(a|", [`${express}if (/^`, '$/.test(a)) exec("ls " + a)\n})\n'])
  },
  {
    rules,
    path: "app/controllers/a_controller.rb",
    text: (size) =>
      filled(size, "`ls #{params[:a]}`\n", ["class AController < ApplicationController\ndef x\n", "end\nend\n"])
  },
  {
    rules,
    path: "app/controllers/open_controller.rb",
    text: (size) => filled(size, "%x(", ["class AController < ApplicationController\ndef x\nsystem(params[:a])\n", ""])
  },
  {
    rules,
    path: "Web/AController.cs",
    text: (size) =>
      filled(size, 'new ProcessStartInfo { FileName = "sh", Arguments = "-c " + name };\n', [
        "class AController : Controller {\npublic void X(string name) {\n",
        "} }\n"
      ])
  },
  {
    rules,
    path: "Web/Nested.cs",
    text: (size) =>
      filled(size, "new List<string> { ", [
        "class AController : Controller {\npublic void X(string name) {\nProcess.Start(name);\nvar x = ",
        ""
      ])
  },
  {
    rules: ["untrusted_program"],
    path: "server/program.js",
    text: handler("spawn(req.query.tool, [])\n", "")
  },
  {
    rules: ["argument_injection"],
    path: "server/arguments.js",
    text: handler('execFile("git", ["log", req.query.a, "x", req.query.b])\n', "")
  },
  {
    rules: ["built_command"],
    path: "src/tool.ts",
    text: (size) =>
      filled(size, 'export const f = (a: string) => exec("ls " + a)\n', [
        'import { exec } from "node:child_process"\n',
        ""
      ])
  },
  {
    rules: ["built_command_php"],
    path: "lib/tool.php",
    text: (size) => filled(size, 'function f($a) { exec("ls " . $a); }\n', ["<?php\n", ""])
  },
  {
    rules: ["built_command"],
    path: "lib/tool.rb",
    text: (size) => filled(size, 'def f(a)\nsystem("ls #{a}")\nend\n', ["class T\n", "end\n"])
  },
  {
    rules: ["built_command", "untrusted_command"],
    path: "src/commands.c",
    text: (size) =>
      filled(size, `int f(char *a) {\nchar b[8];\n${"strcat(b, a); strcat(b, b); system(b);\n".repeat(200)}}\n`)
  }
]
