import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startMailServer } from './notifications-mail-server.ts'
import { openNotificationsScene } from './notifications-setting.ts'
import { startSlack } from './notifications-slack-server.ts'

const slack = { kind: 'slack' } as const

test('a message arrives in the channel it is for', async () => {
  await using server = await startSlack()
  await using scene = await openNotificationsScene({ TUTTI_SLACK_WEBHOOK_URL: server.url })
  expect(scene.notifications.configured).toEqual({ mail: false, slack: true })
  await scene.post({ ...slack, channel: '#ops', text: 'It is over, <!channel>.\nhttps://x.example/?a=1&b=2' })
  await scene.until('delivered')
  expect(server.messages).toEqual([
    {
      path: '/services/T0/B0/secret',
      body: {
        channel: '#ops',
        text: 'It is over, &lt;!channel&gt;.\nhttps://x.example/?a=1&amp;b=2',
        mrkdwn: false,
        link_names: false,
        unfurl_links: false,
        unfurl_media: false,
      },
    },
  ])
})

test('a permanent error is given up, and every other one is retried', async () => {
  await using server = await startSlack()
  await using scene = await openNotificationsScene({ TUTTI_SLACK_WEBHOOK_URL: server.url })
  server.react((response) => response.writeHead(404).end('channel_not_found'))
  await scene.post({ ...slack, channel: '#a' })
  expect(await scene.until('given_up')).toMatchObject([
    { problem: 'Slack responded with 404: channel_not_found' },
  ])

  server.react((response) => response.writeHead(429, { 'retry-after': '30' }).end('rate_limited'))
  await scene.post({ ...slack, channel: '#b' })
  const [, limited] = await scene.untilTried(1, 2)
  expect(limited?.waitsSeconds).toBeGreaterThanOrEqual(29.9)

  // A redirect is a response and is not followed: the URL is a secret.
  server.react((response) => response.writeHead(302, { location: server.url }).end())
  await scene.skipPauses()
  await scene.untilTried(2)
  server.react((response) => response.socket?.destroy())
  await scene.skipPauses()
  await scene.untilTried(3)
  server.react((response) => response.end('ok'))
  await scene.skipPauses()
  await scene.until('delivered')
  expect(server.messages.map(({ body }) => body.channel)).toEqual(['#a', '#b', '#b', '#b', '#b'])
  expect(JSON.stringify(await scene.list())).not.toContain('/services/')
})

test('an endpoint that does not respond is left after a timeout, and an endless response is cut', async () => {
  await using server = await startSlack()
  const timeoutsMs = { mail: 8000, slack: 8000 }
  await using scene = await openNotificationsScene({ TUTTI_SLACK_WEBHOOK_URL: server.url }, { timeoutsMs })
  server.react(() => {})
  await scene.post(slack)
  expect(await scene.untilTried(1)).toMatchObject([
    { state: 'pending', problem: 'Slack did not respond within 8 s.' },
  ])
  server.react((response) => {
    response.writeHead(500)
    const timer = setInterval(() => response.write('no '.repeat(2000)), 5)
    response.on('close', () => clearInterval(timer))
  })
  await scene.skipPauses()
  const [tried] = await scene.untilTried(2)
  expect(tried?.problem).toMatch(/^Slack responded with 500: no no /)
  expect(tried?.problem?.length).toBe(500)
})

test('a mail server that hangs delays no Slack message', async () => {
  await using mailServer = await startMailServer()
  mailServer.reactToRecipient(() => 'hang')
  await using server = await startSlack()
  await using scene = await openNotificationsScene({
    TUTTI_SMTP_URL: mailServer.url,
    TUTTI_SLACK_WEBHOOK_URL: server.url,
  })
  await scene.post(...Array.from({ length: 20 }, (_, n) => ({ to: `n${n}@example.com` })))
  await eventually(() => mailServer.connections === 4)
  await scene.post(slack)
  await scene.until('delivered')
  expect([server.messages.length, mailServer.connections]).toEqual([1, 4])
})
