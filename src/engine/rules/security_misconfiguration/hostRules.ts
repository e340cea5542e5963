import { ruleSet } from "../../core/tool/AuditTool.ts"

/** What a program opens to other accounts of its machine, or to its network. */
export const hostRules = ruleSet({
  world_writable: {
    languages: ["go", "javascript", "php", "python", "ruby"],
    title: "Insecure file permissions: writable by everyone",
    description:
      "Any account of the machine, a compromised service for example, changes the files that this program relies on. They " +
      "are created or changed with permissions that let others write. Grant write access to the owner only (0600, 0700 or " +
      "0755 for folders).",
    example: {
      path: "app/store.py",
      bad: `import os


def publish(path):
    os.chmod(path, 0o777)
`,
      good: `import os


def publish(path):
    os.chmod(path, 0o755)
`
    },
    cwe: [732, 276],
    confidence: 0.72,
    effort: "small",
    risk: "low"
  },
  predictable_temporary_file: {
    languages: ["go", "java", "javascript", "php", "python", "ruby"],
    title: "Insecure temporary file: predictable name",
    description:
      "Another account of the machine creates the file or a link first, and so reads or redirects what is written. The name " +
      "of the temporary file is known in advance. Create it with the system's function that opens a new file under a random " +
      "name.",
    example: {
      path: "app/export.py",
      bad: `def export(rows):
    with open("/tmp/export.csv", "w") as stream:
        stream.writelines(rows)
`,
      good: `import tempfile


def export(rows):
    with tempfile.NamedTemporaryFile("w", delete=False) as stream:
        stream.writelines(rows)
`
    },
    cwe: [377, 379],
    confidence: 0.65,
    effort: "small",
    risk: "low"
  },
  all_interfaces: {
    languages: ["go", "java", "javascript", "python"],
    title: "Network exposure: listens on all interfaces",
    description:
      "Anyone who reaches the machine over any of its networks reaches this service. It listens on every interface, because " +
      "the address is a literal. Take the address from the settings, and listen on the loopback interface by default.",
    example: {
      path: "app/server.py",
      bad: `import socket

listener = socket.create_server
server = socket.socket()
server.bind(("0.0.0.0", 9000))
`,
      good: `import socket

server = socket.socket()
server.bind(("127.0.0.1", 9000))
`
    },
    cwe: [605, 668],
    confidence: 0.52,
    priority: "P3",
    effort: "small",
    risk: "low"
  }
})
