import type { NodemailerError } from 'nodemailer'
import type { MailChannel } from '../channels.ts'
import type { SendNotice } from '../delivery/deliver.ts'
import type { Sent } from '../delivery/judge.ts'
import { connectMail } from './connect-mail.ts'
import { isAddress } from './mail-server.ts'

/** The timeout is for all of it: to connect, to sign in, to hand over. */
export function createSendMail({ server, from }: MailChannel, timeoutMs: number): SendNotice {
  return async ({ id, recipient, subject, body, created_at: date }, signal) => {
    if (!isAddress(recipient)) return refuse('It is not an address.')
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    try {
      using connection = await connectMail(server, deadline)
      await connection.transport.sendMail({
        from,
        to: { name: '', address: recipient },
        // Said apart from the headers, so that nothing in them decides where it goes.
        envelope: { from: from.address, to: [recipient] },
        subject: subject ?? '',
        text: body,
        date,
        // The same each time, so that a mail that had to be sent again can be told.
        messageId: `<${id}@${from.address.split('@').at(-1)}>`,
        // Says that nobody should answer it, least of all a machine.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })
      return { arrived: true }
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.aborted)
        return { arrived: false, problem: `It took longer than ${timeoutMs / 1000} s.`, isFinal: false }
      return judgeFailure(error)
    }
  }
}

function refuse(problem: string): Sent {
  return { arrived: false, problem, isFinal: true }
}

/**
 * | what the server says                                | then                                      |
 * |-----------------------------------------------------|-------------------------------------------|
 * | 5xx (but 503) to the recipient or to the mail       | final: nobody will take it                |
 * | 5xx to the password, the sender or the greeting     | later: somebody can mend the settings     |
 * | 4xx, 503, nothing, or nobody is there               | later                                     |
 */
function judgeFailure(error: unknown): Sent {
  const { command, permanent, message } = error as NodemailerError
  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  return { arrived: false, problem: message, isFinal: isAboutMail && permanent === true }
}
