import { type AgentSetup, commandIn, markdownCommand, secondsToAnswer } from '../setup.ts'

// Cursor blocks on an answer it cannot read, so a hook that cannot start must still answer.
const command = `node .tdd/hook.cjs --agent cursor || echo '{"permission":"allow"}'`

export const cursorSetup: AgentSetup = {
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
