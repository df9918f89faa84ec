import { type AgentSetup, commandIn, markdownCommand } from '../setup.ts'

const hook = { command: 'node .tdd/hook.cjs --agent windsurf', show_output: true }

export const windsurfSetup: AgentSetup = {
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
