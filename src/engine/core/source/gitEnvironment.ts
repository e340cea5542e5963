export interface GitEnvironmentOptions {
  /** The transports this one call may use. None by default: reading must never reach the network. */
  readonly protocols?: ReadonlyArray<string>
  readonly config?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, string>>
}

// What the operator may need for a private certificate authority; nothing else of our environment reaches git.
const passedOn = ["PATH", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "LD_LIBRARY_PATH"]

const settings: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.symlinks": "false",
  "core.untrackedCache": "false",
  // Larger blobs are streamed and not compared: memory does not follow what a repository holds.
  "core.bigFileThreshold": "16m",
  "credential.helper": "",
  "submodule.recurse": "false",
  "fetch.recurseSubmodules": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "protocol.allow": "never",
  // Repositories may belong to another user than the server's; none of their settings run anything here.
  "safe.directory": "*"
}

/**
 * The only environment git is started in: no user or system settings, no prompts, no hooks, no helper programs,
 * no replaced objects, no lazy download of missing ones.
 */
export const gitEnvironment = (options: GitEnvironmentOptions = {}): Record<string, string> => {
  const environment: Record<string, string> = {
    HOME: "/dev/null",
    XDG_CONFIG_HOME: "/dev/null",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LFS_SKIP_SMUDGE: "1",
    // Overrides every protocol.* setting, in child processes too. An unknown name means "none".
    GIT_ALLOW_PROTOCOL: options.protocols?.join(":") || "none"
  }
  for (const name of passedOn) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  const config = Object.entries({ ...settings, ...options.config })
  environment.GIT_CONFIG_COUNT = String(config.length)
  config.forEach(([key, value], index) => {
    environment[`GIT_CONFIG_KEY_${index}`] = key
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  })
  return { ...environment, ...options.variables }
}
