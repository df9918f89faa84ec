import { expect, test } from 'vitest'
import { fetchWithinRate } from '../support/fetch-within-rate.ts'
import { openPlatform } from '../support/platform.ts'

const key = `tk_${'k'.repeat(40)}`

const ask = (fields: object) => ({
  id: 'asking',
  label: 'Asking',
  steps: [{ id: 'review', type: 'human', message: 'Good?', ...fields }],
})

test('notifications that cannot be sent are warnings of the flow and of the execution', async () => {
  // Without TUTTI_SMTP_URL, TUTTI_SLACK_WEBHOOK_URL and TUTTI_PUBLIC_URL.
  await using platform = await openPlatform({ TUTTI_API_KEY: key })
  async function post(path: string, body: object) {
    const answer = await fetchWithinRate(`${platform.url}/ai-workflows/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const result = (await answer.json()) as Record<string, unknown>
    if (!answer.ok) throw new Error(JSON.stringify(result))
    return result
  }
  const warningsOf = async (fields: object) => {
    const { validation_results: found } = await post('/flows/validate', { flow_definition: ask(fields) })
    const { warnings } = found as { warnings: { path: string; code: string }[] }
    return warnings.map(({ path, code }) => `${path} ${code}`)
  }
  const emails = ['zoe@example.com']
  expect(await warningsOf({})).toEqual([])
  expect(await warningsOf({ assignees: { emails } })).toEqual([
    'steps[0].assignees.emails answer_links_not_sent',
  ])
  const notify = { email: true, slack_channel: '#reviews' }
  expect(await warningsOf({ assignees: { emails }, notify })).toEqual([
    'steps[0].notify.email mail_not_configured',
    'steps[0].notify.slack_channel slack_not_configured',
  ])

  await post('/flows', { flow_definition: ask({ assignees: { emails }, notify }) })
  const waiting = await post('/execute-flow', { flow_id: 'asking', context: {} })
  const execution = await fetchWithinRate(
    `${platform.url}/ai-workflows/api/executions/${String(waiting['execution_id'])}`,
    {
      headers: { authorization: `Bearer ${key}` },
    },
  )
  const { warnings } = (await execution.json()) as { warnings: { message: string }[] }
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('notify.email sends nothing: this server sends no e-mail'),
    expect.stringContaining('notify.slack_channel sends nothing'),
  ])
})
