import { type Project, projectAt, realPath } from '../project/locate.ts'
import { absolutePath } from '../project/paths.ts'
import { idOf } from '../protect/open-commands.ts'
import {
  beginCommand,
  commandInProgress,
  compare,
  endCommand,
  interruptCommands,
  type ProtectDependencies,
  type Undone,
} from '../protect/protect.ts'
import { openProjectsAbove } from '../protect/user-folder.ts'
import type { HookCall, HookDecision } from '../protocols/protocol.ts'

interface BeforeDependencies extends ProtectDependencies {
  readonly agent: string
  /** Whether the rules are enforced strictly in a project. */
  readonly isEnforced: (project: Project) => boolean
}

/** Compares the protected files with the snapshot of the open commands; the reason of a refusal when something was restored. */
export function compareFiles(
  projects: readonly Project[],
  dependencies: ProtectDependencies,
): string | undefined {
  return describe(projects.map((project) => compare(project, dependencies)))
}

/** Before a command: takes the snapshot of the protected files in every project that is enforced. */
export function protectBefore(
  call: HookCall,
  projects: readonly Project[],
  { agent, isEnforced, ...dependencies }: BeforeDependencies,
): HookDecision {
  const command = { id: idOf({ ...call, agent }), agent, session: call.session }
  const enforced = projects.filter(isEnforced)
  const denied = describe(
    enforced.map((project) => beginCommand(project, command, { ...dependencies, distFolder: distFolder() })),
  )
  return denied === undefined ? {} : { denied }
}

/** After a command: restores the protected files it changed. A command in the background stays open until the next prompt. */
export function protectAfter(
  call: HookCall,
  projects: readonly Project[],
  agent: string,
  dependencies: ProtectDependencies,
): HookDecision {
  if (call.runsOn === true) {
    const denied = compareFiles(projects, dependencies)
    return denied === undefined ? {} : { denied }
  }
  const id = idOf({ ...call, agent })
  const denied = describe(projects.map((project) => endCommand(project, id, dependencies)))
  return denied === undefined ? {} : { denied }
}

/** At a prompt or the start of a session: restores, and counts the commands of the session as interrupted. */
export function protectAtPrompt(
  { session }: HookCall,
  projects: readonly Project[],
  agent: string,
  dependencies: ProtectDependencies,
): string | undefined {
  return describe(projects.map((project) => interruptCommands(project, { agent, session }, dependencies)))
}

/** Why the rules cannot be suspended now; undefined when they can. */
export function refusalWhileOpen(project: Project, dependencies: ProtectDependencies): string | undefined {
  const open = commandInProgress(project, dependencies)
  if (open === undefined) return undefined
  const time = new Date(open.startedAtMs).toTimeString().slice(0, 8)
  return `a command of ${open.agent} that began at ${time} still runs here, and an assistant cannot suspend the rules. Next: try again when it has ended; if you interrupted it, send the assistant any prompt first.`
}

/** The projects of a call: that of its folder, and that of the hook, since an assistant may have changed the folder. */
export function projectsOf(cwd: string): Project[] {
  const folders = [cwd, process.env['CLAUDE_PROJECT_DIR'], process.env['GEMINI_PROJECT_DIR'], folderOfHook()]
  const projects = folders.flatMap((folder) =>
    folder === undefined || folder === ''
      ? []
      : [projectAt(folder), ...openProjectsAbove(realPath(absolutePath(folder, '/')))],
  )
  return projects.filter(({ root }, at) => projects.findIndex((other) => other.root === root) === at)
}

/** The project whose `.tdd/hook.cjs` was started. */
function folderOfHook(): string | undefined {
  const program = absolutePath(process.argv[1] ?? '', process.cwd())
  return program.endsWith('/.tdd/hook.cjs') ? program.slice(0, -'/.tdd/hook.cjs'.length) : undefined
}

function distFolder(): string {
  return __dirname.replaceAll('\\', '/')
}

function describe(all: readonly Undone[]): string | undefined {
  const changes = all.flatMap((undone) => undone.changes)
  const failed = all.flatMap((undone) => undone.failed)
  const kept = all.flatMap(({ replaced }) => (replaced === undefined ? [] : [replaced]))
  const names = [...new Set(changes.map(({ path, change }) => `${path} (${change})`))].join(', ')
  const lines = [
    ...(changes.length === 0
      ? []
      : [
          `[TDD] Restored, rule own-files: the command changed what enforces the rules: ${names}. Everything is as before${kept.length === 0 ? '' : `; the replaced versions are in ${kept.join(', ')}`}. Next: go on without this change, or ask the person to make it in their own terminal or editor while no command of yours runs, or to run \`tutti-tdd off\` in their own terminal first.`,
        ]),
    ...(failed.length === 0
      ? []
      : [
          `[TDD] Not restored, rule own-files: ${failed.map(({ path, reason }) => `${path}: ${reason}`).join('; ')}. Next: stop, and ask the person to compare tdd.config.yaml, .tdd and the settings of hooks with git.`,
        ]),
  ]
  return lines.length === 0 ? undefined : lines.join('\n')
}
