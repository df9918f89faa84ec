import { editOf } from './claude-code.ts'
import { field, text, writtenText } from './fields.ts'
import { writesOfPatch } from './patch.ts'
import type { Protocol } from './protocol.ts'

/** opencode runs plugins, not commands: ours asks with the name of its own event and throws what is denied. */
export const opencode: Protocol = {
  name: 'opencode',
  read(input, workingFolder) {
    const cwd = text(input, 'directory') ?? workingFolder
    const event = text(input, 'event')
    if (event === 'chat.message') return { event: 'prompt', cwd, prompt: text(input, 'text') }
    if (event !== 'tool.execute.before') return { event: 'other', cwd }
    const given = field(input, 'args')
    switch (text(input, 'tool')) {
      case 'write':
      case 'edit':
        return editOf(cwd, text(given, 'filePath'), writtenText(given))
      case 'patch':
      case 'apply_patch':
        return { event: 'edit', cwd, writes: writesOfPatch(text(given, 'patchText') ?? '') }
      case 'bash':
        return { event: 'edit', cwd: text(given, 'workdir') ?? cwd, command: text(given, 'command') }
      default:
        return { event: 'other', cwd }
    }
  },
  answer({ denied, context }) {
    if (denied !== undefined) return { stdout: JSON.stringify({ denied }) }
    return context === undefined ? {} : { stdout: JSON.stringify({ context }) }
  },
}
