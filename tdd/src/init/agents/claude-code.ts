import { type AgentSetup, commandIn, markdownCommand, secondsToAnswer } from '../setup.ts'

const hook = {
  type: 'command',
  command: 'node "$CLAUDE_PROJECT_DIR/.tdd/hook.cjs" --agent claude-code',
  timeout: secondsToAnswer,
}

export const claudeCodeSetup: AgentSetup = {
  name: 'claude-code',
  traces: ['.claude', 'CLAUDE.md'],
  settings: {
    path: '.claude/settings.json',
    initial: {},
    entries: {
      UserPromptSubmit: [{ hooks: [hook] }],
      PreToolUse: [{ matcher: 'Edit|Write|MultiEdit|NotebookEdit|Bash', hooks: [hook] }],
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
