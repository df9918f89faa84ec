import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { builtInFlows } from '../../src/engine/built-in/built-in-flows.ts'
import { sampleFlows } from '../../src/engine/built-in/samples/sample-flows.ts'
import { builtInAgents } from '../../src/orchestra/agents/built-in/built-in-agents.ts'
import { builtInWorkflows } from '../../src/orchestra/workflows/built-in/built-in-workflows.ts'

const commands =
  'serve|cluster|migrate|doctor|backup|restore|upgrade|login|logout|profiles|user|key|flows|run|runs|human-tasks|schedules|triggers|secrets|connections|executions|mcp|tours'
/** The command without `npx` or a folder in front: it is not on the PATH of a checkout. */
const bareCommand = new RegExp(String.raw`(?<!npx |[/\w-])tutti (?:${commands})\b`)

const read = (file: string) => readFileSync(file, 'utf8')

test.each(globSync('{*.md,docs/**/*.md}'))('commands of %s work in a checkout', (document) => {
  const blocks = [...read(document).matchAll(/^```(?:sh|json)(?: .*)?\n([\s\S]*?)^```/gm)].map(
    ([, block = '']) => block,
  )
  const lines = blocks.flatMap((block) => block.split('\n'))
  expect(lines.filter((line) => bareCommand.test(line) || /"command": "tutti"/.test(line))).toEqual([])
})

test('help texts, messages and pages name commands that work in a checkout', () => {
  const files = globSync('{src,console/src}/**/*.{ts,tsx}', { exclude: (name) => name.endsWith('.test.ts') })
  const bare = files.flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line) && !line.includes('`tutti '))
      .filter((line) => bareCommand.test(line) || /command: 'tutti'|"command": "tutti"/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(bare).toEqual([])
})

test.each([
  [
    'docs/guides/run-flows.md',
    [...builtInFlows, ...builtInWorkflows, ...sampleFlows].map(({ definition }) => definition.id),
  ],
  ['docs/guides/build-flows.md', sampleFlows.map(({ definition }) => definition.id)],
  ['docs/guides/agents.md', builtInWorkflows.map(({ definition }) => definition.id)],
  ['docs/guides/agents.md', builtInAgents.map(({ id }) => id)],
])('%s names every built-in item of its topic', (guide, ids) => {
  expect(ids.filter((id) => !read(guide).includes(id))).toEqual([])
})
