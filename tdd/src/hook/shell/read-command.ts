import { readFileSync, statSync } from 'node:fs'
import { absolutePath } from '../../project/paths.ts'
import { writesOfPatch } from '../../protocols/patch.ts'
import type { Write } from '../../protocols/protocol.ts'
import { parseShell, type ShellCommand } from './parse-shell.ts'
import { writesOfGitPatch, writesOfPatchProgram } from './patches.ts'
import { type GitCall, gitCallOf, type Program, programOf, splitOptions } from './program.ts'

/** A command that suspends the rules. */
interface Release {
  readonly command: string
  /** The folder it runs in. */
  readonly folder: string
}

/** The visible effects of a command line. Writes of a program itself are not visible. */
export interface CommandEffects {
  readonly writes: readonly Write[]
  readonly releases: readonly Release[]
}

/** The maximum nesting of `bash -c "bash -c …"`; people use one level. */
const maxDepth = 3
const maxPatchBytes = 1_000_000

/** Reads a command line that is about to run in a folder. */
export function readCommand(line: string, cwd: string): CommandEffects {
  const writes = line.includes('*** Begin Patch') ? writesOfPatch(line) : []
  const releases: Release[] = []
  readLine(line, { folder: absolutePath(cwd, '/'), written: new Map(), depth: 0 }, { writes, releases })
  return { writes, releases }
}

interface Place {
  readonly folder: string
  /** The text of files that an earlier command of the line wrote, by absolute path. */
  readonly written: Map<string, string>
  readonly depth: number
}

function readLine(line: string, place: Place, found: { writes: Write[]; releases: Release[] }): void {
  let { folder } = place
  for (const command of parseShell(line)) {
    const program = programOf(command.words)
    const { name, args, assignments } = program
    const here = { ...place, folder }
    if (name === 'cd') folder = absolutePath(args[0] ?? '', folder)
    const script = scriptOf(name, args)
    if (script !== undefined && place.depth < maxDepth)
      readLine(script, { ...here, depth: place.depth + 1 }, found)
    const git = name === 'git' ? gitCallOf(args) : undefined
    const named =
      git === undefined ? writesOfProgram(name, args, command, here) : writesOfGit(git, command, here)
    const outputs = command.outputs.map((path): Write => ({ path, kind: 'write' }))
    for (const one of [...outputs, ...named].filter(({ path }) => isFile(path)))
      found.writes.push({ ...one, path: absolutePath(one.path, here.folder) })
    const release = git === undefined ? releaseBy(program) : releaseByGit(git, assignments)
    if (release !== undefined) found.releases.push({ command: release, folder: here.folder })
    keepText(command, name, here)
  }
}

/** The script that a shell is started with: `bash -lc "…"`, `eval "…"`. */
function scriptOf(name: string, args: readonly string[]): string | undefined {
  if (name === 'eval') return args.join(' ')
  if (!/^(?:ba|da|z|k)?sh$/.test(name)) return undefined
  const at = args.findIndex((word) => /^-[a-z]*c$/.test(word))
  return at < 0 ? undefined : args[at + 1]
}

const write = (path: string): Write => ({ path, kind: 'write' })
const removal = (path: string): Write => ({ path, kind: 'delete' })

/** The writes of programs that take file names as arguments. */
function writesOfProgram(
  name: string,
  args: readonly string[],
  command: ShellCommand,
  place: Place,
): Write[] {
  const files = args.filter((word) => !word.startsWith('-'))
  switch (name) {
    case 'tee':
    case 'touch':
    case 'truncate':
      return files.map(write)
    case 'sed':
    case 'perl':
    case 'ruby':
      return args.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word)) ? filesOfScript(args).map(write) : []
    case 'cp':
    case 'install':
    case 'ln':
      return files.slice(-1).map(write)
    case 'mv':
      return [...files.slice(0, -1).map(removal), ...files.slice(-1).map(write)]
    case 'rm':
    case 'unlink':
      return files.map(removal)
    case 'dd':
      return args.filter((word) => word.startsWith('of=')).map((word) => write(word.slice(3)))
    case 'patch':
      return writesOfPatchProgram(args, patchInput(command, place))
    default:
      return []
  }
}

/**
 * The files that a git command changes. Commands that restore content from git, such as `git checkout -- FILE`, `git stash
 * pop` or a merge, undo or repeat work that was already checked, and are allowed.
 */
function writesOfGit(git: GitCall, command: ShellCommand, place: Place): Write[] {
  const { args } = git
  const inFolder = (path: string): string =>
    git.folder === '' ? path : absolutePath(path, absolutePath(git.folder, place.folder))
  const files = args.filter((word) => !word.startsWith('-')).map(inFolder)
  const dashes = args.indexOf('--')
  switch (git.command) {
    case 'apply':
    case 'am':
      return writesOfGitPatch(git, patchInput(command, place))
    case 'mv':
      return [...files.slice(0, -1).map(removal), ...files.slice(-1).map(write)]
    case 'rm':
      return args.includes('--cached') ? [] : files.map(removal)
    case 'checkout':
      // The word before the dashes is the commit that the files are restored from.
      return dashes > 0 && args[dashes - 1] !== 'HEAD'
        ? args
            .slice(dashes + 1)
            .map(inFolder)
            .map(write)
        : []
    case 'restore': {
      const { options, others } = splitOptions(args, /^(?:-s|--source)$/)
      const source = options.get('-s') ?? options.get('--source') ?? 'HEAD'
      return source === 'HEAD' ? [] : others.map(inFolder).map(write)
    }
    case 'clean':
      return removedByClean(args).map(inFolder).map(removal)
    default:
      return []
  }
}

/** The paths that `git clean -x` removes; `.tdd` is among them, because git ignores most of it. */
function removedByClean(args: readonly string[]): string[] {
  const { options, others } = splitOptions(args, /^(?:-e|--exclude)$/)
  const ignored = [...options.keys()].some((name) => /^-[a-zA-Z]*[xX]/.test(name))
  const spared = [options.get('-e'), options.get('--exclude')].some((pattern) => pattern?.includes('.tdd'))
  if (!ignored || spared || options.has('-n') || options.has('--dry-run')) return []
  return others.length === 0 ? ['.tdd'] : [...others]
}

function patchInput(command: ShellCommand, { folder, written }: Place) {
  const read = (path: string): string | undefined => written.get(path) ?? textOfFile(path)
  return { folder, read, standardInput: () => textRead(command, folder, read) }
}

type ReadText = (path: string) => string | undefined

/** The standard input of a command, if the command line or a file contains it. */
function textRead({ inputText, inputFile, pipedFrom }: ShellCommand, folder: string, read: ReadText) {
  if (inputText !== undefined) return inputText
  if (inputFile !== undefined) return read(absolutePath(inputFile, folder))
  return pipedFrom === undefined ? undefined : textPrinted(pipedFrom, folder, read)
}

/** The output of `cat`, `echo` and `printf`. */
function textPrinted(command: ShellCommand, folder: string, read: ReadText): string | undefined {
  const { name, args } = programOf(command.words)
  if (name === 'echo' || name === 'printf') return args.join(' ').replaceAll('\\n', '\n')
  if (name !== 'cat' && name !== 'tee') return undefined
  const files = name === 'tee' ? [] : args.filter((word) => !word.startsWith('-'))
  if (files.length === 0) return textRead(command, folder, read)
  return files.map((file) => read(absolutePath(file, folder)) ?? '').join('')
}

/** Remembers the text that a command writes into a file, for a patch that a later command of the same line applies. */
function keepText(command: ShellCommand, name: string, { folder, written }: Place): void {
  const files = [...command.outputs, ...(name === 'tee' ? command.words.slice(1) : [])]
  if (files.length === 0) return
  const text = textPrinted(command, folder, (path) => written.get(path))
  if (text !== undefined) for (const file of files) written.set(absolutePath(file, folder), text)
}

function textOfFile(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined || !stat.isFile() || stat.size > maxPatchBytes) return undefined
  return readFileSync(path, 'utf8')
}

/** The files of `sed -i -e SCRIPT file` and `sed -i SCRIPT file`, without the script. */
function filesOfScript(words: readonly string[]): string[] {
  const scripted = words.some((word) => /^-[a-zA-Z]*[ef]$|^--expression/.test(word))
  const files: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (/^-[a-zA-Z]*[ef]$/.test(word)) at += 1
    else if (!word.startsWith('-') && word !== '') files.push(word)
  }
  return scripted ? files : files.slice(1)
}

/** Whether a word is a file name; devices, descriptors and names that only the shell can expand cannot be checked. */
function isFile(path: string): boolean {
  return path !== '' && !path.startsWith('/dev/') && !path.startsWith('&') && !/[$`]/.test(path)
}

const packageManagers = /^(?:npm|pnpm|yarn|bun)$/
const starters = /^(?:tutti-tdd(?:\.cjs)?|npx|pnpx|bunx|npm|pnpm|yarn|bun|node|deno)$/
const tool = /(?:^|\/)tutti-tdd(?:\.cjs)?(?:@[\w.-]+)?$/

/**
 * Describes how a command suspends the rules; undefined when it does not. Other spellings, and prompts that a command sends to
 * the hook, are refused or undone while the command is open.
 */
function releaseBy({ name, args }: Program): string | undefined {
  if (packageManagers.test(name) && args.some((word) => /^(?:uninstall|remove|rm|un|unlink|r)$/.test(word)))
    return args.some((word) => tool.test(word)) ? `${name} uninstall tutti-tdd` : undefined
  if (!starters.test(name)) return undefined
  const words = [name, ...args]
  const at = words.findIndex((word) => tool.test(word))
  const command = at < 0 ? undefined : words.slice(at + 1).find((word) => !word.startsWith('-'))
  return command === 'uninstall' || command === 'off' || command === 'stop'
    ? `tutti-tdd ${command}`
    : undefined
}

const hooksPath = /^core\.hookspath(?:$|=)/i

/** Describes how a git command suspends the rules: a commit without hooks, or another hooks folder. */
function releaseByGit(
  { command, args, settings }: GitCall,
  assignments: readonly string[],
): string | undefined {
  if (settings.some((setting) => hooksPath.test(setting))) return 'git -c core.hooksPath'
  if (command === 'config') return changesHooksPath(args) ? 'git config core.hooksPath' : undefined
  if (!/^(?:commit|merge|am|rebase|cherry-pick|revert)$/.test(command)) return undefined
  const without = assignments.find((word) => /^(?:HUSKY=0$|HUSKY_SKIP_HOOKS=|GIT_CONFIG)/.test(word))
  if (without !== undefined) return `${without} git ${command}`
  if (args.some((word) => word.length > 8 && '--no-verify'.startsWith(word)))
    return `git ${command} --no-verify`
  return command === 'commit' && hasShortNoVerify(args) ? 'git commit -n' : undefined
}

function changesHooksPath(args: readonly string[]): boolean {
  const words = args.filter((word) => !word.startsWith('-'))
  const at = words.findIndex((word) => hooksPath.test(word))
  if (at < 0 || words[0] === 'get' || args.some((word) => word.startsWith('--get'))) return false
  return words.length > at + 1 || words[0] === 'unset' || args.some((word) => word.startsWith('--unset'))
}

/** Finds `-n` alone or combined, as in `-anm "…"`; the word after an option with a value is skipped. */
function hasShortNoVerify(args: readonly string[]): boolean {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--') return false
    if (/^--(?:message|file|author|date|template|reuse-message|reedit-message|fixup|squash)$/.test(word))
      at += 1
    if (!/^-[a-zA-Z]/.test(word)) continue
    const [, plain = '', valued = '', value = ''] = /^-([^mFCctSu]*)([mFCctSu]?)(.*)$/.exec(word) ?? []
    if (plain.includes('n')) return true
    if (/[mFCct]/.test(valued) && value === '') at += 1
  }
  return false
}
