import type { Write } from '../protocols/protocol.ts'

/** Files that make assistants and git call the hook, and the tool they call. */
const files =
  /(?:^|\/)(?:\.claude\/settings(?:\.local)?\.json|\.codex\/(?:hooks\.json|config\.toml)|\.gemini\/settings\.json|\.(?:cursor|windsurf)\/hooks\.json|\.github\/hooks\/[^/]+|\.kiro\/hooks\/[^/]+|\.opencode\/plugins?\/tutti-tdd\.js|\.husky\/.+|\.git\/(?:hooks\/.+|config)|\.gitconfig|pre-commit|node_modules\/tutti-tdd\/.+)$/

/** Folders that take such files with them when they go. */
const folders =
  /(?:^|\/)(?:\.claude|\.codex|\.gemini|\.cursor|\.windsurf|\.kiro(?:\/hooks)?|\.opencode(?:\/plugins?)?|\.github(?:\/hooks)?|\.husky|\.git(?:\/hooks)?|node_modules\/tutti-tdd)$/

/** Whether a write changes what makes the hook be called. */
export function isHookSettings(path: string, kind: Write['kind']): boolean {
  // Most paths have no name with a dot in front; to compile the patterns for them would slow every edit down.
  if (
    !path.startsWith('.') &&
    !path.includes('/.') &&
    !path.endsWith('pre-commit') &&
    !path.includes('/tutti-tdd')
  )
    return false
  return files.test(path) || (kind !== 'write' && folders.test(path))
}
