import { editOf } from './claude-code.ts'
import { field, text, writtenText } from './fields.ts'
import type { Protocol } from './protocol.ts'

/** Kiro: standard output at exit 0 is context, exit code 2 and standard error refuse. Events come in two spellings. */
export const kiro: Protocol = {
  name: 'kiro',
  read(input, workingFolder) {
    const cwd = text(input, 'cwd') ?? workingFolder
    const event = text(input, 'hook_event_name')?.toLowerCase()
    if (event === 'userpromptsubmit') return { event: 'prompt', cwd, prompt: text(input, 'prompt') }
    if (event !== 'pretooluse') return { event: 'other', cwd }
    const given = field(input, 'tool_input')
    switch (text(input, 'tool_name')) {
      case 'fs_write':
      case 'fsWrite':
      case 'write':
        return editOf(cwd, text(given, 'path') ?? text(given, 'file_path'), writtenText(given))
      case 'execute_bash':
      case 'execute_cmd':
      case 'shell':
        return { event: 'edit', cwd, command: text(given, 'command') }
      default:
        return { event: 'other', cwd }
    }
  },
  answer({ denied, context }) {
    if (denied !== undefined) return { stderr: denied, exitCode: 2 }
    return context === undefined ? {} : { stdout: context }
  },
}
