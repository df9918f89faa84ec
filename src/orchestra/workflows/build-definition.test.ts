import { expect, test } from 'vitest'
import { buildDefinition, type ContentOf, freeName, idFromLabel } from './build-definition.ts'

/** `writer` outputs a text, `editor` an object with a text; the others output no content. */
const contentOf: ContentOf = async (agent) => {
  if (agent === 'writer') return 'whole'
  return agent === 'editor' ? { field: 'edited_text' } : undefined
}

test('in a sequence each agent waits for the previous one and works on the latest content', async () => {
  const agents = ['rate', 'writer', 'rate', { agent: 'editor', id: 'edit' }, 'rate']
  const { steps } = await buildDefinition('x', { label: 'X', agents }, contentOf)
  expect(steps).toEqual([
    { type: 'agent', agent: 'rate', id: 'rate' },
    { type: 'agent', agent: 'writer', id: 'writer', dependencies: ['rate'] },
    { type: 'agent', agent: 'rate', id: 'rate_2', dependencies: ['writer'], input: '{{steps.writer}}' },
    { type: 'agent', agent: 'editor', id: 'edit', dependencies: ['rate_2'], input: '{{steps.writer}}' },
    {
      type: 'agent',
      agent: 'rate',
      id: 'rate_3',
      dependencies: ['edit'],
      input: '{{steps.edit.edited_text}}',
    },
  ])
})

test('in parallel all agents work on the input content', async () => {
  const { steps } = await buildDefinition(
    'x',
    { label: 'X', mode: 'parallel', agents: ['writer', 'rate'] },
    contentOf,
  )
  expect(steps).toEqual([
    { type: 'agent', agent: 'writer', id: 'writer' },
    { type: 'agent', agent: 'rate', id: 'rate' },
  ])
})

test('given step fields are kept, including the input', async () => {
  const said = {
    agent: 'rate',
    id: 'last',
    label: 'Rate it',
    agent_version: 2,
    input: '{{content}}',
    instructions: 'Be kind.',
    parameters: { audience: 'children' },
  }
  const head = { label: 'X', description: 'For tests.', version: '2.1', category: 'content', tags: ['a'] }
  const built = await buildDefinition('x', { ...head, agents: ['writer', said] }, contentOf)
  expect(built).toMatchObject({ id: 'x', ...head })
  expect(built.steps[1]).toEqual({ type: 'agent', ...said, dependencies: ['writer'] })
})

test('a duplicate name gets a number, within the length limit', () => {
  expect(freeName('a', new Set())).toBe('a')
  expect(freeName('a', new Set(['a', 'a_2']))).toBe('a_3')
  const long = 'a'.repeat(64)
  expect(freeName(long, new Set([long]))).toBe(`${'a'.repeat(62)}_2`)
})

test('an id consists of the letters of a label', () => {
  expect(idFromLabel('Review & publish')).toBe('review_publish')
  expect(idFromLabel('  Prüfung – Größe 2 ')).toBe('prufung_gro_e_2')
  expect(idFromLabel('日本語')).toBe('workflow')
  expect(idFromLabel('x'.repeat(200))).toHaveLength(64)
})
