import { readFileSync } from 'node:fs'
import { type AgentSetup, markdownCommand, ownMark } from '../setup.ts'

export const opencodeSetup: AgentSetup = {
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
