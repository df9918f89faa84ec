import { type AgentSetup, commandIn, ownMark, secondsToAnswer } from '../setup.ts'

const hook = {
  name: 'tutti-tdd',
  type: 'command',
  command: 'node "$GEMINI_PROJECT_DIR/.tdd/hook.cjs" --agent gemini',
  timeout: secondsToAnswer * 1000,
}

export const geminiSetup: AgentSetup = {
  name: 'gemini',
  traces: ['.gemini', 'GEMINI.md'],
  settings: {
    path: '.gemini/settings.json',
    initial: {},
    entries: {
      BeforeAgent: [{ hooks: [hook] }],
      BeforeTool: [{ matcher: 'write_file|replace|run_shell_command', hooks: [hook] }],
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
