import { assert, describe, it } from "vitest"
import type { SourceFile } from "../../../../src/engine/core/files/SourceFile.ts"
import { askedArguments } from "../../../../src/engine/discovery/observers/askedArguments.ts"

const asked = (language: string, text: string, role = "source") =>
  askedArguments({ language, text, role } as unknown as SourceFile)

describe("What a program must be given", () => {
  it("C and C++ end where they count too few arguments, and not where they only count them", () => {
    const main = (body: string) => `int main(int argc, char **argv) {\n${body}\n}\n`
    assert.strictEqual(asked("c", main("  if (argc < 2) {\n    usage();\n  }")), "arguments")
    assert.strictEqual(asked("cpp", main("  if (argc != 3)\n    return help();")), "arguments")
    assert.strictEqual(asked("c", main("  if (argc > 1) { usage(); }")), "")
    assert.strictEqual(asked("c", main("  if (argc < 2) {\n    boil(stdin);\n  }")), "")
    assert.strictEqual(asked("c", main("  if (argc < 2) { in = stdin; }\n  return 0;")), "")
    assert.strictEqual(asked("c", main("  if (argc < 2)\n    return boil();\n  exit(1);")), "")
    assert.strictEqual(asked("c", main("  if (argc > 1) {\n    if (argc != 4) { usage(); }\n  }")), "")
    assert.strictEqual(asked("c", "int tea(int argc, char **argv) {\n  if (argc < 2) { usage(); }\n}"), "")
    assert.strictEqual(asked("c", main("  if (argc < 2) { usage(); }"), "test"), "")
  })

  it("a parser of clap with a subcommand asks for one, unless it is optional or has a default", () => {
    const parser = (fields: string) =>
      `#[derive(Debug, Parser)]\n#[command(version)]\npub struct Kettle {\n${fields}\n}\n`
    assert.strictEqual(asked("rust", parser("  #[command(subcommand)]\n  command: Commands,")), "command")
    assert.strictEqual(asked("rust", parser("  #[command(subcommand)]\n  command: Option<Commands>,")), "")
    assert.strictEqual(
      asked("rust", parser('  /// The cup.\n  #[arg(value_name = "CUP")]\n  cup: PathBuf,')),
      "arguments"
    )
    assert.strictEqual(asked("rust", parser("  #[arg(short, long)]\n  cup: PathBuf,")), "")
    assert.strictEqual(asked("rust", parser('  #[arg(default_value = "a")]\n  cup: PathBuf,')), "")
    assert.strictEqual(asked("rust", parser('  #[arg(value_name = "CUP")]\n  cups: Vec<PathBuf>,')), "")
    assert.strictEqual(asked("rust", 'Command::new("kettle").subcommand_required(true)'), "command")
  })

  it("Kong and Cobra ask for a command where the root does nothing by itself", () => {
    const kong = (tag: string) => `kong.Parse(&cli)\nvar cli struct {\n  Boil Boil \`cmd:"" ${tag}\`\n}`
    assert.strictEqual(asked("go", kong('help:"Boil."')), "command")
    assert.strictEqual(asked("go", kong('default:"1"')), "")
    const cobra = (fields: string) =>
      `var root = &cobra.Command{\n  Use: "kettle",\n${fields}}\nfunc Execute() { root.Execute() }\n`
    assert.strictEqual(asked("go", cobra("")), "command")
    assert.strictEqual(asked("go", cobra("  Run: func(cmd *cobra.Command, args []string) { boil() },\n")), "")
    assert.strictEqual(asked("go", 'var boil = &cobra.Command{\n  Use: "boil",\n}\n'), "")
    assert.strictEqual(asked("go", "func main() {\n\tif flag.NArg() < 1 {\n\t\tflag.Usage()\n\t}\n}\n"), "arguments")
  })

  it("Python asks for positionals that may not be left out and for required commands", () => {
    assert.strictEqual(asked("python", 'p.add_argument("cup")\np.parse_args()'), "arguments")
    assert.strictEqual(asked("python", 'p.add_argument("cup", nargs="?")\np.parse_args()'), "")
    assert.strictEqual(asked("python", 'p.add_argument("--cup")\np.parse_args()'), "")
    assert.strictEqual(asked("python", 'p.add_subparsers(dest="command", required=True)'), "command")
    assert.strictEqual(asked("python", 'p.add_subparsers(dest="command")\nx.add_argument("cup")\np.parse_args()'), "")
    assert.strictEqual(
      asked("python", "p.add_subparsers()\nif not hasattr(args, 'func'):\n    p.print_help()\n"),
      "command"
    )
    assert.strictEqual(asked("python", "@click.group()\ndef main(): pass"), "command")
    assert.strictEqual(asked("python", "@click.group(invoke_without_command=True)\ndef main(): pass"), "")
  })

  it("Node, Java and Ruby end where nothing was given", () => {
    assert.strictEqual(asked("javascript", "if (process.argv.length < 3) {\n  console.error(usage)\n}"), "arguments")
    assert.strictEqual(asked("javascript", "yargs.demandCommand(1)"), "command")
    assert.strictEqual(
      asked("java", "public static void main(String[] args) {\n  if (args.length == 0) { printUsage(); }\n}"),
      "arguments"
    )
    assert.strictEqual(asked("ruby", "if ARGV.empty?\n  puts usage\nend"), "arguments")
    assert.strictEqual(asked("javascript", "const rest = process.argv.slice(2)"), "")
  })

  it("a program of Commander has commands, and neither an action of its own nor another way where it was given nothing", () => {
    const program = (text: string) =>
      asked("javascript", `const { program } = require("commander")\n${text}\nprogram.parse()\n`)
    const boil = 'program.command("boil").action(() => boil())'
    assert.strictEqual(program(boil), "command")
    assert.strictEqual(program(`${boil}\nif (!program.args.length) program.help()`), "command")
    assert.strictEqual(program(`program.argument("<cup>").action(pour)\n${boil}`), "")
    assert.strictEqual(program(`${boil}\nprogram.action(() => pour())`), "")
    assert.strictEqual(program(`${boil}\nif (!process.argv.slice(2).length) choose()`), "")
    assert.strictEqual(program('program.command("boil", { isDefault: true }).action(boil)'), "")
    assert.strictEqual(program("program.option('-a').action(boil)"), "")
    assert.strictEqual(asked("javascript", boil), "")
  })

  it("Kingpin, Fisk and urfave/cli ask for a command where none is the usual one", () => {
    assert.strictEqual(asked("go", 'app := fisk.New("kettle", "")\napp.MustParseWithUsage(os.Args[1:])'), "command")
    assert.strictEqual(asked("go", 'app := kingpin.New("kettle", "")\napp.Command("boil", "")'), "command")
    assert.strictEqual(asked("go", 'app := kingpin.New("kettle", "")\napp.Command("boil", "").Default()'), "")
    assert.strictEqual(asked("go", 'app := kingpin.New("kettle", "")\napp.Flag("boil", "")'), "")
    const app = (rest: string) => `app := &cli.App{\n  Commands: all(),\n${rest}}\n`
    assert.strictEqual(asked("go", app("")), "command")
    assert.strictEqual(asked("go", app("  Action: boil,\n")), "")
    assert.strictEqual(asked("go", `${app("")}app.Action = boil\n`), "")
  })
})
