import { expect, test } from 'vitest'
import { writeExamples } from './api-examples.ts'

const flow = {
  id: 'it',
  flow_definition: {
    id: 'it',
    label: 'It',
    steps: [{ id: 'ask', type: 'ai_prompt', prompt: '{{metadata.topic}}: {{content}}' }],
  },
  metadata: {},
  required_inputs: ["author's name"],
}

test('curl commands name the key as a variable, and the execution where the shell fills it in', () => {
  const [run, , state, , stream] = writeExamples('curl', flow, 'http://127.0.0.1:3000')
  expect(run?.code).toContain('curl http://127.0.0.1:3000/ai-workflows/api/execute-flow \\\n')
  expect(run?.code).toContain('-H "Authorization: Bearer $TUTTI_API_KEY"')
  expect(state?.code).toContain(
    'curl "http://127.0.0.1:3000/ai-workflows/api/execution-status/$EXECUTION_ID" \\\n',
  )
  expect(stream?.code).toMatch(/^curl -N "/)
})

test('the TypeScript program runs the same workflow with the same input', () => {
  const code = writeExamples('typescript', flow, 'https://tutti.example').map((example) => example.code)
  expect(code[1]).toContain(
    "createTutti({ url: 'https://tutti.example', apiKey: process.env.TUTTI_API_KEY })",
  )
  expect(code[1]).toContain('"flow_id": "it"')
})

test('the input has everything the workflow reads, declared or not', () => {
  const [run] = writeExamples('curl', flow, 'http://127.0.0.1:3000')
  expect(run?.code).toContain('"topic": "music"')
  expect(run?.code).toContain('"content": "Tutti means all together.')
})
