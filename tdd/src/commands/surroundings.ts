import type { Config, LoadedConfig } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { parseConfig } from '../config/parse-config.ts'
import { type Project, packageAt, projectAt } from '../project/locate.ts'
import { absolutePath } from '../project/paths.ts'

/** A mistake of the person at the terminal, or something the tool cannot do here: one line, no stack. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Where a command runs and how it speaks. */
export interface Surroundings {
  readonly cwd: string
  /** Where this tool was built: the files that `init` copies lie there. */
  readonly distFolder: string
  readonly now: Date
  readonly print: (line: string) => void
  /** For what went wrong. */
  readonly warn: (line: string) => void
}

/** The project and package a command is about, with the configuration that holds there. */
export interface Scene {
  readonly project: Project
  readonly packageName: string
  readonly config: Config
  readonly problems: readonly string[]
}

/** Finds out what a command is about; a configuration that makes no sense stops it. */
export function sceneOf({ cwd }: Surroundings, folder?: string): Scene {
  const place = folder === undefined ? cwd : absolutePath(folder, cwd)
  const project = projectAt(place)
  const { config, problems, unreadable }: LoadedConfig = loadConfig(project, () => parseConfig)
  if (unreadable === true) throw new CommandFailure(problems[0] ?? 'tdd.config.yaml cannot be read')
  return { project, packageName: packageAt(project, place), config, problems }
}
