import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testHome } from '../../test/support/home.ts'
import { aside } from '../aside.ts'
import { heavy } from '../commands.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { argumentProtocol, claudeCode } from '../protocols/protocols.ts'
import { handleHook } from './hook.ts'

const files = {
  implementation: 'src/cart.ts',
  test: 'src/cart.test.ts',
  neutral: 'README.md',
  generated: 'dist/cart.js',
  state: '.tdd/state.json',
  rules: 'tdd.config.yaml',
  hooks: '.claude/settings.json',
} as const
const phases = ['RED', 'GREEN', 'REFACTOR', 'unknown'] as const
const levels = ['strict', 'warn', 'off'] as const

type Kind = keyof typeof files
type Outcome = 'deny' | 'warn' | 'allow'

/** The expected outcome at the level `strict`; `warn` never denies, and `off` returns no message. */
const strict: Readonly<Record<(typeof phases)[number], Readonly<Record<Kind, Outcome>>>> = {
  RED: {
    implementation: 'deny',
    test: 'allow',
    neutral: 'allow',
    generated: 'allow',
    state: 'deny',
    rules: 'deny',
    hooks: 'deny',
  },
  GREEN: {
    implementation: 'allow',
    test: 'warn',
    neutral: 'allow',
    generated: 'allow',
    state: 'deny',
    rules: 'deny',
    hooks: 'deny',
  },
  REFACTOR: {
    implementation: 'warn',
    test: 'warn',
    neutral: 'allow',
    generated: 'allow',
    state: 'deny',
    rules: 'deny',
    hooks: 'deny',
  },
  unknown: {
    implementation: 'warn',
    test: 'allow',
    neutral: 'allow',
    generated: 'allow',
    state: 'deny',
    rules: 'deny',
    hooks: 'deny',
  },
}

interface Tool {
  readonly protocol: Protocol
  readonly name: string
  /** Whether the rules apply to the tool call in that protocol. */
  readonly checked: boolean
  readonly input: (file: string) => object
}

const inArguments = (name: string, checked: boolean): Tool => ({
  protocol: argumentProtocol,
  name,
  checked,
  input: (file) => ({
    event: 'PreToolUse',
    data: { toolName: name, args: { file_path: file, command: `echo > ${file}` } },
  }),
})
const native = (name: string, checked: boolean, input: (file: string) => object): Tool => ({
  protocol: claudeCode,
  name,
  checked,
  input: (file) => ({ hook_event_name: 'PreToolUse', tool_name: name, tool_input: input(file) }),
})

const tools: readonly Tool[] = [
  inArguments('Edit', true),
  inArguments('Write', true),
  inArguments('MultiEdit', true),
  inArguments('NotebookEdit', false),
  inArguments('Bash', false),
  inArguments('Read', false),
  native('Edit', true, (file) => ({ file_path: file })),
  native('Write', true, (file) => ({ file_path: file })),
  native('MultiEdit', true, (file) => ({ file_path: file })),
  native('NotebookEdit', true, (file) => ({ notebook_path: file })),
  native('Bash', true, (file) => ({ command: `echo x > ${file}` })),
  native('Read', false, (file) => ({ file_path: file })),
]

const roots = new Map<string, string>()
afterAll(() => {
  for (const root of roots.values()) rmSync(root, { recursive: true, force: true })
})

/** A project in a phase, at a level; created once for all cells of the table that use it. */
function projectIn(phase: (typeof phases)[number], level: (typeof levels)[number]): string {
  const key = `${phase} ${level}`
  const known = roots.get(key)
  if (known !== undefined) return known
  const root = realpathSync(mkdtempSync(join(testHome, 'tutti-tdd-table-')))
  roots.set(key, root)
  mkdirSync(join(root, '.tdd'))
  const at = '2026-11-15T09:00:00.000Z'
  const packages = phase === 'unknown' ? {} : { '.': { phase, feature: 'cart', since: at } }
  writeFileSync(
    join(root, '.tdd/state.json'),
    JSON.stringify({ version: 1, revision: 1, session: { startedAt: at }, packages }),
  )
  writeFileSync(join(root, 'tdd.config.yaml'), `team:\n  enforcementLevel: ${level}\n`)
  return root
}

function outcomeOf(cwd: string, { protocol, input }: Tool, file: string): Outcome {
  const call = protocol.read(input(file), cwd)
  const load = { aside: () => aside, heavy: () => heavy }
  const decision = handleHook(call, { agent: protocol.name, now: new Date('2026-11-15T10:00:00Z'), load })
  return decision.denied !== undefined ? 'deny' : decision.context !== undefined ? 'warn' : 'allow'
}

for (const phase of phases) {
  for (const level of levels) {
    test.each(tools.map((tool) => [tool.protocol.name, tool.name, tool] as const))(
      `${phase}, ${level}: %s %s is checked for every class of file`,
      (_protocol, _name, tool) => {
        const cwd = projectIn(phase, level)
        for (const [kind, file] of Object.entries(files) as [Kind, string][]) {
          const full = strict[phase][kind]
          const atLevel = level === 'off' ? 'allow' : level === 'warn' && full === 'deny' ? 'warn' : full
          const expected = tool.checked ? atLevel : 'allow'
          expect(`${kind}: ${outcomeOf(cwd, tool, file)}`).toBe(`${kind}: ${expected}`)
        }
      },
    )
  }
}

test('a refusal names the file, its class, the rule and the next command', () => {
  const cwd = projectIn('RED', 'strict')
  const tool = inArguments('Write', true)
  const call = tool.protocol.read(tool.input('src/cart.ts'), cwd)
  const load = { aside: () => aside, heavy: () => heavy }
  const { denied = '' } = handleHook(call, { agent: 'argument', now: new Date(), load })
  for (const part of [
    'src/cart.ts',
    'implementation',
    'red-tests-only',
    'in RED only tests may change',
    '/tdd-green cart',
  ])
    expect(denied).toContain(part)
})
