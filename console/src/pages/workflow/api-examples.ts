import { writeCurl } from '../../api/write-curl.ts'
import type { WholeFlow } from '../workflows/flow-queries.ts'
import { inputOfFlow } from './flow-input.ts'

export type ApiLanguage = 'curl' | 'typescript'

interface ApiExample {
  readonly title: string
  readonly code: string
}

type Flow = Pick<WholeFlow, 'id' | 'flow_definition' | 'metadata' | 'required_inputs'>

/** Programs that run the workflow and follow its execution. */
export function writeExamples(language: ApiLanguage, flow: Flow, origin: string): readonly ApiExample[] {
  const body = { flow_id: flow.id, context: inputOfFlow(flow) }
  return language === 'curl' ? curlExamples(body, origin) : typescriptExamples(body, origin)
}

function curlExamples(body: object, origin: string): readonly ApiExample[] {
  const path = `${origin}/ai-workflows/api`
  const post = (route: string) =>
    writeCurl({ method: 'POST', url: `${path}/${route}`, body: JSON.stringify(body) })
  const get = (url: string, streams = false) =>
    // The shell fills in the variable, so it must stay outside of quotes.
    writeCurl({ method: 'GET', url: `${path}/EXECUTION`, streams }).replace(
      `${path}/EXECUTION`,
      `"${path}/${url}"`,
    )
  return [
    { title: 'Run and wait for the result', code: post('execute-flow') },
    { title: 'Run in the background', code: post('execute-flow-async') },
    { title: 'Get the state', code: get('execution-status/$EXECUTION_ID') },
    { title: 'Get the result', code: get('executions/$EXECUTION_ID') },
    { title: 'Stream the events', code: get('execution-stream/$EXECUTION_ID', true) },
  ]
}

function typescriptExamples(body: object, origin: string): readonly ApiExample[] {
  const begin = `import { createTutti } from '@tutti/client'

const tutti = createTutti({ url: '${origin}', apiKey: process.env.TUTTI_API_KEY })
`
  const run = JSON.stringify(body, null, 2)
  return [
    { title: 'Install', code: 'npm install @tutti/client\n' },
    {
      title: 'Run and wait for the result',
      code: `${begin}const execution = await tutti.runFlow(${run})\nconsole.log(execution)\n`,
    },
    {
      title: 'Follow the events',
      code: `${begin}await tutti.runFlow(${run}, {\n  onEvent: ({ event }) => console.log(event),\n})\n`,
    },
  ]
}
