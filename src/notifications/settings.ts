import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'
import { readMailServer, readSender } from './mail/mail-server.ts'

const dayMs = 86_400_000

/** The environment variables of the notifications module. */
export const notificationsSettings = defineSettings({
  mailServer: refineSetting(
    setting.secretUrl('TUTTI_SMTP_URL', ['smtp:', 'smtps:'], {
      editable: { section: 'notifications', label: 'Mail server' },
      about: 'SMTP server, such as `smtp://user:password@mail.example.com:587`; without it no mail is sent',
      optional: true,
    }),
    (url) => (url === undefined ? undefined : readMailServer(url)),
  ),
  mailFrom: refineSetting(
    setting.text('TUTTI_MAIL_FROM', {
      editable: { section: 'notifications', label: 'Sender' },
      about: 'Sender of mail, such as `Tutti <tutti@example.com>`; required with `TUTTI_SMTP_URL`',
      optional: true,
    }),
    (text) => (text === undefined ? undefined : readSender(text)),
  ),
  slackUrl: setting.secretUrl('TUTTI_SLACK_WEBHOOK_URL', ['https:', 'http:'], {
    editable: { section: 'notifications', label: 'Slack webhook' },
    about: 'URL of a Slack incoming webhook; without it nothing is sent to Slack',
    optional: true,
  }),
  maxPerDay: setting.integer('TUTTI_NOTICES_PER_DAY', {
    editable: { section: 'notifications', label: 'Notifications per account and day' },
    about: 'Maximum number of mails and Slack messages that the executions of an account send in 24 hours',
    default: 1000,
    min: 1,
    // A dispatch holds all notifications of an account in memory, each with a text of up to 20,000 characters.
    max: 10_000,
  }),
  retentionMs: setting.durationMs('TUTTI_NOTICE_RETENTION', {
    editable: { section: 'retention', label: 'Sent notifications' },
    about: 'How long mail and Slack messages are kept after they were delivered or given up',
    default: 7 * dayMs,
    min: 60_000,
    max: 36_500 * dayMs,
  }),
})

export type NotificationsSettings = SettingsOf<typeof notificationsSettings>
