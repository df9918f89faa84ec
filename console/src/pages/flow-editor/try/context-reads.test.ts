import { expect, test } from 'vitest'
import type { DraftStep } from '../document/flow-document.ts'
import { contextReads } from './context-reads.ts'

const readsOf = (...steps: DraftStep[]) =>
  contextReads({ definition: { id: '', label: '', steps }, metadata: {} }).map(
    ({ path, kind }) => `${path} ${kind}`,
  )

test('a flow reads placeholders, optional ones, conditions and lists from its context', () => {
  expect(
    readsOf(
      {
        id: 'ask',
        type: 'ai_prompt',
        prompt: '{{content}} {{tone ?? "calm"}} {{= size(x)}}',
        output_to_memory: 'review',
      },
      {
        id: 'decide',
        type: 'conditional',
        conditions: [
          {
            any: [
              { field: 'score', operator: '>=', value: 7 },
              { not: { field: 'metadata.language', operator: '==' } },
            ],
          },
        ],
      },
      {
        id: 'sort',
        type: 'data_transform',
        transformations: [{ operation: 'sort', source: 'rows', by: 'item.x' }],
      },
    ),
  ).toEqual(['content text', 'tone text', 'score number', 'metadata.language text', 'rows list'])
})

test('it does not read what steps write, secrets, outputs or the variables of containers', () => {
  expect(
    readsOf(
      { id: 'ask', type: 'ai_prompt', prompt: '{{secrets.key}} {{steps.x}}', output_to_memory: 'review' },
      {
        id: 'each',
        type: 'for_each',
        items: '{{rows}}',
        as: 'row',
        steps: [
          { id: 'inner', type: 'ai_prompt', prompt: '{{row.name}} {{index}} {{review}} {{context.review}}' },
        ],
      },
    ),
  ).toEqual(['rows list', 'review text'])
})

test('a path inside of another stands for both', () => {
  expect(readsOf({ id: 'a', type: 'ai_prompt', prompt: '{{user}} {{user.name}}' })).toEqual([
    'user.name text',
  ])
})
