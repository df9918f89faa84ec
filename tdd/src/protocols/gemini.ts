import { editOf } from './claude-code.ts'
import { field, text, writtenText } from './fields.ts'
import type { Protocol } from './protocol.ts'

/** Gemini CLI: `BeforeAgent` for prompts, `BeforeTool` for tools. */
export const gemini: Protocol = {
  name: 'gemini',
  read(input, workingFolder) {
    const cwd = text(input, 'cwd') ?? workingFolder
    const event = text(input, 'hook_event_name')
    if (event === 'BeforeAgent') return { event: 'prompt', cwd, prompt: text(input, 'prompt') }
    if (event !== 'BeforeTool') return { event: 'other', cwd }
    const given = field(input, 'tool_input')
    switch (text(input, 'tool_name')) {
      case 'write_file':
      case 'replace':
        return editOf(cwd, text(given, 'file_path'), writtenText(given))
      case 'run_shell_command':
        return { event: 'edit', cwd, command: text(given, 'command') }
      default:
        return { event: 'other', cwd }
    }
  },
  answer({ denied, context }, { event }) {
    if (denied !== undefined) return { stdout: JSON.stringify({ decision: 'deny', reason: denied }) }
    if (context === undefined) return {}
    if (event !== 'prompt') return { stdout: JSON.stringify({ systemMessage: context }) }
    const hookSpecificOutput = { hookEventName: 'BeforeAgent', additionalContext: context }
    return { stdout: JSON.stringify({ hookSpecificOutput }) }
  },
}
