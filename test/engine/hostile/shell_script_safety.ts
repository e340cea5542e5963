import { filled, type WorstCase } from "../../support/worstCase.ts"

export const worstCases: ReadonlyArray<WorstCase> = [
  { rules: ["removal_with_unset_variable"], path: "a.sh", text: (size) => filled(size, 'rm -rf "$A/"*\n') },
  { rules: ["removal_of_unquoted_argument"], path: "b.sh", text: (size) => filled(size, " $1/$A", ["rm -rf", ""]) },
  { rules: ["removal_with_unset_variable"], path: "c.sh", text: (size) => filled(size, "$A", ["rm -rf ", ""]) },
  { rules: ["removal_after_unchecked_cd"], path: "d.sh", text: (size) => filled(size, "cd a\nls\n", ["", "rm -rf *"]) },
  { rules: ["eval_of_arguments"], path: "e.sh", text: (size) => filled(size, "eval $(( `${") },
  { rules: ["eval_of_arguments"], path: "f.sh", text: (size) => filled(size, ' "$1"', ["eval", ""]) },
  { rules: ["predictable_temp_file"], path: "g.sh", text: (size) => filled(size, "a > /tmp/a.$$ <<A\n") },
  { rules: ["predictable_temp_file"], path: "h.sh", text: (size) => filled(size, "$$", ["A=/tmp/", ""]) },
  { rules: ["writable_by_everybody"], path: "i.sh", text: (size) => filled(size, "chmod 777 a\n") },
  { rules: ["remote_script"], path: "j.sh", text: (size) => filled(size, "curl a | ") },
  { rules: ["remote_script_over_http"], path: "n.sh", text: (size) => filled(size, "curl http://a.b/c | ") },
  {
    rules: ["host_key_not_checked"],
    path: "k.sh",
    text: (size) => filled(size, "ssh -o StrictHostKeyChecking=no a\n")
  },
  {
    rules: ["password_on_command_line"],
    path: "l.sh",
    text: (size) => filled(size, "echo a | sudo -S a\nsshpass -p a\n")
  },
  { rules: ["password_on_command_line"], path: "m.sh", text: (size) => filled(size, "'\"\\", ["sshpass -p ", ""]) }
]
