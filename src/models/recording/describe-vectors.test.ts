import { expect, test } from 'vitest'
import { describeVectors } from './describe-vectors.ts'

const base64 = Buffer.from(new Float32Array([1, 2, 3]).buffer).toString('base64')
const openAi = (embedding: unknown) => ({
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding }],
  model: 'embed',
})

test.each<[string, unknown, number]>([
  [
    'a node',
    {
      model: 'embed',
      embeddings: [
        [0.1, -2e-5, 3],
        [1, 2, 3],
      ],
    },
    3,
  ],
  ['OpenAI', openAi([0.1, 0.2]), 2],
  ['OpenAI, encoded', openAi(base64), 3],
  ['another server', { vectors: [] }, 0],
])('the vectors in a response of %s are counted', (_server, body, dimensions) => {
  for (const text of [JSON.stringify(body), JSON.stringify(body, null, 2)]) {
    const described = describeVectors({ inputs: ['a', 'b'] }, { vectors: [], raw: Buffer.from(text) })
    expect(described).toEqual({ embeddings: { count: 2, dimensions } })
  }
})

test('inputs that are tokens are counted', () => {
  const raw = Buffer.from(JSON.stringify({ data: [] }))
  expect(describeVectors({ inputs: [], tokens: [[1], [2], [3]] }, { vectors: [], raw })).toEqual({
    embeddings: { count: 3, dimensions: 0 },
  })
})
