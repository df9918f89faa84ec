import { type AgentSetup, commandIn, markdownCommand, secondsToAnswer } from '../setup.ts'

const hook = {
  type: 'command',
  command: 'node "$(git rev-parse --show-toplevel)/.tdd/hook.cjs" --agent codex',
  timeout: secondsToAnswer,
}

export const codexSetup: AgentSetup = {
  name: 'codex',
  traces: ['.codex'],
  settings: {
    path: '.codex/hooks.json',
    initial: {},
    entries: {
      UserPromptSubmit: [{ hooks: [hook] }],
      PreToolUse: [{ matcher: 'apply_patch|Edit|Write|Bash', hooks: [hook] }],
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
  note: 'Codex runs a new hook only after you trusted it: type /hooks in Codex once.',
}
