import { type AgentSetup, commandIn, markdownCommand, ownMark, secondsToAnswer } from '../setup.ts'

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

export const kiroSetup: AgentSetup = {
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
