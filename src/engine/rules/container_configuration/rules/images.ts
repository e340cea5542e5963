import { ruleSet } from "../../../core/tool/AuditTool.ts"

/** What an image is made of. */
export const imageRules = ruleSet({
  unpinned_image: {
    languages: ["dockerfile", "yaml"],
    title: "Unpinned base image",
    description:
      "`latest`, or no tag, is another image after every release: two builds of the same commit differ, a roll-back " +
      "brings back code but not its base, and a compromised release arrives by itself. Name a version, or better a " +
      "digest, and let a bot propose updates.",
    example: {
      path: "Dockerfile",
      bad: `FROM node:latest
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22.4-slim
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [1357],
    confidence: 0.88,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  remote_add: {
    languages: ["dockerfile"],
    title: "ADD of a remote file without a checksum",
    description:
      "What the server answers on the day of the build becomes part of the image; a changed or hijacked download goes " +
      "unnoticed. Add `--checksum=sha256:…`, or download with `curl -f` and compare a checksum in the same `RUN`.",
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
ADD https://example.org/model.bin /models/model.bin
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
ADD --checksum=sha256:24454f830cdb571e2c4ad15481119c43b3cafd48dd869a9b2945d1036d1dc68d https://example.org/model.bin /models/model.bin
USER node
CMD ["node", "server.js"]
`
    },
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
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
RUN curl -fsSL https://example.org/install.sh | sh
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
RUN npm install --global tool@1.4.2
USER node
CMD ["node", "server.js"]
`
    },
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
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
RUN curl -fsSL http://example.org/install.sh | sh
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
RUN npm install --global tool@1.4.2
USER node
CMD ["node", "server.js"]
`
    },
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
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
RUN mkdir /data && chmod -R 777 /data
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
RUN mkdir /data && chown node /data
USER node
CMD ["node", "server.js"]
`
    },
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
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
RUN echo "node ALL=(ALL) NOPASSWD:ALL" >> /etc/sudoers
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
RUN mkdir /data && chown node /data
USER node
CMD ["node", "server.js"]
`
    },
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
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
RUN apt-get update && apt-get install -y git
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P3"
  }
})
