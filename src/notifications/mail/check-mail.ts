import type { Channels } from '../channels.ts'
import { connectMail } from './connect-mail.ts'

const timeoutMs = 10_000

/** Signs in to the mail server without sending a mail. Resolves to the problem, or undefined when there is none; never throws. */
export async function findMailProblem({
  server,
}: NonNullable<Channels['mail']>): Promise<string | undefined> {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    using connection = await connectMail(server, deadline)
    await connection.transport.verify()
    return undefined
  } catch (error) {
    if (deadline.aborted) return `no response within ${timeoutMs / 1000} s`
    return error instanceof Error ? error.message : String(error)
  }
}
