import { field, text, writtenText } from './fields.ts'
import type { HookCall, Protocol } from './protocol.ts'

/** Cursor: always wants a JSON answer, since it blocks on anything it cannot read. Context goes in at the session's start. */
export const cursor: Protocol = {
  name: 'cursor',
  read(input, workingFolder) {
    const roots = field(input, 'workspace_roots')
    const firstRoot: unknown = Array.isArray(roots) ? roots[0] : undefined
    const cwd = text(input, 'cwd') ?? (typeof firstRoot === 'string' ? firstRoot : workingFolder)
    const event = text(input, 'hook_event_name')
    if (event === 'sessionStart') return { event: 'session', cwd }
    return event === 'preToolUse' ? readToolUse(input, cwd) : { event: 'other', cwd }
  },
  answer({ denied, context }, { event }) {
    if (event === 'session')
      return { stdout: JSON.stringify(context === undefined ? {} : { additional_context: context }) }
    if (denied !== undefined)
      return { stdout: JSON.stringify({ permission: 'deny', user_message: denied, agent_message: denied }) }
    return {
      stdout: JSON.stringify({
        permission: 'allow',
        ...(context === undefined ? {} : { agent_message: context }),
      }),
    }
  },
}

function readToolUse(input: unknown, cwd: string): HookCall {
  const given = field(input, 'tool_input')
  const path = text(given, 'file_path') ?? text(given, 'path')
  switch (text(input, 'tool_name')) {
    case 'Write':
    case 'Delete': {
      const kind = text(input, 'tool_name') === 'Delete' ? 'delete' : 'write'
      return path === undefined
        ? { event: 'other', cwd }
        : { event: 'edit', cwd, writes: [{ path, kind, text: writtenText(given) }] }
    }
    case 'Shell':
      return { event: 'edit', cwd: text(given, 'working_directory') ?? cwd, command: text(given, 'command') }
    default:
      return { event: 'other', cwd }
  }
}
