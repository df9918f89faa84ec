import { UserMistake } from '#kernel/errors'
import type { MailServer, Sender } from './mail/mail-server.ts'
import type { NoticesSettings } from './settings.ts'

/** The ways out that somebody has set up. */
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

/** Which ways out the settings open. Settings that do not fit together are a mistake. */
export function channelsOf({
  mailServer: server,
  mailFrom: from,
  slackUrl,
}: Pick<NoticesSettings, 'mailServer' | 'mailFrom' | 'slackUrl'>): Channels {
  if (server !== undefined && from === undefined) {
    throw new UserMistake('TUTTI_MAIL_FROM must say who mail is from, because TUTTI_SMTP_URL is set')
  }
  return {
    mail: server === undefined || from === undefined ? undefined : { server, from },
    slack: slackUrl === undefined ? undefined : { url: slackUrl },
  }
}
