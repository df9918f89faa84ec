import { hashOf } from '../protect/user-folder.ts'
import { field, text, writtenText } from './fields.ts'
import { writesOfPatch } from './patch.ts'
import type { HookCall, Protocol } from './protocol.ts'

/** Claude Code: `hook_event_name`, `tool_name` and `tool_input` on standard input; empty output allows a call. */
export const claudeCode: Protocol = {
  name: 'claude-code',
  read: readClaudeShape,
  answer({ denied, context }, { event, failed }) {
    if (denied !== undefined) return event === 'after' ? blockAfter(denied, failed) : deny(denied)
    if (context === undefined) return {}
    const hookEventName = event === 'prompt' ? 'UserPromptSubmit' : 'PreToolUse'
    return { stdout: JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: context } }) }
  },
}

/** The refusal format of Claude Code and Codex. `continue: false` would stop the whole agent, so it is never sent. */
function deny(reason: string) {
  const hookSpecificOutput = {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  }
  return { stdout: JSON.stringify({ hookSpecificOutput }) }
}

/** Tells the assistant after a tool that its effects were undone. The event after a failed tool takes context alone. */
function blockAfter(reason: string, failed: boolean | undefined) {
  if (failed !== true) return { stdout: JSON.stringify({ decision: 'block', reason }) }
  const hookSpecificOutput = { hookEventName: 'PostToolUseFailure', additionalContext: reason }
  return { stdout: JSON.stringify({ hookSpecificOutput }) }
}

/** Reads the input format that Claude Code introduced and Codex adopted. */
function readClaudeShape(input: unknown, workingFolder: string): HookCall {
  const cwd = text(input, 'cwd') ?? workingFolder
  const event = text(input, 'hook_event_name')
  const of = { id: text(input, 'tool_use_id'), session: text(input, 'session_id') }
  if (event === 'UserPromptSubmit') return { event: 'prompt', cwd, ...of, prompt: text(input, 'prompt') }
  const given = field(input, 'tool_input')
  const tool = text(input, 'tool_name') ?? ''
  const opaque = tool.startsWith('mcp__')
  if (event === 'PostToolUse' || event === 'PostToolUseFailure')
    return tool === 'Bash' || opaque
      ? {
          event: 'after',
          cwd,
          ...of,
          command: text(given, 'command'),
          failed: event === 'PostToolUseFailure',
          runsOn: field(given, 'run_in_background') === true,
        }
      : { event: 'other', cwd }
  if (event !== 'PreToolUse') return { event: 'other', cwd }
  if (opaque) return { event: 'edit', cwd, ...of, opaque }
  switch (tool) {
    case 'Edit':
    case 'Write':
    case 'MultiEdit':
      return editOf(cwd, text(given, 'file_path'), writtenText(given))
    case 'NotebookEdit':
      return editOf(cwd, text(given, 'notebook_path'), text(given, 'new_source'))
    case 'Bash':
      return { event: 'edit', cwd, ...of, command: text(given, 'command') }
    default:
      return { event: 'other', cwd }
  }
}

/** A call that writes one file; without a path there is no file to check. */
function editOf(cwd: string, path: string | undefined, written: string | undefined): HookCall {
  if (path === undefined) return { event: 'other', cwd }
  return { event: 'edit', cwd, writes: [{ path, kind: 'write', text: written }] }
}

/** Cursor: requires a JSON response, since it blocks on invalid output. Context is added at the start of the session. */
const cursor: Protocol = {
  name: 'cursor',
  read(input, workingFolder) {
    const roots = field(input, 'workspace_roots')
    const firstRoot: unknown = Array.isArray(roots) ? roots[0] : undefined
    const cwd = text(input, 'cwd') ?? (typeof firstRoot === 'string' ? firstRoot : workingFolder)
    const event = text(input, 'hook_event_name')
    const of = { id: text(input, 'tool_use_id'), session: text(input, 'conversation_id') }
    if (event === 'sessionStart') return { event: 'session', cwd, ...of }
    if (event === 'postToolUse' || event === 'postToolUseFailure') return readAfterTool(input, { cwd, ...of })
    return event === 'preToolUse' ? { ...readToolUse(input, cwd), ...of } : { event: 'other', cwd }
  },
  answer({ denied, context }, { event }) {
    if (event === 'session')
      return { stdout: JSON.stringify(context === undefined ? {} : { additional_context: context }) }
    if (event === 'after')
      return { stdout: JSON.stringify(denied === undefined ? {} : { additional_context: denied }) }
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

function readAfterTool(input: unknown, call: Omit<HookCall, 'event'>): HookCall {
  const tool = text(input, 'tool_name') ?? ''
  if (tool !== 'Shell' && !tool.startsWith('MCP:')) return { event: 'other', cwd: call.cwd }
  return { ...call, event: 'after', command: text(input, 'tool_input', 'command') }
}

function readToolUse(input: unknown, cwd: string): HookCall {
  if (text(input, 'tool_name')?.startsWith('MCP:') === true) return { event: 'edit', cwd, opaque: true }
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

/** Copilot CLI: the input has no event name, so its fields determine the event. Any exit code but 0 denies. */
const copilot: Protocol = {
  name: 'copilot',
  read(input, workingFolder) {
    const cwd = text(input, 'cwd') ?? workingFolder
    const tool = text(input, 'toolName')
    const session = text(input, 'sessionId')
    if (tool === undefined)
      return { event: text(input, 'source') === undefined ? 'other' : 'session', cwd, session }
    const given = argumentsOf(field(input, 'toolArgs'))
    switch (tool) {
      case 'create':
      case 'edit':
      case 'write':
        if (field(input, 'toolResult') !== undefined) return { event: 'other', cwd }
        return editOf(cwd, text(given, 'path'), writtenText(given))
      case 'bash':
      case 'powershell': {
        const isOver = field(input, 'toolResult') !== undefined || field(input, 'error') !== undefined
        return { event: isOver ? 'after' : 'edit', cwd, session, command: text(given, 'command') }
      }
      default:
        return { event: 'other', cwd }
    }
  },
  answer({ denied, context }, { event }) {
    if (denied !== undefined && event === 'after')
      return { stdout: JSON.stringify({ additionalContext: denied }) }
    if (denied !== undefined)
      return { stdout: JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: denied }) }
    return context === undefined ? {} : { stdout: JSON.stringify({ additionalContext: context }) }
  },
}

/** Reads the arguments, which are an object or JSON text. */
function argumentsOf(given: unknown): unknown {
  return typeof given === 'string' ? (JSON.parse(given) as unknown) : given
}

/** The tools of opencode itself; all others are of MCP servers and plugins. */
const ownTools: ReadonlySet<string> = new Set(
  'bash read write edit multiedit patch apply_patch grep glob list ls lsp task skill question todowrite todoread webfetch websearch codesearch batch invalid'.split(
    ' ',
  ),
)

/**
 * opencode runs plugins, not commands: the plugin of this tool calls the hook with its own event name, and throws on a
 * refusal.
 */
const opencode: Protocol = {
  name: 'opencode',
  read(input, workingFolder) {
    const cwd = text(input, 'directory') ?? workingFolder
    const event = text(input, 'event')
    const of = { id: text(input, 'callID'), session: text(input, 'sessionID') }
    if (event === 'chat.message') return { event: 'prompt', cwd, ...of, prompt: text(input, 'text') }
    const given = field(input, 'args')
    const tool = text(input, 'tool') ?? ''
    const opaque = tool !== '' && !ownTools.has(tool)
    if (event === 'tool.execute.after')
      return tool === 'bash' || opaque
        ? { event: 'after', cwd, ...of, command: text(given, 'command') }
        : { event: 'other', cwd }
    if (event !== 'tool.execute.before') return { event: 'other', cwd }
    if (opaque) return { event: 'edit', cwd, ...of, opaque }
    switch (tool) {
      case 'write':
      case 'edit':
        return editOf(cwd, text(given, 'filePath'), writtenText(given))
      case 'patch':
      case 'apply_patch':
        return { event: 'edit', cwd, writes: writesOfPatch(text(given, 'patchText') ?? '') }
      case 'bash':
        return { event: 'edit', cwd: text(given, 'workdir') ?? cwd, ...of, command: text(given, 'command') }
      default:
        return { event: 'other', cwd }
    }
  },
  answer({ denied, context }) {
    if (denied !== undefined) return { stdout: JSON.stringify({ denied }) }
    return context === undefined ? {} : { stdout: JSON.stringify({ context }) }
  },
}

/** Kiro: standard output at exit code 0 is context; exit code 2 and standard error refuse. Event names have two spellings. */
const kiro: Protocol = {
  name: 'kiro',
  read(input, workingFolder) {
    const cwd = text(input, 'cwd') ?? workingFolder
    const event = text(input, 'hook_event_name')?.toLowerCase()
    const session = text(input, 'session_id')
    if (event === 'userpromptsubmit') return { event: 'prompt', cwd, session, prompt: text(input, 'prompt') }
    const isOver = event === 'posttooluse'
    if (event !== 'pretooluse' && !isOver) return { event: 'other', cwd }
    const given = field(input, 'tool_input')
    switch (text(input, 'tool_name')) {
      case 'fs_write':
      case 'fsWrite':
      case 'write':
        if (isOver) return { event: 'other', cwd }
        return editOf(cwd, text(given, 'path') ?? text(given, 'file_path'), writtenText(given))
      case 'execute_bash':
      case 'execute_cmd':
      case 'shell':
        return { event: isOver ? 'after' : 'edit', cwd, session, command: text(given, 'command') }
      default:
        return { event: 'other', cwd }
    }
  },
  answer({ denied, context }) {
    if (denied !== undefined) return { stderr: denied, exitCode: 2 }
    return context === undefined ? {} : { stdout: context }
  },
}

/** Gemini CLI: `BeforeAgent` for prompts, `BeforeTool` for tools. */
const gemini: Protocol = {
  name: 'gemini',
  read(input, workingFolder) {
    const cwd = text(input, 'cwd') ?? workingFolder
    const event = text(input, 'hook_event_name')
    const session = text(input, 'session_id')
    if (event === 'BeforeAgent') return { event: 'prompt', cwd, session, prompt: text(input, 'prompt') }
    const isOver = event === 'AfterTool'
    if (event !== 'BeforeTool' && !isOver) return { event: 'other', cwd }
    const given = field(input, 'tool_input')
    const tool = text(input, 'tool_name') ?? ''
    if (tool.startsWith('mcp_')) {
      const id = `${session ?? ''}-${tool}-${hashOf(JSON.stringify(given) ?? '')}`
      return { event: isOver ? 'after' : 'edit', cwd, session, id, opaque: true }
    }
    switch (tool) {
      case 'write_file':
      case 'replace':
        if (isOver) return { event: 'other', cwd }
        return editOf(cwd, text(given, 'file_path'), writtenText(given))
      case 'run_shell_command':
        return { event: isOver ? 'after' : 'edit', cwd, session, command: text(given, 'command') }
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

/** Windsurf: exit code 2 and standard error refuse; other output is shown to the user. */
const windsurf: Protocol = {
  name: 'windsurf',
  read(input, workingFolder) {
    const info = field(input, 'tool_info')
    const cwd = text(info, 'cwd') ?? workingFolder
    const session = text(input, 'trajectory_id')
    switch (text(input, 'agent_action_name')) {
      case 'pre_write_code':
        return editOf(cwd, text(info, 'file_path'), writtenText(info))
      case 'pre_run_command':
        return { event: 'edit', cwd, session, command: text(info, 'command_line') }
      case 'post_run_command':
        return { event: 'after', cwd, session, command: text(info, 'command_line') }
      default:
        return { event: 'other', cwd }
    }
  },
  answer({ denied, context }) {
    if (denied !== undefined) return { stderr: denied, exitCode: 2 }
    return context === undefined ? {} : { stdout: context }
  },
}

/** Codex: the format of Claude Code, with patches of several files. Only a refusal may be sent as a decision. */
const codex: Protocol = {
  name: 'codex',
  read(input, workingFolder) {
    if (text(input, 'tool_name') !== 'apply_patch' || text(input, 'hook_event_name') === 'PostToolUse')
      return readClaudeShape(input, workingFolder)
    const cwd = text(input, 'cwd') ?? workingFolder
    const command = field(input, 'tool_input', 'command') ?? field(input, 'tool_input', 'input')
    const patch = Array.isArray(command) ? command.join('\n') : typeof command === 'string' ? command : ''
    return { event: 'edit', cwd, writes: writesOfPatch(patch) }
  },
  answer({ denied, context }, { event }) {
    if (denied !== undefined) return event === 'after' ? blockAfter(denied, false) : deny(denied)
    if (context === undefined) return {}
    if (event !== 'prompt') return { stdout: JSON.stringify({ systemMessage: context }) }
    const hookSpecificOutput = { hookEventName: 'UserPromptSubmit', additionalContext: context }
    return { stdout: JSON.stringify({ hookSpecificOutput }) }
  },
}

/** The native protocols, by the name that `--agent` takes. */
export const nativeProtocols: readonly Protocol[] = [
  claudeCode,
  codex,
  gemini,
  cursor,
  copilot,
  windsurf,
  opencode,
  kiro,
]

const fileTools = new Set(['Edit', 'Write', 'MultiEdit'])

/**
 * The documented protocol: `{event, prompt, data: {toolName, args: {file_path}}}` as the first argument; the response is
 * `{continue, context?, reason?}`. Tools other than Edit, Write and MultiEdit are always allowed.
 */
export const argumentProtocol: Protocol = {
  name: 'argument',
  read(input, workingFolder) {
    const cwd = text(input, 'cwd') ?? workingFolder
    const event = text(input, 'event')
    if (event === 'UserPromptSubmit') return { event: 'prompt', cwd, prompt: text(input, 'prompt') }
    const path = text(input, 'data', 'args', 'file_path')
    const tool = text(input, 'data', 'toolName') ?? ''
    if (event !== 'PreToolUse' || path === undefined || !fileTools.has(tool)) return { event: 'other', cwd }
    return {
      event: 'edit',
      cwd,
      writes: [{ path, kind: 'write', text: writtenText(field(input, 'data', 'args')) }],
    }
  },
  answer({ denied, context }) {
    const answer =
      denied !== undefined
        ? { continue: false, reason: denied }
        : { continue: true, ...(context === undefined ? {} : { context }) }
    return { stdout: JSON.stringify(answer) }
  },
}
