import { composerLockfile } from "./composer.ts"
import { gemLockfile } from "./gemfile.ts"
import { goModules, goSums } from "./goModules.ts"
import { gradleBuild, gradleLockfile, mavenProject } from "./jvm.ts"
import type { LockedPackage } from "./LockedPackage.ts"
import { type LockfileFormat, lockfileFormat } from "./names.ts"
import { npmLockfile } from "./npm.ts"
import { dotnetProject, nugetLockfile } from "./nuget.ts"
import { pnpmLockfile } from "./pnpm.ts"
import { pipfileLockfile, requirements } from "./python.ts"
import { cargoLockfile, pythonTomlLockfile } from "./tomlPackages.ts"
import { yarnLockfile } from "./yarn.ts"

type Read = (text: string, path: string) => ReadonlyArray<LockedPackage>

const readers: Readonly<Record<LockfileFormat, Read>> = {
  npm: npmLockfile,
  pnpm: pnpmLockfile,
  yarn: yarnLockfile,
  requirements,
  pipfile: pipfileLockfile,
  poetry: pythonTomlLockfile,
  uv: pythonTomlLockfile,
  pdm: pythonTomlLockfile,
  gomod: goModules,
  gosum: goSums,
  pom: mavenProject,
  gradle_lock: gradleLockfile,
  gradle: gradleBuild,
  gemfile: gemLockfile,
  composer: composerLockfile,
  nuget_lock: nugetLockfile,
  csproj: dotnetProject,
  cargo: cargoLockfile
}

/** What a file settles on, as far as it can be read: a broken one gives less, never an error. */
export const parseLockfile = (path: string, text: string): ReadonlyArray<LockedPackage> => {
  const format = lockfileFormat(path)
  return format === null ? [] : readers[format](text, path)
}
