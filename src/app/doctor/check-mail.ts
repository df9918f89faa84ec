import { type Channels, findMailProblem } from '#notices'
import { type Finding, good, note } from './finding.ts'

/** Signs in at the mail server as the platform would, and sends nothing. Without one there is nothing to say. */
export async function checkMail({ mail }: Channels): Promise<Finding[]> {
  if (mail === undefined) return []
  const { host, port } = mail.server
  const problem = await findMailProblem(mail)
  if (problem === undefined) return [good(`Mail server ${host}:${port} answers`)]
  return [
    note(
      `Mail server ${host}:${port} cannot be used (${problem})`,
      'Mend TUTTI_SMTP_URL. Until then mail waits, for a day at most.',
    ),
  ]
}
