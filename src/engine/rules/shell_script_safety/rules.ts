import { ruleSet } from "../../core/tool/AuditTool.ts"

const small = { effort: "small", risk: "low" } as const

export const rules = ruleSet({
  removal_with_unset_variable: {
    languages: ["shell", "yaml"],
    title: "rm -rf with an unset variable",
    description:
      'A misspelled or missing variable expands to nothing without a word, and `rm -rf "$DIR/"*` becomes ' +
      "`rm -rf /*`. Expand it with `:?`, which ends the script when there is no value, or set `-u` at its top.",
    example: {
      path: "clean.sh",
      bad: `#!/bin/sh
rm -rf "$BUILD_DIR/"*
`,
      good: `#!/bin/sh
rm -rf "\${BUILD_DIR:?}/"*
`
    },
    cwe: [78],
    confidence: 0.85,
    priority: "P1",
    ...small
  },
  removal_of_unquoted_argument: {
    languages: ["shell"],
    title: "Unquoted variable in rm (word splitting and globbing)",
    description:
      "Without quotes the shell splits the value at spaces and expands `*` and `?` in it, so that `my file` " +
      'removes `my` and `file`. Quote it: `rm -rf -- "$1"`.',
    example: {
      path: "clean.sh",
      bad: `#!/bin/sh
rm -rf $1
`,
      good: `#!/bin/sh
rm -rf -- "$1"
`
    },
    cwe: [88],
    confidence: 0.6,
    priority: "P2",
    ...small
  },
  removal_after_unchecked_cd: {
    languages: ["shell"],
    title: "rm after an unchecked cd",
    description:
      "`cd` may fail, because the folder is missing, not readable or misspelled, and the script goes on " +
      "where it was. Write `cd \u2026 || exit 1`, set `-e` at the top, or name the full path in `rm`.",
    example: {
      path: "clean.sh",
      bad: `#!/bin/sh
cd build
rm -rf *
`,
      good: `#!/bin/sh
cd build || exit 1
rm -rf *
`
    },
    cwe: [252],
    confidence: 0.85,
    priority: "P2",
    ...small
  },
  eval_of_arguments: {
    languages: ["shell"],
    title: "Code injection: eval of arguments",
    description:
      "`eval` joins its arguments and parses the result again: a space, a quote or a `$(\u2026)` in any of them " +
      'becomes code. Run the arguments as they are with `"$@"`, and keep commands that are built up in an ' +
      "array.",
    example: {
      path: "run.sh",
      bad: `#!/bin/sh
eval "$@"
`,
      good: `#!/bin/sh
"$@"
`
    },
    cwe: [78],
    confidence: 0.6,
    priority: "P2",
    ...small
  },
  predictable_temp_file: {
    languages: ["shell"],
    title: "Insecure temporary file: predictable name",
    description:
      "`/tmp` belongs to everyone. Anyone who creates a link of this name first makes the script overwrite a " +
      "file of its user; two runs at once overwrite each other. Use `mktemp`, and remove the file in a " +
      "`trap`.",
    example: {
      path: "list.sh",
      bad: `#!/bin/sh
ls > /tmp/list.$$
`,
      good: `#!/bin/sh
list=$(mktemp)
ls > "$list"
`
    },
    cwe: [377],
    confidence: 0.66,
    priority: "P3",
    ...small
  },
  writable_by_everybody: {
    languages: ["shell"],
    title: "World-writable file (chmod 777)",
    description:
      "Any process on the machine, a broken web server for instance, can change these files, and where they " +
      "are code what it writes is run. Give them to the user or the group that needs them, and 755 or 644 " +
      "to the rest.",
    example: {
      path: "install.sh",
      bad: `#!/bin/sh
chmod -R 777 /var/www/uploads
`,
      good: `#!/bin/sh
chown -R www-data /var/www/uploads
chmod -R 755 /var/www/uploads
`
    },
    cwe: [732],
    confidence: 0.62,
    priority: "P2",
    ...small
  },
  remote_script: {
    languages: ["shell"],
    title: "Remote script piped to a shell",
    description:
      "What the server answers at that moment runs with this user's rights: a taken-over account, a changed " +
      "branch or a connection that broke half-way are enough. Download a fixed version, compare its " +
      "checksum, then run it.",
    example: {
      path: "install.sh",
      bad: `#!/bin/sh
curl -fsSL https://example.com/install.sh | sh
`,
      good: `#!/bin/sh
curl -fsSLo install.sh https://example.com/1.4.2/install.sh
sha256sum -c install.sh.sha256
sh install.sh
`
    },
    cwe: [494],
    confidence: 0.6,
    priority: "P3",
    ...small
  },
  remote_script_over_http: {
    languages: ["shell"],
    title: "Remote script over HTTP piped to a shell",
    description:
      "Anyone on the network path decides which commands run with this user's rights. The script is downloaded over " +
      "plain HTTP, which anyone can change on the way, and is run without a look at it. Download a fixed version over " +
      "HTTPS, compare its checksum, then run it.",
    example: {
      path: "install.sh",
      bad: `#!/bin/sh
curl -fsSL http://example.com/install.sh | sh
`,
      good: `#!/bin/sh
curl -fsSLo install.sh https://example.com/1.4.2/install.sh
sha256sum -c install.sh.sha256
sh install.sh
`
    },
    cwe: [494, 319],
    confidence: 0.6,
    priority: "P2",
    ...small
  },
  host_key_not_checked: {
    languages: ["shell", "yaml"],
    title: "Disabled SSH host key verification",
    description:
      "Without a look at the host's key anyone on the way can answer in its place, read what is sent and " +
      "hand out what is fetched. Add the key to `known_hosts` beforehand; where that is impossible, " +
      "`accept-new` at least notices a change.",
    example: {
      path: "deploy.sh",
      bad: `#!/bin/sh
ssh -o StrictHostKeyChecking=no deploy@example.com uptime
`,
      good: `#!/bin/sh
ssh -o UserKnownHostsFile=known_hosts deploy@example.com uptime
`
    },
    cwe: [295],
    confidence: 0.82,
    priority: "P2",
    ...small
  },
  password_on_command_line: {
    languages: ["shell", "yaml"],
    title: "Password on the command line",
    description:
      "Command lines are readable by every user of the machine, are kept in histories and printed by `set " +
      "-x`. Let `sudo` do without a password for the one command, use keys for ssh, or read the password " +
      "from a file that only this user can read.",
    example: {
      path: "deploy.sh",
      bad: `#!/bin/sh
sshpass -p "$PASSWORD" ssh deploy@example.com uptime
`,
      good: `#!/bin/sh
ssh -i deploy_key deploy@example.com uptime
`
    },
    cwe: [214],
    confidence: 0.62,
    priority: "P2",
    ...small
  }
})

export type RuleId = keyof typeof rules
