import { deny, readClaudeShape } from './claude-code.ts'
import { field, text } from './fields.ts'
import { writesOfPatch } from './patch.ts'
import type { Protocol } from './protocol.ts'

/** Codex: the shape of Claude Code, with patches of several files. Only a refusal may be sent as a decision. */
export const codex: Protocol = {
  name: 'codex',
  read(input, workingFolder) {
    if (text(input, 'tool_name') !== 'apply_patch') return readClaudeShape(input, workingFolder)
    const cwd = text(input, 'cwd') ?? workingFolder
    const command = field(input, 'tool_input', 'command') ?? field(input, 'tool_input', 'input')
    const patch = Array.isArray(command) ? command.join('\n') : typeof command === 'string' ? command : ''
    return { event: 'edit', cwd, writes: writesOfPatch(patch) }
  },
  answer({ denied, context }, { event }) {
    if (denied !== undefined) return deny(denied)
    if (context === undefined) return {}
    if (event !== 'prompt') return { stdout: JSON.stringify({ systemMessage: context }) }
    const hookSpecificOutput = { hookEventName: 'UserPromptSubmit', additionalContext: context }
    return { stdout: JSON.stringify({ hookSpecificOutput }) }
  },
}
