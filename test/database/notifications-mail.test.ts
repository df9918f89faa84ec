import { generate } from 'selfsigned'
import { describe, expect, test } from 'vitest'
import { createLogger } from '#kernel/telemetry'
import { findMailProblem } from '#notifications'
import { eventually } from '../support/eventually.ts'
import { findFreePort } from '../support/free-port.ts'
import { patience } from '../support/patience.ts'
import { startMailServer } from './notifications-mail-server.ts'
import { openNotificationsScene } from './notifications-setting.ts'

describe('mail', () => {
  test('arrives as posted, from the configured sender', async () => {
    await using server = await startMailServer()
    await using scene = await openNotificationsScene({ TUTTI_SMTP_URL: server.url })
    const text = `Grüße,\n.\n${'long '.repeat(100)}\nFrom here on: ✓\n`
    expect(scene.notifications.configured).toEqual({ mail: true, slack: false })
    expect(await scene.post({ subject: 'Größe: ✓', text })).toBe(1)
    await server.untilMails(1)
    const [mail] = server.mails
    expect([mail?.from, mail?.to]).toEqual(['tutti@example.com', ['nora@example.com']])
    expect(mail?.text.trimEnd()).toBe(text.trimEnd())
    expect(mail?.headers.get('from')).toBe('Tutti <tutti@example.com>')
    expect(mail?.headers.get('to')).toBe('nora@example.com')
    expect(mail?.headers.get('subject')).toMatch(/^=\?UTF-8\?/)
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(mail?.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(mail?.raw.split('\r\n').every((line) => line.length <= 998)).toBe(true)
    expect(await scene.until('delivered')).toMatchObject([{ attempts: 1, problem: null }])
  })

  test('is stored with its event, or not at all', async () => {
    await using server = await startMailServer()
    await using scene = await openNotificationsScene({ TUTTI_SMTP_URL: server.url })
    const undone = scene.database.transaction(async (transaction) => {
      const mail = { kind: 'mail', to: 'otto@example.com', subject: 'x', text: 'x', about: 'x' } as const
      await scene.notifications.post(transaction, [mail])
      throw new Error('it did not happen')
    })
    await expect(undone).rejects.toThrow('it did not happen')
    // Slack is not used here.
    expect(await scene.post({}, { kind: 'slack' })).toBe(1)
    await server.untilMails(1)
    expect(await scene.list()).toMatchObject([{ kind: 'mail', recipient: 'nora@example.com' }])
  })

  test('has no other recipient or header, whatever its text contains', async () => {
    await using server = await startMailServer()
    await using scene = await openNotificationsScene({ TUTTI_SMTP_URL: server.url })
    await scene.post({
      subject: 'News\r\nBcc: evil@example.com\r\n\r\nanother body\u2028X: y\0',
      text: 'before\r\n.\r\nMAIL FROM:<evil@example.com>\r\nRCPT TO:<evil@example.com>\r\n\0',
    })
    await server.untilMails(1)
    const [mail] = server.mails
    expect(mail?.to).toEqual(['nora@example.com'])
    expect(mail?.headers.get('subject')).toBe('News Bcc: evil@example.com another body X: y')
    expect(mail?.headerLines.filter((line) => /^(?:bcc|x):/i.test(line))).toEqual([])
    expect(mail?.text).toContain('before\n.\nMAIL FROM:<evil@example.com>')

    const hostile = [
      'a@example.com, evil@example.com',
      'a@example.com\r\nBcc: evil@example.com',
      'a@example.com>\r\nRCPT TO:<evil@example.com',
      '"a" <evil@example.com>',
      'group: evil@example.com;',
      '',
    ]
    await scene.post(...hostile.map((to) => ({ to })))
    const given = await scene.until('given_up', hostile.length)
    expect(new Set(given.slice(1).map(({ problem }) => problem))).toEqual(
      new Set(['The recipient is not a mail address.']),
    )
    expect([server.mails.length, server.connections]).toEqual([1, 1])
  })

  test('is given up after a permanent error, and retried after a temporary one', async () => {
    await using server = await startMailServer()
    await using scene = await openNotificationsScene({ TUTTI_SMTP_URL: server.url })
    server.reactToRecipient((address) => {
      if (address.startsWith('gone')) return { code: 550, text: 'no such user' }
      return address.startsWith('full') ? { code: 452, text: 'mailbox full' } : undefined
    })
    await scene.post({ to: 'full@example.com' }, { to: 'gone@example.com' }, { to: 'nora@example.com' })
    const [full, gone, nora] = await scene.untilTried(1, 3)
    expect(gone).toMatchObject({ state: 'given_up', problem: expect.stringContaining('no such user') })
    expect(full).toMatchObject({ state: 'pending', problem: expect.stringContaining('mailbox full') })
    expect(full?.waitsSeconds).toBeGreaterThanOrEqual(10)
    expect(nora).toMatchObject({ state: 'delivered' })

    await scene.skipPauses()
    const [again] = await scene.untilTried(2)
    expect(again?.waitsSeconds).toBeGreaterThanOrEqual(60)
    server.reactToRecipient(() => undefined)
    await scene.skipPauses()
    await scene.until('delivered', 2)
    expect(server.mails.map(({ to }) => to[0])).toEqual(['nora@example.com', 'full@example.com'])
  })

  test.each([
    ['the mail itself is refused', 554, 'given_up'],
    ['the mail itself is refused for now', 451, 'pending'],
  ])('%s (%i)', async (_, code, state) => {
    await using server = await startMailServer()
    server.reactToMail(() => ({ code }))
    await using scene = await openNotificationsScene({ TUTTI_SMTP_URL: server.url })
    await scene.post({})
    expect(await scene.untilTried(1)).toMatchObject([{ state }])
  })

  test.each([
    [
      'the sender',
      (server: Awaited<ReturnType<typeof startMailServer>>) => server.reactToSender(() => ({ code: 553 })),
    ],
    [
      'everybody',
      (server: Awaited<ReturnType<typeof startMailServer>>) =>
        server.reactToConnection(() => ({ code: 554 })),
    ],
  ])('is retried when a server refuses %s, which can be fixed', async (_, prepare) => {
    await using server = await startMailServer()
    prepare(server)
    await using scene = await openNotificationsScene({ TUTTI_SMTP_URL: server.url })
    await scene.post({})
    expect(await scene.untilTried(1)).toMatchObject([{ state: 'pending' }])
  })

  test('waits while the server is unavailable', async () => {
    const port = await findFreePort()
    await using scene = await openNotificationsScene({ TUTTI_SMTP_URL: `smtp://127.0.0.1:${port}` })
    await scene.post({}, { to: 'otto@example.com' })
    const tried = await scene.untilTried(1, 2)
    expect(tried).toMatchObject([
      { state: 'pending' },
      { state: 'pending', problem: expect.stringContaining('ECONNREFUSED') },
    ])
    await using server = await startMailServer({}, port)
    await scene.skipPauses()
    await scene.until('delivered', 2)
    expect(server.mails).toHaveLength(2)
  })

  test('is given up after a day', async () => {
    await using server = await startMailServer()
    server.reactToRecipient(() => ({ code: 450 }))
    const lines: string[] = []
    const log = createLogger({
      level: 'info',
      format: 'json',
      destination: { write: (line) => lines.push(line) },
    })
    await using scene = await openNotificationsScene({ TUTTI_SMTP_URL: server.url }, { log })
    await scene.post({ about: 'execution-7' })
    await scene.untilTried(1)
    await scene.database.query(`update notices set created_at = now() - interval '25 hours'`)
    await scene.skipPauses()
    expect(await scene.until('given_up')).toMatchObject([{ attempts: 2 }])
    const told = lines.find((line) => line.includes('given up')) ?? ''
    expect(told).toContain('execution-7')
    // Logs must not contain mail addresses.
    expect(lines.join('')).not.toContain('nora@example.com')
  })

  test('that is in flight when the process stops is sent by the next', async () => {
    await using server = await startMailServer()
    let isUnderWay = false
    server.reactToMail(() => {
      isUnderWay = true
      return 'hang'
    })
    await using scene = await openNotificationsScene({ TUTTI_SMTP_URL: server.url })
    await scene.post({})
    await eventually(() => isUnderWay)
    server.reactToMail(() => undefined)
    await scene.restart()
    expect(await scene.until('delivered')).toMatchObject([{ attempts: 1 }])
    expect(server.mails).toHaveLength(1)
  })

  test('that is accepted too slowly is sent again, and recognised by its id', async () => {
    await using server = await startMailServer()
    const ids: (string | undefined)[] = []
    server.reactToMail((mail) => {
      ids.push(mail.headers.get('message-id'))
      return ids.length === 1 ? 'hang' : undefined
    })
    const seconds = Math.ceil(2 * patience)
    const timeoutsMs = { mail: seconds * 1000, slack: seconds * 1000 }
    await using scene = await openNotificationsScene({ TUTTI_SMTP_URL: server.url }, { timeoutsMs })
    await scene.post({})
    expect(await scene.untilTried(1)).toMatchObject([
      { state: 'pending', problem: `The mail server did not accept the mail within ${seconds} s.` },
    ])
    await scene.skipPauses()
    await scene.until('delivered')
    expect(ids).toEqual([ids[0], ids[0]])
    expect(ids[0]).toMatch(/^<[0-9a-f-]{36}@example\.com>$/)
  })
})

const channel = (port: number) => ({
  server: { host: '127.0.0.1', port, secure: false, login: undefined },
  from: { name: '', address: 'tutti@example.com' },
})

describe('authentication', () => {
  const login = { authOptional: false, allowInsecureAuth: true }

  test('uses the user and password of the URL', async () => {
    await using server = await startMailServer({
      ...login,
      onAuth({ username, password }, _session, callback) {
        if (username === 'me@example.com' && password === 'p/a s%') callback(null, { user: username })
        else callback(Object.assign(new Error('wrong'), { responseCode: 535 }))
      },
    })
    const address = `127.0.0.1:${server.port}`
    await using scene = await openNotificationsScene({
      TUTTI_SMTP_URL: `smtp://me%40example.com:p%2Fa%20s%25@${address}`,
    })
    await scene.post({})
    await server.untilMails(1)
    expect(server.mails[0]?.user).toBe('me@example.com')

    // A wrong password can be corrected, so the mail is retried.
    await using other = await openNotificationsScene({ TUTTI_SMTP_URL: `smtp://me:hunter2@${address}` })
    await other.post({})
    const [tried] = await other.untilTried(1)
    expect(tried).toMatchObject({ state: 'pending', problem: expect.stringContaining('535') })
    expect(JSON.stringify(await other.list())).not.toContain('hunter2')
  })

  test('sends nothing to a server without a valid certificate', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }])
    for (const secure of [true, false]) {
      await using server = await startMailServer({ secure, key, cert, disabledCommands: [] })
      await using scene = await openNotificationsScene({
        TUTTI_SMTP_URL: `${secure ? 'smtps' : 'smtp'}://localhost:${server.port}`,
      })
      await scene.post({})
      const [tried] = await scene.untilTried(1)
      expect(tried).toMatchObject({ state: 'pending', problem: expect.stringContaining('self-signed') })
      expect(server.mails).toEqual([])
    }
  })

  test('doctor checks whether the server responds, and sends no mail', async () => {
    await using server = await startMailServer()
    expect(await findMailProblem(channel(server.port))).toBeUndefined()
    server.reactToConnection(() => ({ code: 554, text: 'go away' }))
    expect(await findMailProblem(channel(server.port))).toContain('go away')
    await server.close()
    expect(await findMailProblem(channel(server.port))).toContain('ECONNREFUSED')
    expect(server.mails).toEqual([])
  })
})
