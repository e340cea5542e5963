import { ruleSet } from "../../../core/tool/AuditTool.ts"

/** How packages and files come into an image, and what its accounts are. */
export const installationRules = ruleSet({
  unverified_download: {
    languages: ["dockerfile"],
    title: "Download without verification of its origin",
    description:
      "Anyone on the network path between the build and the server decides what is built in. The check of " +
      "certificates or signatures is switched off. Install the missing certificate or key instead.",
    example: {
      path: "Dockerfile",
      bad: `FROM debian:12-slim
RUN curl -k -o /usr/bin/tool https://downloads.corp.net/tool
USER app
CMD ["app"]
`,
      good: `FROM debian:12-slim
RUN curl -o /usr/bin/tool https://downloads.corp.net/tool
USER app
CMD ["app"]
`
    },
    cwe: [295],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P2",
    category: "security",
    yieldsTo: ["weak_cryptography.tls_verification_disabled"]
  },
  account_password_in_image: {
    languages: ["dockerfile"],
    title: "Account password set in a Dockerfile",
    description:
      "Anyone who can read the repository or pull the image can sign in to the account or switch to it. A " +
      "password is written out and given to `chpasswd`. Lock the account, or set the password when the " +
      "container starts, from a secret.",
    example: {
      path: "Dockerfile",
      bad: `FROM debian:12-slim
RUN echo "root:toor42" | chpasswd
USER app
CMD ["app"]
`,
      good: `FROM debian:12-slim
RUN passwd -l root
USER app
CMD ["app"]
`
    },
    cwe: [798],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P2",
    category: "security"
  },
  ssh_in_container: {
    languages: ["dockerfile"],
    title: "Image that exposes SSH",
    description:
      "Every container of the image is one more machine with keys, passwords and a server to keep current. It " +
      "exposes port 22. Use `docker exec`, `kubectl exec` or a debug container, which need no server.",
    example: {
      path: "Dockerfile",
      bad: `FROM debian:12-slim
EXPOSE 22
USER app
CMD ["app"]
`,
      good: `FROM debian:12-slim
EXPOSE 8080
USER app
CMD ["app"]
`
    },
    cwe: [1188],
    confidence: 0.6,
    effort: "small",
    risk: "low",
    priority: "P3",
    kind: "advisory"
  },
  unpinned_package: {
    languages: ["dockerfile"],
    title: "Package installed without a version",
    description:
      "Two builds of one commit differ, and a release of yesterday is in the image before anyone has read it. " +
      "Name the version, or install from a lock file.",
    example: {
      path: "Dockerfile",
      bad: `FROM debian:12-slim
RUN pip install --no-cache-dir flask
USER app
CMD ["app"]
`,
      good: `FROM debian:12-slim
RUN pip install --no-cache-dir flask==3.0.3
USER app
CMD ["app"]
`
    },
    cwe: [1357],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P3",
    kind: "suggestion"
  },
  package_cache_in_image: {
    languages: ["dockerfile"],
    title: "Package manager cache left in an image layer",
    description:
      "The image is larger than it needs to be for everyone who pulls it. The package manager keeps what it " +
      "downloaded in the layer. Switch its cache off, or clean it in the same instruction.",
    example: {
      path: "Dockerfile",
      bad: `FROM debian:12-slim
RUN pip install flask==3.0.3
USER app
CMD ["app"]
`,
      good: `FROM debian:12-slim
RUN pip install --no-cache-dir flask==3.0.3
USER app
CMD ["app"]
`
    },
    cwe: [1104],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P3",
    kind: "suggestion"
  },
  recommended_packages: {
    languages: ["dockerfile"],
    title: "apt-get without --no-install-recommends",
    description:
      "The image holds programs that no one asked for, each with holes of its own to patch. Add " +
      "`--no-install-recommends` and name what is needed.",
    example: {
      path: "Dockerfile",
      bad: `FROM debian:12-slim
RUN apt-get update && apt-get install -y curl && rm -rf /var/lib/apt/lists/*
USER app
CMD ["app"]
`,
      good: `FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends curl && rm -rf /var/lib/apt/lists/*
USER app
CMD ["app"]
`
    },
    cwe: [1104],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P3",
    kind: "suggestion"
  },
  add_for_files: {
    languages: ["dockerfile"],
    title: "ADD where COPY does the same",
    description:
      "A reader has to know that `ADD` unpacks archives and fetches addresses to see that it does not here. Use " +
      "`COPY` for files of the build context.",
    example: {
      path: "Dockerfile",
      bad: `FROM debian:12-slim
ADD app /app
USER app
CMD ["app"]
`,
      good: `FROM debian:12-slim
COPY app /app
USER app
CMD ["app"]
`
    },
    cwe: [1076],
    confidence: 0.9,
    effort: "small",
    risk: "low",
    priority: "P3",
    kind: "suggestion"
  },
  pipe_hides_failure: {
    languages: ["dockerfile"],
    title: "Failed download hidden by a pipe",
    description:
      "A download that fails leaves an image that looks built and lacks what it should have. Only the status of " +
      "a pipe's last command counts. Set `SHELL` with `-o pipefail`, or download to a file first.",
    example: {
      path: "Dockerfile",
      bad: `FROM debian:12-slim
RUN curl -fsSL https://downloads.corp.net/tool.tgz | tar -xz -C /opt
USER app
CMD ["app"]
`,
      good: `FROM debian:12-slim
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN curl -fsSL https://downloads.corp.net/tool.tgz | tar -xz -C /opt
USER app
CMD ["app"]
`
    },
    cwe: [390],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P3",
    kind: "suggestion"
  },
  relative_workdir: {
    languages: ["dockerfile"],
    title: "WORKDIR that is relative to the base image",
    description:
      "Files land somewhere else when the base image changes the folder that it leaves. Write the whole path.",
    example: {
      path: "Dockerfile",
      bad: `FROM debian:12-slim
WORKDIR app
USER app
CMD ["app"]
`,
      good: `FROM debian:12-slim
WORKDIR /app
USER app
CMD ["app"]
`
    },
    cwe: [1076],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P3",
    kind: "suggestion"
  }
})
