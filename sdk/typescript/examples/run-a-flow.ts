/** Saves a flow, runs it and prints its result. */
import { createTutti, TuttiError } from '@tutti/client'

const tutti = createTutti({
  url: process.env['TUTTI_URL'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['TUTTI_API_KEY'],
})

try {
  await tutti.post('/ai-workflows/api/flows', {
    body: {
      flow_definition: {
        id: 'greet',
        label: 'Greet',
        steps: [
          {
            id: 'greet',
            type: 'data_transform',
            transformations: [{ operation: 'generate_summary', template: 'Hello {{context.name}}' }],
          },
        ],
      },
    },
  })
} catch (error) {
  if (!(error instanceof TuttiError) || error.status !== 409) throw error
  console.log('The flow exists already.')
}

const execution = await tutti.runFlow(
  { flow_id: 'greet', context: { name: 'Ada' } },
  { onEvent: ({ event }) => console.log(event) },
)
console.log(execution.status, 'result' in execution ? execution.result : undefined)
