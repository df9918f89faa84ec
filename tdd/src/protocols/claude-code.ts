import { field, text, writtenText } from './fields.ts'
import type { HookCall, Protocol } from './protocol.ts'

/** Claude Code: `hook_event_name`, `tool_name` and `tool_input` on standard input; silence lets a call pass. */
export const claudeCode: Protocol = {
  name: 'claude-code',
  read: readClaudeShape,
  answer({ denied, context }, { event }) {
    if (denied !== undefined) return deny(denied)
    if (context === undefined) return {}
    const hookEventName = event === 'prompt' ? 'UserPromptSubmit' : 'PreToolUse'
    return { stdout: JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: context } }) }
  },
}

/** The refusal Claude Code and Codex share. `continue: false` would stop the whole agent, so it is never sent. */
export function deny(reason: string) {
  const hookSpecificOutput = {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  }
  return { stdout: JSON.stringify({ hookSpecificOutput }) }
}

/** Reads the shape that Claude Code began and Codex took over. */
export function readClaudeShape(input: unknown, workingFolder: string): HookCall {
  const cwd = text(input, 'cwd') ?? workingFolder
  const event = text(input, 'hook_event_name')
  if (event === 'UserPromptSubmit') return { event: 'prompt', cwd, prompt: text(input, 'prompt') }
  if (event !== 'PreToolUse') return { event: 'other', cwd }
  const given = field(input, 'tool_input')
  switch (text(input, 'tool_name')) {
    case 'Edit':
    case 'Write':
    case 'MultiEdit':
      return editOf(cwd, text(given, 'file_path'), writtenText(given))
    case 'NotebookEdit':
      return editOf(cwd, text(given, 'notebook_path'), text(given, 'new_source'))
    case 'Bash':
      return { event: 'edit', cwd, command: text(given, 'command') }
    default:
      return { event: 'other', cwd }
  }
}

/** A call that writes one file; without a path there is nothing to judge. */
export function editOf(cwd: string, path: string | undefined, written: string | undefined): HookCall {
  if (path === undefined) return { event: 'other', cwd }
  return { event: 'edit', cwd, writes: [{ path, kind: 'write', text: written }] }
}
