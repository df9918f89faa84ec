import { expect, test } from 'vitest'
import { readFlowFile, writeFlowFile } from './flow-file.ts'

const flow = { flow_definition: { id: 'a', steps: [] }, metadata: { department: 'press' } }

test('what was exported is read as it was', () => {
  expect(readFlowFile(writeFlowFile(flow))).toEqual({ flow })
})

test('a definition alone will do', () => {
  expect(readFlowFile('{"id": "a", "steps": []}')).toEqual({
    flow: { flow_definition: { id: 'a', steps: [] } },
  })
})

test.each(['[]', '{}', '{', 'null'])('says what is wrong with %s', (text) => {
  expect(readFlowFile(text)).toEqual({ problem: expect.any(String) })
})

test('nothing is no mistake yet', () => {
  expect(readFlowFile('  ')).toEqual({})
})
