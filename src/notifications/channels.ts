import { UserError } from '#kernel/errors'
import type { MailServer, Sender } from './mail/mail-server.ts'
import type { NotificationsSettings } from './settings.ts'

/** The configured ways to send notifications. */
export interface Channels {
  readonly mail: MailChannel | undefined
  readonly slack: SlackChannel | undefined
}

export interface MailChannel {
  readonly server: MailServer
  readonly from: Sender
}

export interface SlackChannel {
  readonly url: string
}

/** Derives the channels from the settings. Throws a `UserError` when TUTTI_SMTP_URL is set without TUTTI_MAIL_FROM. */
export function channelsOf({
  mailServer: server,
  mailFrom: from,
  slackUrl,
}: Pick<NotificationsSettings, 'mailServer' | 'mailFrom' | 'slackUrl'>): Channels {
  if (server !== undefined && from === undefined) {
    throw new UserError(
      'TUTTI_MAIL_FROM must be set, because TUTTI_SMTP_URL is: set it to the sender, such as Tutti <tutti@example.com>',
    )
  }
  return {
    mail: server === undefined || from === undefined ? undefined : { server, from },
    slack: slackUrl === undefined ? undefined : { url: slackUrl },
  }
}
