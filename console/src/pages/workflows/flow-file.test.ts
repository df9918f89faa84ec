import { expect, test } from 'vitest'
import { readFlowFile, writeFlowFile } from './flow-file.ts'

const flow = { flow_definition: { id: 'a', steps: [] }, metadata: { department: 'press' } }

test('reads an exported flow unchanged', () => {
  expect(readFlowFile(writeFlowFile(flow))).toEqual({ flow })
})

test('accepts a definition without the export fields', () => {
  expect(readFlowFile('{"id": "a", "steps": []}')).toEqual({
    flow: { flow_definition: { id: 'a', steps: [] } },
  })
})

test.each(['[]', '{}', '{', 'null'])('reports the problem of %s', (text) => {
  expect(readFlowFile(text)).toEqual({ problem: expect.any(String) })
})

test('reports no problem for an empty text', () => {
  expect(readFlowFile('  ')).toEqual({})
})
