import { expect, test } from 'vitest'
import { startWorkflowsServer } from './workflows-server.ts'

test('the Workflows API has webhooks in its own format', async () => {
  await using server = await startWorkflowsServer()
  const refused = await server.post(
    '/webhooks',
    {
      webhook_config: { url: 'http://127.0.0.1:1/', events: ['flow.execution.started'] },
    },
    { as: 'vera' },
  )
  expect([refused.status, refused.body.error.code]).toEqual([403, 'PERMISSION_DENIED'])
  const unknown = await server.call('/webhooks/5/verify/6', { as: '' })
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'VERIFICATION_INVALID'])
})
