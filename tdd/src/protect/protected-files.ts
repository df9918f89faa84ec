import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { gitFolder } from '../git/tracked-files.ts'
import { configFile, type Project, stateFolder } from '../project/locate.ts'
import { absolutePath, parentOf } from '../project/paths.ts'
import { type Format, hooksPathIn } from './settings-parts.ts'
import { homeFolder } from './user-folder.ts'

/** A file that decides whether and how the rules are enforced. */
export interface ProtectedFile {
  readonly path: string
  readonly format: Format
  /** A file that is missing before a command and exists after it can lift the rules, too. */
  readonly alsoNew: boolean
  /** Written by this tool from another file: a changed one is deleted without a word, and written again. */
  readonly derived?: boolean
  /** The copy of this file among the copies of the tool; its content is not stored again with each snapshot. */
  readonly copy?: string
}

/** Bounds of a snapshot: the folders hold a handful of small files, and the hook is on the path of each command. */
const maxFilesPerFolder = 50

const settingsInProject: readonly [string, Format][] = [
  ['.claude/settings.json', 'json'],
  ['.claude/settings.local.json', 'json'],
  ['.codex/hooks.json', 'json'],
  ['.codex/config.toml', 'toml'],
  ['.gemini/settings.json', 'json'],
  ['.cursor/hooks.json', 'json'],
  ['.windsurf/hooks.json', 'json'],
]

const settingsInHome: readonly [string, Format][] = [
  ...settingsInProject,
  ['.copilot/config.json', 'json'],
  ['.copilot/settings.json', 'json'],
  ['.codeium/windsurf/hooks.json', 'json'],
  ['.gitconfig', 'git'],
  ['.config/git/config', 'git'],
  ['.config/husky/init.sh', 'whole'],
  ['.huskyrc', 'whole'],
]

/** The protected files of a project, existing or not. Only folders with hooks are listed; no tree is walked. */
export function protectedFiles(
  project: Project,
  tool: { distFolder: string; copyFolder: string },
): ProtectedFile[] {
  const { root } = project
  const home = homeFolder()
  const inProject = (path: string, format: Format = 'whole', alsoNew = false): ProtectedFile => ({
    path: `${root}/${path}`,
    format,
    alsoNew,
  })
  return [
    inProject(configFile, 'whole', true),
    inProject(`${stateFolder}/hook.cjs`),
    inProject(`${stateFolder}/.gitignore`),
    inProject(`${stateFolder}/cache/tool`, 'whole', true),
    { ...inProject(`${stateFolder}/cache/config.json`, 'whole', true), derived: true },
    ...settingsInProject.map(([path, format]) => inProject(path, format, true)),
    inProject('.github/copilot/settings.json', 'json', true),
    inProject('.github/copilot/settings.local.json', 'json', true),
    ...filesIn(`${root}/.github/hooks`, 'json').map((file) => ({ ...file, alsoNew: true })),
    ...filesIn(`${root}/.kiro/hooks`),
    inProject('.opencode/plugins/tutti-tdd.js'),
    inProject('.opencode/plugin/tutti-tdd.js'),
    ...filesIn(`${root}/.husky`),
    ...filesIn(`${root}/.husky/_`),
    ...gitFiles(root),
    ...toolFiles(root, tool),
    ...(home === undefined
      ? []
      : settingsInHome.map(([path, format]) => ({ path: `${home}/${path}`, format, alsoNew: true }))),
  ]
}

function filesIn(folder: string, format: Format = 'whole'): ProtectedFile[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && !entry.name.endsWith('.sample'))
      .slice(0, maxFilesPerFolder)
      .map(({ name }) => ({ path: `${folder}/${name}`, format, alsoNew: false }))
  } catch {
    return []
  }
}

/** The configuration of the repository and its hooks, also those of `core.hooksPath`. */
function gitFiles(root: string): ProtectedFile[] {
  const folder = gitFolder(root)
  if (folder === undefined) return []
  const common = commonFolder(folder)
  const configs = [
    `${common}/config`,
    `${common}/config.worktree`,
    ...(common === folder ? [] : [`${folder}/config.worktree`]),
  ]
  const named = configs.map((path) => hooksPathIn(textOf(path) ?? '')).find((path) => path !== undefined)
  return [
    ...configs.map((path): ProtectedFile => ({ path, format: 'git', alsoNew: true })),
    ...filesIn(`${common}/hooks`),
    ...(named === undefined ? [] : filesIn(absolutePath(named, root))),
  ]
}

/** The pre-commit hook that git runs; that of husky where its folder is used. Undefined without git. */
export function preCommitOf(root: string): string | undefined {
  const folder = gitFolder(root)
  if (folder === undefined) return undefined
  const common = commonFolder(folder)
  const named = hooksPathIn(textOf(`${common}/config`) ?? '')
  const hooks = named === undefined ? `${common}/hooks` : absolutePath(named, root)
  return `${hooks.endsWith('/.husky/_') ? parentOf(hooks) : hooks}/pre-commit`
}

/** The shared folder of a worktree's git folder. */
function commonFolder(folder: string): string {
  const named = textOf(`${folder}/commondir`)?.trim()
  return named === undefined || named === '' ? folder : absolutePath(named, folder)
}

/** The parts of the tool that run in a hook. */
export const toolParts = ['tutti-tdd.cjs', 'aside.cjs', 'commands.cjs'] as const

/** The installed tool, and the place where a hook would look for it first. A tool that is built in a workspace is source code. */
function toolFiles(
  root: string,
  { distFolder, copyFolder }: { distFolder: string; copyFolder: string },
): ProtectedFile[] {
  const first = `${root}/node_modules/tutti-tdd`
  const running = parentOf(distFolder)
  const folders = running === first || !existsSync(first) ? [first, running] : [running]
  return [...new Set(folders)].filter(isInstalled).flatMap((folder) =>
    toolParts.map(
      (part): ProtectedFile => ({
        path: `${folder}/dist/${part}`,
        format: 'whole',
        alsoNew: true,
        copy: `${copyFolder}/${part}`,
      }),
    ),
  )
}

/** Whether a folder is, or would be, the tool as a package manager installs it: not a link to its sources. */
function isInstalled(folder: string): boolean {
  if (!folder.endsWith('/node_modules/tutti-tdd')) return false
  try {
    return realpathSync(folder).replaceAll('\\', '/').endsWith('/node_modules/tutti-tdd')
  } catch {
    return true
  }
}

/** The size of the record of git's HEAD: it grows when a checkout, a merge or a pull moves HEAD. */
export function headRecordSize(root: string): number {
  const folder = gitFolder(root)
  return folder === undefined ? 0 : (statSync(`${folder}/logs/HEAD`, { throwIfNoEntry: false })?.size ?? 0)
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
