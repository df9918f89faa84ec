import { expect, test } from 'vitest'
import type { WholeFlow } from '../workflows/flow-queries.ts'
import { copyOf } from './origin.ts'

const flow = (category: string, metadata: object) =>
  ({
    id: 'a',
    label: 'A',
    flow_definition: { id: 'a', label: 'A', version: '1.0.0', category, steps: [] },
    metadata,
  }) as unknown as WholeFlow

test('a copy of a sample keeps its input, and is no sample itself', () => {
  const input = { question: 'Why?' }
  const { document } = copyOf(flow('sample', { created_by: 'Tutti', sample: true, sample_input: input }))
  expect(document).toEqual({
    definition: { id: 'a-copy', label: 'Copy of A', steps: [] },
    metadata: { sample_input: input },
  })
})

test('a copy of another flow keeps its category', () => {
  expect(copyOf(flow('seo', {})).document.definition).toMatchObject({ category: 'seo' })
})
