import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'
import { readMailServer, readSender } from './mail/mail-server.ts'

const dayMs = 86_400_000

/** The environment of notices. */
export const noticesSettings = defineSettings({
  mailServer: refineSetting(
    setting.secretUrl('TUTTI_SMTP_URL', ['smtp:', 'smtps:'], {
      about:
        'Server that mail is sent through, such as `smtp://user:password@mail.example.com:587`; without it no mail is sent',
      optional: true,
    }),
    (url) => (url === undefined ? undefined : readMailServer(url)),
  ),
  mailFrom: refineSetting(
    setting.text('TUTTI_MAIL_FROM', {
      about: 'Who mail is from, such as `Tutti <tutti@example.com>`; needed with `TUTTI_SMTP_URL`',
      optional: true,
    }),
    (text) => (text === undefined ? undefined : readSender(text)),
  ),
  slackUrl: setting.secretUrl('TUTTI_SLACK_WEBHOOK_URL', ['https:', 'http:'], {
    about: 'Incoming webhook of Slack; without it nothing is sent to Slack',
    optional: true,
  }),
  retentionMs: setting.durationMs('TUTTI_NOTICE_RETENTION', {
    about: 'How long mail and messages to Slack are kept after they were sent or given up',
    default: 7 * dayMs,
    min: 60_000,
    max: 36_500 * dayMs,
  }),
})

export type NoticesSettings = SettingsOf<typeof noticesSettings>
