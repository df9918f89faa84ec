import { setTimeout } from 'node:timers/promises'
import { exampleAccount } from './load-executions.ts'

type Call = (path: string, body?: unknown) => Promise<unknown>

/** A request whose response time must not grow with the number of stored executions. */
export interface Question {
  readonly name: string
  readonly path: string
  readonly body?: object
}

/** The requests, after an execution with this id was stored. */
export const questionsOf = (executionId: string): readonly Question[] => [
  {
    name: 'start',
    path: '/execute-flow-async',
    body: { flow_id: flow.id, context },
  },
  { name: 'list', path: '/executions?order=newest&limit=20' },
  { name: 'list of an account', path: `/executions?order=newest&limit=20&account=${exampleAccount}` },
  { name: 'list of a flow', path: '/executions?order=newest&limit=20&flow_id=growth_3' },
  { name: 'list of running ones', path: '/executions?order=newest&limit=20&status=running' },
  { name: 'list of failed ones', path: '/executions?order=newest&limit=20&status=failed' },
  { name: 'counts', path: '/executions/counts' },
  { name: 'status', path: `/execution-status/${executionId}` },
  { name: 'overview', path: '/overview' },
  { name: 'analytics', path: '/analytics/flows?timeframe=30d' },
]

export function createCaller(url: string, apiKey: string): Call {
  return async (path, body) => {
    const answer = await fetch(`${url}/ai-workflows/api${path}`, {
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
}

/** Three small steps that compute: what is stored of an execution is its row, three outcomes and its events. */
const flow = {
  id: 'growth',
  label: 'Three steps that compute',
  steps: [
    {
      id: 'take',
      type: 'data_transform',
      output_to_memory: 'taken',
      transformations: [{ operation: 'merge', sources: ['context.given'] }],
    },
    {
      id: 'choose',
      type: 'conditional',
      dependencies: ['take'],
      conditions: [{ field: 'taken.words', operator: '>', value: 3, action: { type: 'continue' } }],
    },
    {
      id: 'make',
      type: 'data_transform',
      dependencies: ['choose'],
      transformations: [{ operation: 'merge', sources: ['taken'] }],
    },
  ],
}

const context = {
  given: { words: 12, text: 'A text of twelve words is what each of these executions has taken.' },
}

/** Runs one execution for real and returns its id when it has ended. */
export async function runOne(call: Call): Promise<string> {
  await call('/flows', { flow_definition: flow })
  const { execution_id: id } = (await call('/execute-flow', { flow_id: flow.id, context })) as {
    readonly execution_id: string
  }
  return id
}

/** Ten reads a second are allowed for each account. */
export const pause = (): Promise<void> => setTimeout(110)
