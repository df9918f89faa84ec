import { expect, test } from 'vitest'
import { findToolProblems, nativeToolsOf, translateTools } from './tools.ts'

const find = { type: 'function', name: 'find', description: 'Finds one.' }
const shell = { type: 'custom', name: 'shell' }

test('custom tools and namespaces become functions, whose calls are found again', () => {
  const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' }
  const tools = translateTools([
    find,
    { ...shell, description: 'Runs a command.', format: grammar },
    { type: 'namespace', name: 'crm', description: 'Customers.', tools: [find, shell] },
    { type: 'namespace', name: 'mcp__files__', tools: [find] },
    { type: 'web_search' },
  ])
  expect(tools.definitions.map(({ name, description }) => [name, description])).toEqual([
    ['find', 'Finds one.'],
    ['shell', 'Runs a command.\n\nThe input must match this lark grammar:\nstart: "a"'],
    ['crm__find', 'Customers.\n\nFinds one.'],
    ['crm__shell', 'Customers.'],
    ['mcp__files__find', 'Finds one.'],
  ])
  expect(tools.definitions[1]?.parameters).toMatchObject({ required: ['input'] })
  for (const { name, reference } of tools.definitions) {
    expect(tools.referenceOf(name)).toBe(reference)
    expect(tools.functionNameOf(reference)).toBe(name)
  }
  expect(tools.referenceOf('crm__shell')).toEqual({ kind: 'custom', name: 'shell', namespace: 'crm' })
  expect(tools.referenceOf('other')).toEqual({ kind: 'function', name: 'other' })
})

test('names are unique and have at most 64 characters', () => {
  const long = 'x'.repeat(60)
  const group = (name: string) => ({
    type: 'namespace',
    name,
    tools: [find, { type: 'custom', name: 'find' }],
  })
  const { definitions } = translateTools([
    { ...find, name: 'crm__find' },
    group('crm'),
    group(`${long}a`),
    group(`${long}b`),
  ])
  const names = definitions.map(({ name }) => name)
  expect(new Set(names).size).toBe(7)
  expect(names.slice(0, 3)).toEqual(['crm__find', 'crm__find_2', 'crm__find_3'])
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(66)
})

test('tools that run at OpenAI are named with their paths', () => {
  const group = { type: 'namespace', name: 'crm', tools: [find, { type: 'file_search' }] }
  expect(nativeToolsOf([find, { type: 'local_shell' }, group, shell])).toEqual([
    { path: 'tools[1].type', value: 'local_shell' },
    { path: 'tools[2].tools[1].type', value: 'file_search' },
  ])
})

test.each([
  [[{ type: 'custom' }], 'tools[0].name'],
  [[find, { ...shell, format: 'lark' }], 'tools[1].format'],
  [[{ type: 'namespace', name: 'a', tools: [{ type: 'function', name: '?' }] }], 'tools[0].tools[0].name'],
  [[{ type: 'namespace', name: 'a' }], 'tools[0].tools'],
  [[{ type: 'namespace', name: 'a', tools: [{}] }], 'tools[0].tools[0].type'],
  [
    Array.from({ length: 5 }, () => ({
      type: 'namespace',
      name: 'a',
      tools: Array.from({ length: 250 }, () => find),
    })),
    'tools',
  ],
])('%j has a problem at %s', (tools, path) => {
  expect(findToolProblems(tools).map((problem) => problem.path)).toContain(path)
})
