import type { Environment } from '#kernel/config'
import { givenSettings, type RunningPlatform } from '../running-platform.ts'
import { type Finding, good, note } from './finding.ts'

/** Says which settings the other checks go by: those of the platform that runs on this data folder, and those of this terminal. */
export function checkSettings(environment: Environment, running: RunningPlatform | undefined): Finding[] {
  const own = givenSettings(environment).map(({ variable }) => variable)
  if (running === undefined) {
    const given = own.length === 0 ? 'the defaults' : `${own.join(', ')}, and defaults`
    return [good(`No platform runs on this data folder; checked with ${given}`)]
  }
  const { pid, variables, secrets } = running
  const used = Object.keys(variables).filter((variable) => !own.includes(variable))
  const unread = secrets.filter((variable) => variable === 'TUTTI_SMTP_URL' && !own.includes(variable))
  return [
    good(
      `A platform runs on this data folder (process ${pid}); checked with its settings: ${used.join(', ')}`,
    ),
    ...unread.map((variable) =>
      note(
        `${variable} of that platform is a secret, so the mail server is not checked`,
        `To check it, set ${variable} for this command too.`,
      ),
    ),
  ]
}
