import { readFileSync } from 'node:fs'
import {
  type AgentSetup,
  callsAfter,
  commandAfter,
  commandIn,
  type Json,
  markdownCommand,
  ownMark,
  secondsToAnswer,
} from './setup.ts'

const geminiHook = {
  name: 'tutti-tdd',
  type: 'command',
  command: 'node "$GEMINI_PROJECT_DIR/.tdd/hook.cjs" --agent gemini',
  timeout: secondsToAnswer * 1000,
}

const geminiAfterHook = {
  ...geminiHook,
  command: commandAfter('"$GEMINI_PROJECT_DIR/.tdd/hook.cjs"', 'gemini'),
}

const geminiSetup: AgentSetup = {
  name: 'gemini',
  traces: ['.gemini', 'GEMINI.md'],
  settings: {
    path: '.gemini/settings.json',
    initial: {},
    entries: {
      BeforeAgent: [{ hooks: [geminiHook] }],
      BeforeTool: [{ matcher: 'write_file|replace|run_shell_command|mcp_.*', hooks: [geminiHook] }],
      AfterTool: [{ matcher: 'run_shell_command|mcp_.*', hooks: [geminiAfterHook] }],
    },
  },
  hookFile: '.gemini/settings.json',
  ownFiles: () => [],
  slashFile: ({ name, description, body }) => ({
    path: `.gemini/commands/${name}.toml`,
    content: `# ${ownMark}\ndescription = ${JSON.stringify(description)}\nprompt = """\n${body('{{args}}')}\n"""\n`,
  }),
  editCommand: (settings) => commandIn(settings, 'BeforeTool'),
  comparesAfter: (settings) => callsAfter(settings, ['AfterTool']),
  proofInput: (file, folder) => ({
    session_id: 'doctor',
    cwd: folder,
    hook_event_name: 'BeforeTool',
    tool_name: 'write_file',
    tool_input: { file_path: file, content: '' },
  }),
}

// Any exit code but 0 denies, so a hook that cannot start must still exit with 0.
const copilotHook = {
  type: 'command',
  bash: 'node .tdd/hook.cjs --agent copilot || true',
  powershell: 'node .tdd/hook.cjs --agent copilot; exit 0',
  cwd: '.',
  timeoutSec: secondsToAnswer,
  comment: ownMark,
}

const copilotAfterHook = {
  ...copilotHook,
  bash: `${commandAfter('.tdd/hook.cjs', 'copilot')} || true`,
  powershell: `${commandAfter('.tdd/hook.cjs', 'copilot')}; exit 0`,
}

const copilotHooks = {
  sessionStart: [copilotHook],
  preToolUse: [copilotHook],
  postToolUse: [copilotAfterHook],
  postToolUseFailure: [copilotAfterHook],
}

const copilotSetup: AgentSetup = {
  name: 'copilot',
  traces: ['.github/hooks', '.github/copilot-instructions.md'],
  hookFile: '.github/hooks/tutti-tdd.json',
  ownFiles: () => [
    {
      path: '.github/hooks/tutti-tdd.json',
      content: `${JSON.stringify({ version: 1, hooks: copilotHooks }, null, 2)}\n`,
    },
  ],
  slashFile: ({ name, description, body }) =>
    markdownCommand(`.github/skills/${name}/SKILL.md`, { name, description }, body('as the person named it')),
  editCommand: (settings) => commandIn(settings, 'preToolUse'),
  comparesAfter: (settings) => callsAfter(settings, ['postToolUse', 'postToolUseFailure']),
  proofInput: (file, folder) => ({
    timestamp: 0,
    cwd: folder,
    toolName: 'create',
    toolArgs: JSON.stringify({ path: file, file_text: '' }),
  }),
}

const codexHook = {
  type: 'command',
  command: 'node "$(git rev-parse --show-toplevel)/.tdd/hook.cjs" --agent codex',
  timeout: secondsToAnswer,
}

const codexAfterHook = {
  ...codexHook,
  command: commandAfter('"$(git rev-parse --show-toplevel)/.tdd/hook.cjs"', 'codex'),
}

const codexSetup: AgentSetup = {
  name: 'codex',
  traces: ['.codex'],
  settings: {
    path: '.codex/hooks.json',
    initial: {},
    entries: {
      UserPromptSubmit: [{ hooks: [codexHook] }],
      PreToolUse: [{ matcher: 'apply_patch|Edit|Write|Bash|mcp__.*', hooks: [codexHook] }],
      PostToolUse: [{ matcher: 'Bash|mcp__.*', hooks: [codexAfterHook] }],
    },
  },
  hookFile: '.codex/hooks.json',
  ownFiles: () => [],
  slashFile: ({ name, description, body }) =>
    markdownCommand(`.agents/skills/${name}/SKILL.md`, { name, description }, body('as the person named it')),
  editCommand: (settings) => commandIn(settings, 'PreToolUse'),
  comparesAfter: (settings) => callsAfter(settings, ['PostToolUse']),
  proofInput: (file, folder) => ({
    session_id: 'doctor',
    cwd: folder,
    hook_event_name: 'PreToolUse',
    tool_name: 'apply_patch',
    tool_input: { command: `*** Begin Patch\n*** Add File: ${file}\n+\n*** End Patch` },
  }),
  note: 'Codex runs a new codexHook only after you trusted it: type /hooks in Codex once.',
}

const claudeCodeHook = {
  type: 'command',
  command: 'node "$CLAUDE_PROJECT_DIR/.tdd/hook.cjs" --agent claude-code',
  timeout: secondsToAnswer,
}

const claudeCodeAfterHook = {
  ...claudeCodeHook,
  command: commandAfter('"$CLAUDE_PROJECT_DIR/.tdd/hook.cjs"', 'claude-code'),
}

const claudeCodeSetup: AgentSetup = {
  name: 'claude-code',
  traces: ['.claude', 'CLAUDE.md'],
  settings: {
    path: '.claude/settings.json',
    initial: {},
    entries: {
      UserPromptSubmit: [{ hooks: [claudeCodeHook] }],
      PreToolUse: [{ matcher: 'Edit|Write|MultiEdit|NotebookEdit|Bash|mcp__.*', hooks: [claudeCodeHook] }],
      PostToolUse: [{ matcher: 'Bash|mcp__.*', hooks: [claudeCodeAfterHook] }],
      PostToolUseFailure: [{ matcher: 'Bash|mcp__.*', hooks: [claudeCodeAfterHook] }],
    },
  },
  hookFile: '.claude/settings.json',
  ownFiles: () => [],
  slashFile: ({ name, description, body }) =>
    markdownCommand(
      `.claude/commands/${name}.md`,
      { description, 'argument-hint': '[feature]' },
      body('$ARGUMENTS'),
    ),
  editCommand: (settings) => commandIn(settings, 'PreToolUse'),
  comparesAfter: (settings) => callsAfter(settings, ['PostToolUse', 'PostToolUseFailure']),
  proofInput: (file, folder) => ({
    session_id: 'doctor',
    cwd: folder,
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: file, content: '' },
  }),
}

function hookOn(trigger: string, matcher?: string, command = 'node .tdd/hook.cjs --agent kiro') {
  return {
    name: `tutti-tdd ${trigger}`,
    description: ownMark,
    trigger,
    ...(matcher === undefined ? {} : { matcher }),
    action: { type: 'command', command },
    timeout: secondsToAnswer,
    enabled: true,
  }
}

const hooks = [
  hookOn('UserPromptSubmit'),
  hookOn('PreToolUse', '^(fs_write|fsWrite|write|execute_bash|execute_cmd|shell)$'),
  hookOn('PostToolUse', '^(execute_bash|execute_cmd|shell)$', commandAfter('.tdd/hook.cjs', 'kiro')),
]

/** Kiro lists its hooks; the others name them by event. */
function byTrigger(settings: Json): Json {
  const list = Array.isArray(settings['hooks']) ? (settings['hooks'] as { trigger?: unknown }[]) : []
  return { hooks: Object.fromEntries(list.map((hook) => [String(hook.trigger), [hook]])) }
}

const kiroSetup: AgentSetup = {
  name: 'kiro',
  traces: ['.kiro'],
  hookFile: '.kiro/hooks/tutti-tdd.json',
  ownFiles: () => [
    { path: '.kiro/hooks/tutti-tdd.json', content: `${JSON.stringify({ version: 'v1', hooks }, null, 2)}\n` },
  ],
  slashFile: ({ name, body }) =>
    markdownCommand(`.kiro/prompts/${name}.md`, {}, body('as the person named it')),
  editCommand: (settings) => commandIn(byTrigger(settings), 'PreToolUse'),
  comparesAfter: (settings) => callsAfter(byTrigger(settings), ['PostToolUse']),
  proofInput: (file, folder) => ({
    hook_event_name: 'preToolUse',
    cwd: folder,
    tool_name: 'fs_write',
    tool_input: { command: 'create', path: file, file_text: '' },
  }),
}

// Cursor blocks on invalid output, so a hook that cannot start must still print a response.
const command = `node .tdd/hook.cjs --agent cursor || echo '{"permission":"allow"}'`

const cursorAfterHook = {
  command: `${commandAfter('.tdd/hook.cjs', 'cursor')} || echo '{}'`,
  timeout: secondsToAnswer,
  matcher: 'Shell|MCP.*',
}

const cursorSetup: AgentSetup = {
  name: 'cursor',
  traces: ['.cursor', '.cursorrules'],
  settings: {
    path: '.cursor/hooks.json',
    initial: { version: 1 },
    entries: {
      sessionStart: [{ command, timeout: secondsToAnswer }],
      preToolUse: [{ command, timeout: secondsToAnswer, matcher: 'Write|Delete|Shell|MCP.*' }],
      postToolUse: [cursorAfterHook],
      postToolUseFailure: [cursorAfterHook],
    },
  },
  hookFile: '.cursor/hooks.json',
  ownFiles: () => [],
  slashFile: ({ name, body }) =>
    markdownCommand(`.cursor/commands/${name}.md`, {}, body('as the person named it')),
  editCommand: (settings) => commandIn(settings, 'preToolUse'),
  comparesAfter: (settings) => callsAfter(settings, ['postToolUse', 'postToolUseFailure']),
  proofInput: (file, folder) => ({
    conversation_id: 'doctor',
    hook_event_name: 'preToolUse',
    workspace_roots: [folder],
    cwd: folder,
    tool_name: 'Write',
    tool_input: { file_path: file, content: '' },
  }),
}

const opencodeSetup: AgentSetup = {
  name: 'opencode',
  traces: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  hookFile: '.opencode/plugins/tutti-tdd.js',
  ownFiles: (distFolder) => [
    {
      path: '.opencode/plugins/tutti-tdd.js',
      content: `// ${ownMark}\n${readFileSync(`${distFolder}/opencode-plugin.mjs`, 'utf8')}`,
    },
  ],
  slashFile: ({ name, description, body }) =>
    markdownCommand(`.opencode/commands/${name}.md`, { description }, body('$ARGUMENTS')),
  // The plugin calls the hook itself, so the command is constant.
  editCommand: () => 'node .tdd/hook.cjs --agent opencode',
  comparesAfter: (_settings, content) => content.includes('tool.execute.after'),
  proofInput: (file, folder) => ({
    event: 'tool.execute.before',
    tool: 'write',
    args: { filePath: file, content: '' },
    directory: folder,
  }),
}

const windsurfHook = { command: 'node .tdd/hook.cjs --agent windsurf', show_output: true }

const windsurfAfterHook = { ...windsurfHook, command: commandAfter('.tdd/hook.cjs', 'windsurf') }

const windsurfSetup: AgentSetup = {
  name: 'windsurf',
  traces: ['.windsurf', '.windsurfrules'],
  settings: {
    path: '.windsurf/hooks.json',
    initial: {},
    entries: {
      pre_write_code: [windsurfHook],
      pre_run_command: [windsurfHook],
      post_run_command: [windsurfAfterHook],
    },
  },
  hookFile: '.windsurf/hooks.json',
  ownFiles: () => [],
  slashFile: ({ name, description, body }) =>
    markdownCommand(`.windsurf/workflows/${name}.md`, { description }, body('as the person named it')),
  editCommand: (settings) => commandIn(settings, 'pre_write_code'),
  comparesAfter: (settings) => callsAfter(settings, ['post_run_command']),
  proofInput: (file) => ({
    agent_action_name: 'pre_write_code',
    trajectory_id: 'doctor',
    tool_info: { file_path: file, edits: [] },
  }),
}

/** The assistants that can be set up. */
export const agentSetups: readonly AgentSetup[] = [
  claudeCodeSetup,
  codexSetup,
  geminiSetup,
  cursorSetup,
  copilotSetup,
  windsurfSetup,
  opencodeSetup,
  kiroSetup,
]
