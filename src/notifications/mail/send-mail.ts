import type { NodemailerError } from 'nodemailer'
import type { MailChannel } from '../channels.ts'
import type { SendResult } from '../delivery/classify-attempt.ts'
import type { SendNotification } from '../delivery/deliver.ts'
import { connectMail } from './connect-mail.ts'
import { isAddress } from './mail-server.ts'

/** Sends mail over SMTP, one connection per mail. The timeout covers connecting, signing in and sending. */
export function createSendMail({ server, from }: MailChannel, timeoutMs: number): SendNotification {
  return async ({ id, recipient, subject, body, created_at: date }, signal) => {
    if (!isAddress(recipient))
      return { arrived: false, problem: 'The recipient is not a mail address.', isFinal: true }
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    try {
      using connection = await connectMail(server, deadline)
      await connection.transport.sendMail({
        from,
        to: { name: '', address: recipient },
        // An explicit envelope, so that no header can add recipients.
        envelope: { from: from.address, to: [recipient] },
        subject: subject ?? '',
        text: body,
        date,
        // The same for every attempt, so that mail clients recognise a duplicate.
        messageId: `<${id}@${from.address.split('@').at(-1)}>`,
        // Suppresses automatic replies.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })
      return { arrived: true }
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.aborted) {
        const problem = `The mail server did not accept the mail within ${timeoutMs / 1000} s.`
        return { arrived: false, problem, isFinal: false }
      }
      return classifyMailError(error)
    }
  }
}

/**
 * | response of the mail server                         | result                                             |
 * |-----------------------------------------------------|----------------------------------------------------|
 * | 5xx (except 503) to the recipient or to the mail    | final: the server will never accept this mail      |
 * | 5xx to the password, the sender or the greeting     | retry: an operator can correct the settings        |
 * | 4xx, 503, no response or no connection              | retry                                              |
 */
function classifyMailError(error: unknown): SendResult {
  const { command, permanent, message } = error as NodemailerError
  const rejectsMail = command === 'RCPT TO' || command === 'DATA'
  return { arrived: false, problem: message, isFinal: rejectsMail && permanent === true }
}
