import { readFileSync } from 'node:fs'
import { type AgentSetup, commandIn, markdownCommand, ownMark, secondsToAnswer } from './setup.ts'

const geminiHook = {
  name: 'tutti-tdd',
  type: 'command',
  command: 'node "$GEMINI_PROJECT_DIR/.tdd/hook.cjs" --agent gemini',
  timeout: secondsToAnswer * 1000,
}

const geminiSetup: AgentSetup = {
  name: 'gemini',
  traces: ['.gemini', 'GEMINI.md'],
  settings: {
    path: '.gemini/settings.json',
    initial: {},
    entries: {
      BeforeAgent: [{ hooks: [geminiHook] }],
      BeforeTool: [{ matcher: 'write_file|replace|run_shell_command', hooks: [geminiHook] }],
    },
  },
  hookFile: '.gemini/settings.json',
  ownFiles: () => [],
  slashFile: ({ name, description, body }) => ({
    path: `.gemini/commands/${name}.toml`,
    content: `# ${ownMark}\ndescription = ${JSON.stringify(description)}\nprompt = """\n${body('{{args}}')}\n"""\n`,
  }),
  editCommand: (settings) => commandIn(settings, 'BeforeTool'),
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

const copilotSetup: AgentSetup = {
  name: 'copilot',
  traces: ['.github/hooks', '.github/copilot-instructions.md'],
  hookFile: '.github/hooks/tutti-tdd.json',
  ownFiles: () => [
    {
      path: '.github/hooks/tutti-tdd.json',
      content: `${JSON.stringify({ version: 1, hooks: { sessionStart: [copilotHook], preToolUse: [copilotHook] } }, null, 2)}\n`,
    },
  ],
  slashFile: ({ name, description, body }) =>
    markdownCommand(`.github/skills/${name}/SKILL.md`, { name, description }, body('as the person named it')),
  editCommand: (settings) => commandIn(settings, 'preToolUse'),
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

const codexSetup: AgentSetup = {
  name: 'codex',
  traces: ['.codex'],
  settings: {
    path: '.codex/hooks.json',
    initial: {},
    entries: {
      UserPromptSubmit: [{ hooks: [codexHook] }],
      PreToolUse: [{ matcher: 'apply_patch|Edit|Write|Bash', hooks: [codexHook] }],
    },
  },
  hookFile: '.codex/hooks.json',
  ownFiles: () => [],
  slashFile: ({ name, description, body }) =>
    markdownCommand(`.agents/skills/${name}/SKILL.md`, { name, description }, body('as the person named it')),
  editCommand: (settings) => commandIn(settings, 'PreToolUse'),
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

const claudeCodeSetup: AgentSetup = {
  name: 'claude-code',
  traces: ['.claude', 'CLAUDE.md'],
  settings: {
    path: '.claude/settings.json',
    initial: {},
    entries: {
      UserPromptSubmit: [{ hooks: [claudeCodeHook] }],
      PreToolUse: [{ matcher: 'Edit|Write|MultiEdit|NotebookEdit|Bash', hooks: [claudeCodeHook] }],
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
  proofInput: (file, folder) => ({
    session_id: 'doctor',
    cwd: folder,
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: file, content: '' },
  }),
}

function hookOn(trigger: string, matcher?: string) {
  return {
    name: `tutti-tdd ${trigger}`,
    description: ownMark,
    trigger,
    ...(matcher === undefined ? {} : { matcher }),
    action: { type: 'command', command: 'node .tdd/hook.cjs --agent kiro' },
    timeout: secondsToAnswer,
    enabled: true,
  }
}

const hooks = [
  hookOn('UserPromptSubmit'),
  hookOn('PreToolUse', '^(fs_write|fsWrite|write|execute_bash|execute_cmd|shell)$'),
]

const kiroSetup: AgentSetup = {
  name: 'kiro',
  traces: ['.kiro'],
  hookFile: '.kiro/hooks/tutti-tdd.json',
  ownFiles: () => [
    { path: '.kiro/hooks/tutti-tdd.json', content: `${JSON.stringify({ version: 'v1', hooks }, null, 2)}\n` },
  ],
  slashFile: ({ name, body }) =>
    markdownCommand(`.kiro/prompts/${name}.md`, {}, body('as the person named it')),
  editCommand: (settings) => {
    const list = Array.isArray(settings['hooks']) ? (settings['hooks'] as { trigger?: unknown }[]) : []
    return commandIn({ hooks: { edit: list.filter(({ trigger }) => trigger === 'PreToolUse') } }, 'edit')
  },
  proofInput: (file, folder) => ({
    hook_event_name: 'preToolUse',
    cwd: folder,
    tool_name: 'fs_write',
    tool_input: { command: 'create', path: file, file_text: '' },
  }),
}

// Cursor blocks on invalid output, so a hook that cannot start must still print a response.
const command = `node .tdd/hook.cjs --agent cursor || echo '{"permission":"allow"}'`

const cursorSetup: AgentSetup = {
  name: 'cursor',
  traces: ['.cursor', '.cursorrules'],
  settings: {
    path: '.cursor/hooks.json',
    initial: { version: 1 },
    entries: {
      sessionStart: [{ command, timeout: secondsToAnswer }],
      preToolUse: [{ command, timeout: secondsToAnswer, matcher: 'Write|Delete|Shell' }],
    },
  },
  hookFile: '.cursor/hooks.json',
  ownFiles: () => [],
  slashFile: ({ name, body }) =>
    markdownCommand(`.cursor/commands/${name}.md`, {}, body('as the person named it')),
  editCommand: (settings) => commandIn(settings, 'preToolUse'),
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
  proofInput: (file, folder) => ({
    event: 'tool.execute.before',
    tool: 'write',
    args: { filePath: file, content: '' },
    directory: folder,
  }),
}

const windsurfHook = { command: 'node .tdd/hook.cjs --agent windsurf', show_output: true }

const windsurfSetup: AgentSetup = {
  name: 'windsurf',
  traces: ['.windsurf', '.windsurfrules'],
  settings: {
    path: '.windsurf/hooks.json',
    initial: {},
    entries: { pre_write_code: [windsurfHook], pre_run_command: [windsurfHook] },
  },
  hookFile: '.windsurf/hooks.json',
  ownFiles: () => [],
  slashFile: ({ name, description, body }) =>
    markdownCommand(`.windsurf/workflows/${name}.md`, { description }, body('as the person named it')),
  editCommand: (settings) => commandIn(settings, 'pre_write_code'),
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
