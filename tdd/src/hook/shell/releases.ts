import type { GitCall, Program } from './program.ts'

const packageManagers = /^(?:npm|pnpm|yarn|bun)$/
const starters = /^(?:tutti-tdd(?:\.cjs)?|npx|pnpx|bunx|npm|pnpm|yarn|bun|node|deno)$/
const tool = /(?:^|\/)tutti-tdd(?:\.cjs)?(?:@[\w.-]+)?$/

/**
 * The way in which a command lifts the rules, for people to read; undefined when it does not. `line` is the whole command line:
 * a prompt for the hook may come through a pipe.
 */
export function releaseBy({ name, args }: Program, line: string): string | undefined {
  if (packageManagers.test(name) && args.some((word) => /^(?:uninstall|remove|rm|un|unlink|r)$/.test(word)))
    return args.some((word) => tool.test(word)) ? `${name} uninstall tutti-tdd` : undefined
  if (!starters.test(name)) return undefined
  const asksHook = args.some((word) => word === 'hook' || word.endsWith('hook.cjs'))
  if (asksHook && /\/tdd-(?:off|stop)\b/.test(line)) return 'a prompt of the person, sent to the hook'
  const words = [name, ...args]
  const at = words.findIndex((word) => tool.test(word))
  const command = at < 0 ? undefined : words.slice(at + 1).find((word) => !word.startsWith('-'))
  return command === 'uninstall' || command === 'off' || command === 'stop'
    ? `tutti-tdd ${command}`
    : undefined
}

const hooksPath = /^core\.hookspath(?:$|=)/i

/** The same for a call of git: a commit without its hooks, or hooks that lie elsewhere. */
export function releaseByGit(
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

/** `-n` alone or among others, as in `-anm "…"`; what follows an option with a value is its value. */
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
