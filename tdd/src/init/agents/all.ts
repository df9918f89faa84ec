import { readFileSync } from 'node:fs'
import { type AgentSetup, commandIn, markdownCommand, ownMark, secondsToAnswer } from '../setup.ts'
import { claudeCodeSetup } from './claude-code.ts'
import { codexSetup } from './codex.ts'
import { copilotSetup } from './copilot.ts'
import { geminiSetup } from './gemini.ts'

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

// Cursor blocks on an answer it cannot read, so a hook that cannot start must still answer.
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
  // The plugin asks the hook itself; what it would run is known without reading anything.
  editCommand: () => 'node .tdd/hook.cjs --agent opencode',
  proofInput: (file, folder) => ({
    event: 'tool.execute.before',
    tool: 'write',
    args: { filePath: file, content: '' },
    directory: folder,
  }),
}

const hook = { command: 'node .tdd/hook.cjs --agent windsurf', show_output: true }

const windsurfSetup: AgentSetup = {
  name: 'windsurf',
  traces: ['.windsurf', '.windsurfrules'],
  settings: {
    path: '.windsurf/hooks.json',
    initial: {},
    entries: { pre_write_code: [hook], pre_run_command: [hook] },
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
