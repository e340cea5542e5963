import { ruleSet } from "../../core/tool/AuditTool.ts"

const rootUser =
  "A process that is broken into as root may write every file of the image and of mounted volumes, install " +
  "programs, and is one kernel or runtime bug away from the host. Create a user in the final stage, give it the " +
  "directories it writes to, and switch with `USER` (in Kubernetes `runAsNonRoot: true`) before the program starts."

const secretInImage =
  "What an `ENV`, an `ARG` or a copied file puts into a layer stays there: everyone who can pull the image reads " +
  "it with `docker history` or by unpacking it, also after a later layer deleted it. Pass run-time secrets when " +
  "the container starts, use `RUN --mount=type=secret` for those of the build, and change the ones that leaked."

const privilegedContainer =
  "`privileged` and capabilities such as `SYS_ADMIN` switch off what separates the container from the machine: its " +
  "processes can mount the host's disks and load kernel modules. Drop all capabilities and add back the few that " +
  "are needed, or pass the single device."

const hostAccess =
  "The runtime's socket, the host's system directories and its process or network space are ways out of the " +
  "container: with the socket alone one starts a container that owns the machine. Use named volumes and " +
  "published ports; where a tool must talk to the runtime, put a filtering proxy in front of the socket."

const privilegeEscalation =
  "`allowPrivilegeEscalation: true` lets a set-uid program in the container turn an ordinary user into root. Set it " +
  "to `false`; ordinary services never notice."

export const rules = ruleSet({
  root_user: {
    languages: ["dockerfile", "yaml"],
    title: "Container runs as root",
    description: rootUser,
    cwe: [250],
    confidence: 0.85,
    effort: "small",
    risk: "medium",
    priority: "P2"
  },
  root_server: {
    languages: ["dockerfile"],
    title: "Container runs as root: server with workers of another user",
    description:
      "An attacker who breaks into the main process of the server may write every file of the image and of mounted volumes. " +
      "Servers such as nginx start as root and hand requests to workers that are not, and the image sets no `USER`. Use the " +
      "unprivileged variant of the image and a port above 1024.",
    cwe: [250],
    confidence: 0.85,
    effort: "small",
    risk: "medium",
    priority: "P3"
  },
  root_user_allowed: {
    languages: ["yaml"],
    title: "Container may run as root (runAsNonRoot: false)",
    description: rootUser,
    cwe: [250],
    confidence: 0.85,
    effort: "small",
    risk: "medium",
    priority: "P3"
  },
  root_user_agent: {
    languages: ["yaml"],
    title: "Container of a node agent runs as root",
    description: rootUser,
    cwe: [250],
    confidence: 0.6,
    effort: "small",
    risk: "medium",
    priority: "P3"
  },
  unpinned_image: {
    languages: ["dockerfile", "yaml"],
    title: "Unpinned base image",
    description:
      "`latest`, or no tag, is another image after every release: two builds of the same commit differ, a roll-back " +
      "brings back code but not its base, and a compromised release arrives by itself. Name a version, or better a " +
      "digest, and let a bot propose updates.",
    cwe: [1357],
    confidence: 0.88,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  secret_in_image: {
    languages: ["dockerfile"],
    title: "Secret in a container image layer",
    description: secretInImage,
    cwe: [798, 538],
    confidence: 0.85,
    effort: "small",
    risk: "medium",
    priority: "P1"
  },
  secret_file_in_image: {
    languages: ["dockerfile"],
    title: "Secret file copied into a container image",
    description: secretInImage,
    cwe: [798, 538],
    confidence: 0.78,
    effort: "small",
    risk: "medium",
    priority: "P1"
  },
  secret_build_argument: {
    languages: ["dockerfile"],
    title: "Secret in a build argument (ARG) of a container image",
    description: secretInImage,
    cwe: [538],
    confidence: 0.75,
    effort: "small",
    risk: "medium",
    priority: "P2"
  },
  default_password_in_image: {
    languages: ["dockerfile"],
    title: "Default password in a container image",
    description:
      "An attacker logs in with the first password that is tried: it is in every list of defaults. The image sets it with " +
      "`ENV`, so every container that is started without another value accepts it. Leave the variable out and let the start " +
      "script end with an error while it has no value.",
    cwe: [1392, 798],
    confidence: 0.72,
    effort: "small",
    risk: "medium",
    priority: "P3"
  },
  hardcoded_credential: {
    languages: ["yaml"],
    title: "Hard-coded credential in a deployment file",
    description:
      "Anyone who can read the repository, now or in its history, can log in with it, and it cannot be changed without a " +
      "commit. Refer to a secret (`secretKeyRef`, an `env_file` outside the repository, a variable), and change the " +
      "value that was published.",
    cwe: [798],
    confidence: 0.8,
    effort: "small",
    risk: "medium",
    priority: "P2"
  },
  remote_add: {
    languages: ["dockerfile"],
    title: "ADD of a remote file without a checksum",
    description:
      "What the server answers on the day of the build becomes part of the image; a changed or hijacked download goes " +
      "unnoticed. Add `--checksum=sha256:…`, or download with `curl -f` and compare a checksum in the same `RUN`.",
    cwe: [494],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  remote_script: {
    languages: ["dockerfile"],
    title: "Remote script piped to a shell in an image build",
    description:
      "What the server answers on the day of the build runs as root in the image, and nothing notices when it is " +
      "another script than last time. Install a package of a fixed version, or download the script, compare its " +
      "checksum and then run it.",
    cwe: [494],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  remote_script_over_http: {
    languages: ["dockerfile"],
    title: "Remote script over HTTP piped to a shell in an image build",
    description:
      "Anyone on the network path decides which commands run as root in the image. The script is downloaded over plain HTTP, " +
      "which anyone can change on the way, and is run without a look at it. Install a package of a fixed version, or download " +
      "the script over HTTPS, compare its checksum and then run it.",
    cwe: [494, 319],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  world_writable: {
    languages: ["dockerfile"],
    title: "World-writable files in an image (chmod 777)",
    description:
      "With mode 777 any process in the container, also one that was broken into under another user, can replace " +
      "programs and configuration. Give the files to the user that writes them (`COPY --chown`, `chown`) and keep " +
      "755 or 644.",
    cwe: [732],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  sudo: {
    languages: ["dockerfile"],
    title: "Passwordless sudo in an image",
    description:
      "`sudo` without a password makes a `USER` line worthless: who gets into the container is root one word later. " +
      "Do what needs root before the `USER` line, and leave `sudo` out of the image.",
    cwe: [250],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  apt_leftovers: {
    languages: ["dockerfile"],
    kind: "suggestion",
    title: "apt-get without --no-install-recommends or cache clean-up",
    description:
      "Recommended packages no one asked for and the package lists stay in the layer: the image is larger and has " +
      "more programs that need security updates. Use `apt-get install --no-install-recommends` and remove " +
      "`/var/lib/apt/lists/*` in the same `RUN`.",
    cwe: [],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  privileged: {
    languages: ["yaml"],
    title: "Privileged container or dangerous capability",
    description: privilegedContainer,
    cwe: [250],
    confidence: 0.85,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  },
  privileged_agent: {
    languages: ["yaml"],
    title: "Privileged container of a node agent",
    description: privilegedContainer,
    cwe: [250],
    confidence: 0.6,
    effort: "medium",
    risk: "medium",
    priority: "P3"
  },
  host_access: {
    languages: ["yaml"],
    title: "Container escape: access to the host's socket, paths or namespaces",
    description: hostAccess,
    cwe: [250, 668],
    confidence: 0.85,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  },
  host_namespace: {
    languages: ["yaml"],
    title: "Container shares the host's network or IPC namespace",
    description:
      "A container that is broken into reaches every port of the machine, those bound to localhost included, or reads the " +
      "shared memory of its processes. The service shares the host's network or IPC namespace. Publish the ports that are " +
      "needed and leave the namespaces apart.",
    cwe: [668],
    confidence: 0.85,
    effort: "medium",
    risk: "medium",
    priority: "P3"
  },
  host_access_agent: {
    languages: ["yaml"],
    title: "Node agent with access to the host's socket, paths or namespaces",
    description: hostAccess,
    cwe: [250, 668],
    confidence: 0.6,
    effort: "medium",
    risk: "medium",
    priority: "P3"
  },
  privilege_escalation: {
    languages: ["yaml"],
    title: "Privilege escalation allowed (allowPrivilegeEscalation)",
    description: privilegeEscalation,
    cwe: [250],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  privilege_escalation_agent: {
    languages: ["yaml"],
    title: "Privilege escalation allowed in a node agent",
    description: privilegeEscalation,
    cwe: [250],
    confidence: 0.6,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  no_limits: {
    languages: ["yaml"],
    title: "Missing memory limit of a workload",
    description:
      "A leak or a burst of requests takes the memory of the whole node, and the kernel then kills whatever it picks, " +
      "often a neighbour. Set `resources.requests` from what the workload uses and `resources.limits.memory` above it.",
    cwe: [770],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P3"
  }
})

export type RuleId = keyof typeof rules
