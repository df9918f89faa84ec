import { editOf } from './claude-code.ts'
import { field, text, writtenText } from './fields.ts'
import type { Protocol } from './protocol.ts'

/** Windsurf: exit code 2 and standard error refuse; what is printed otherwise is shown to the person. */
export const windsurf: Protocol = {
  name: 'windsurf',
  read(input, workingFolder) {
    const info = field(input, 'tool_info')
    const cwd = text(info, 'cwd') ?? workingFolder
    switch (text(input, 'agent_action_name')) {
      case 'pre_write_code':
        return editOf(cwd, text(info, 'file_path'), writtenText(info))
      case 'pre_run_command':
        return { event: 'edit', cwd, command: text(info, 'command_line') }
      default:
        return { event: 'other', cwd }
    }
  },
  answer({ denied, context }) {
    if (denied !== undefined) return { stderr: denied, exitCode: 2 }
    return context === undefined ? {} : { stdout: context }
  },
}
