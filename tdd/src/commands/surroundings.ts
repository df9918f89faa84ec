import type { Config, LoadedConfig } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { parseConfig } from '../config/parse-config.ts'
import { runGit } from '../git/run-git.ts'
import { compareFiles, projectsOf } from '../hook/protect-command.ts'
import { type Project, packageAt, projectAt } from '../project/locate.ts'
import { absolutePath } from '../project/paths.ts'

/** An error of the user at the terminal, or an unsupported environment: one line, no stack. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The working folder and the output of a command. */
export interface Surroundings {
  readonly cwd: string
  /** The build folder of this tool, with the files that `init` copies. */
  readonly distFolder: string
  readonly now: Date
  readonly print: (line: string) => void
  /** Prints an error. */
  readonly warn: (line: string) => void
}

/** The project and package of a command, with their configuration. */
export interface Scene {
  readonly project: Project
  readonly packageName: string
  readonly config: Config
  readonly problems: readonly string[]
}

/** Locates the project of a command; throws on an invalid configuration. */
export function sceneOf({ cwd }: Surroundings, folder?: string): Scene {
  const place = folder === undefined ? cwd : absolutePath(folder, cwd)
  const project = projectAt(place)
  const { config, problems, unreadable }: LoadedConfig = loadConfig(project, () => parseConfig)
  if (unreadable === true) throw new CommandFailure(problems[0] ?? 'tdd.config.yaml cannot be read')
  return { project, packageName: packageAt(project, place), config, problems }
}

/** Restores the protected files when a command of an assistant changed them and the event after it never came. */
export function restoreFirst({ cwd, now, warn }: Surroundings, folder?: string): void {
  const place = folder === undefined ? cwd : absolutePath(folder, cwd)
  const restored = compareFiles(projectsOf(place), { now, loadGit: () => runGit })
  if (restored !== undefined) warn(restored)
}
