import { describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { UserError } from '#kernel/errors'
import { channelsOf } from './channels.ts'
import { notificationsSettings } from './settings.ts'

const read = (environment: Readonly<Record<string, string>>) =>
  readSettings(notificationsSettings, environment)
const from = 'tutti@example.com'

describe('the settings of notifications', () => {
  test('no channel is configured by default', () => {
    expect(channelsOf(read({}))).toEqual({ mail: undefined, slack: undefined })
  })

  test.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, secure: false, login: undefined }],
    ['smtps://mail.example.com/', { host: 'mail.example.com', port: 465, secure: true, login: undefined }],
    [
      'smtp://me%40example.com:p%2Fa%25s%3As@mail.example.com:2525',
      {
        host: 'mail.example.com',
        port: 2525,
        secure: false,
        login: { user: 'me@example.com', password: 'p/a%s:s' },
      },
    ],
    ['smtp://[::1]:25', { host: '::1', port: 25, secure: false, login: undefined }],
  ])('%s is read as a mail server', (url, server) => {
    expect(read({ TUTTI_SMTP_URL: url }).mailServer).toEqual(server)
  })

  test.each([
    ['mail.example.com', 'must be an address starting with smtp:// or smtps://'],
    ['https://u:hunter2@mail.example.com', 'must be an address starting with smtp:// or smtps://'],
    ['smtp://', 'needs a host, such as smtp://user:password@mail.example.com:587'],
    [
      'smtp://u:hunter2@h/path',
      'must end with the host or the port, such as smtp://user:password@mail.example.com:587',
    ],
    [
      'smtp://u:hunter2@h?pool=true',
      'must end with the host or the port, such as smtp://user:password@mail.example.com:587',
    ],
    ['smtp://me@h', 'needs both a user and a password, or neither'],
    ['smtp://u:hunter2%@h', 'has a % in its user or password that is not percent-encoded; write it as %25'],
  ])('%s is rejected without repeating it', (url, problem) => {
    expect(() => read({ TUTTI_SMTP_URL: url })).toThrow(new UserError(`TUTTI_SMTP_URL ${problem}`))
  })

  test.each([
    ['tutti@example.com', { name: '', address: 'tutti@example.com' }],
    ['Tutti <tutti@example.com>', { name: 'Tutti', address: 'tutti@example.com' }],
    ['"Die Plattform" <tutti@example.com>', { name: 'Die Plattform', address: 'tutti@example.com' }],
  ])('%s is read as a sender', (text, sender) => {
    expect(read({ TUTTI_MAIL_FROM: text }).mailFrom).toEqual(sender)
  })

  test.each(['no-address', 'a@b, c@d', 'a@b\r\nBcc: c@d', 'A <a@b> <c@d>', 'A\n<a@b>', '<>'])(
    '%j is rejected as a sender',
    (text) => {
      expect(() => read({ TUTTI_MAIL_FROM: text })).toThrow('TUTTI_MAIL_FROM must be an address such as')
    },
  )

  test('a mail server without a sender is a mistake', () => {
    expect(() => channelsOf(read({ TUTTI_SMTP_URL: 'smtp://h' }))).toThrow(
      new UserError(
        'TUTTI_MAIL_FROM must be set, because TUTTI_SMTP_URL is: set it to the sender, such as Tutti <tutti@example.com>',
      ),
    )
    const { mail, slack } = channelsOf(
      read({
        TUTTI_SMTP_URL: 'smtp://h',
        TUTTI_MAIL_FROM: from,
        TUTTI_SLACK_WEBHOOK_URL: 'https://hooks.example.com/services/T/B/x',
      }),
    )
    expect([mail?.from.address, slack?.url]).toEqual([from, 'https://hooks.example.com/services/T/B/x'])
  })
})
