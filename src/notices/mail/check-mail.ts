import type { Channels } from '../channels.ts'
import { connectMail } from './connect-mail.ts'

const timeoutMs = 10_000

/** Signs in at the mail server as for a mail, and sends none. Answers what is wrong; undefined: nothing is. */
export async function findMailProblem({
  server,
}: NonNullable<Channels['mail']>): Promise<string | undefined> {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    using connection = await connectMail(server, deadline)
    await connection.transport.verify()
    return undefined
  } catch (error) {
    if (deadline.aborted) return `no answer within ${timeoutMs / 1000} s`
    return error instanceof Error ? error.message : String(error)
  }
}
