import { type AgentSetup, commandIn, markdownCommand, ownMark, secondsToAnswer } from '../setup.ts'

// Any exit code but 0 denies, so a hook that cannot start must still end well.
const hook = {
  type: 'command',
  bash: 'node .tdd/hook.cjs --agent copilot || true',
  powershell: 'node .tdd/hook.cjs --agent copilot; exit 0',
  cwd: '.',
  timeoutSec: secondsToAnswer,
  comment: ownMark,
}

export const copilotSetup: AgentSetup = {
  name: 'copilot',
  traces: ['.github/hooks', '.github/copilot-instructions.md'],
  hookFile: '.github/hooks/tutti-tdd.json',
  ownFiles: () => [
    {
      path: '.github/hooks/tutti-tdd.json',
      content: `${JSON.stringify({ version: 1, hooks: { sessionStart: [hook], preToolUse: [hook] } }, null, 2)}\n`,
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
