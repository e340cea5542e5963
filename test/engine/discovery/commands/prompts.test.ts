import { assert, describe, it } from "vitest"
import { isPrompted, withoutPrompt } from "../../../../src/engine/discovery/commands/sentences/prompts.ts"
import { shellIn } from "../../../../src/engine/discovery/commands/shellIn.ts"

const linesIn = (text: string) => shellIn(text).map((one) => one.text)

describe("Prompts", () => {
  it("of every form are off", () => {
    for (const line of [
      "$ make",
      "% make",
      "> make",
      "# make",
      "❯ make",
      "(venv) $ make",
      "(venv) kim@till:~/shop$ make",
      "(.venv)$ make",
      "kim@till:~/shop$ make",
      "root@till:/# make",
      "[kim@till shop]$ make",
      "~/shop$ make",
      "~$ make",
      "bash-5.1$ make",
      "sh-5.1# make",
      "till% make",
      "PS C:\\shop> make",
      "C:\\shop> make"
    ])
      assert.strictEqual(withoutPrompt(line), "make", line)
    assert.strictEqual(withoutPrompt("$npm install"), "npm install")
  })

  it("are no variable, no remark and no amount", () => {
    for (const line of [
      "$HOME/bin/kettle",
      "$make",
      "(optional) make",
      "make -C $DIR all",
      "100% sure",
      "kim@till.example"
    ])
      assert.strictEqual(withoutPrompt(line), line)
    assert.isTrue(isPrompted("$ ./boil"))
    assert.isFalse(isPrompted("$ 5 a cup"))
    assert.isFalse(isPrompted("% make tea: a comment"))
  })

  it("mark a command in a sentence, in a block of another language, and in a line by itself", () => {
    assert.deepStrictEqual(linesIn("Then run `$ npm start` and wait.\n"), ["npm start"])
    assert.deepStrictEqual(linesIn("```erlang\n$ erl -pa ebin/\n1> kettle:boil().\n```\n"), ["erl -pa ebin/"])
    assert.deepStrictEqual(linesIn("Boil:\n\n$ kettle --hot\n"), ["kettle --hot"])
    assert.deepStrictEqual(linesIn("It costs\n\n$ 5 a cup\n"), [])
  })
})

describe("A paragraph that is nothing but a command", () => {
  it("is one, where the same words within a sentence only mention it", () => {
    const sentencesOf = (text: string) => shellIn(text).map((one) => one.before)
    assert.deepStrictEqual(sentencesOf("## Running\n\n`kettle --config tea.js`\n\n"), [null])
    assert.deepStrictEqual(sentencesOf("## Running\n\n`kettle --config tea.js`\nis for experts.\n"), [""])
  })
})
