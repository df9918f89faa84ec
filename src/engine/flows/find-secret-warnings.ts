import { checkHost, type SecretReader } from '#connections'
import type { Problem } from '#kernel/errors'
import type { UsedSecret } from '../definition/kinds/used-secrets.ts'
import { placedSteps } from '../definition/nested-steps.ts'
import { kindOf, type Step } from '../definition/step-types.ts'

/**
 * Warns about secrets and connections that the author's executions could not use. Executions of other accounts use their own, so an unknown
 * name does not prevent saving. Throws when the database is unavailable.
 */
export async function findSecretWarnings(
  steps: readonly Step[],
  accountId: string,
  reader: Pick<SecretReader, 'findHosts'>,
): Promise<Problem[]> {
  const used = placedSteps(steps).flatMap(({ step, path }) =>
    (kindOf(step).secretsUsed?.(step) ?? []).map((secret) => ({
      ...secret,
      at: `${path}.${secret.at}`,
      origin: kindOf(step).originOf?.(step),
    })),
  )
  if (used.length === 0) return []
  const namesOf = (part: UsedSecret['part']) => [
    ...new Set(used.filter((secret) => secret.part === part).map(({ name }) => name)),
  ]
  const [secrets, connections] = await Promise.all([
    reader.findHosts('secret', accountId, namesOf('secret')),
    reader.findHosts('connection', accountId, namesOf('connection')),
  ])
  return used.flatMap(({ part, name, at, origin }) => {
    const warning = warningAbout(part, name, {
      hosts: (part === 'secret' ? secrets : connections).get(name),
      origin,
    })
    return warning === undefined ? [] : [{ path: at, ...warning }]
  })
}

function warningAbout(
  part: UsedSecret['part'],
  name: string,
  { hosts, origin }: { readonly hosts: readonly string[] | undefined; readonly origin: string | undefined },
): Omit<Problem, 'path'> | undefined {
  if (hosts === undefined) {
    return {
      message: `you have no ${part} "${name}", and none is shared: the step fails until the account that runs the flow has one`,
      code: part === 'secret' ? 'unknown_secret' : 'unknown_connection',
    }
  }
  if (hosts.length === 0) {
    return {
      message: `the secret "${name}" has no allowed hosts, so it works only in flows that you own and have saved; set its allowed_hosts`,
      code: 'secret_any_host',
    }
  }
  if (origin === undefined || !URL.canParse(origin)) return undefined
  const outcome = checkHost(origin, hosts)
  if (outcome === 'allowed') return undefined
  if (outcome === 'not_encrypted') {
    return {
      message: `the ${part} "${name}" may not be sent with http, which is not encrypted: the step fails. Use https or, in a network that you trust, add "${origin}" to its allowed_hosts`,
      code: 'secret_not_encrypted',
    }
  }
  return {
    message: `the ${part} "${name}" may not be sent to ${new URL(origin).host}, only to ${hosts.join(', ')}: the step fails`,
    code: 'secret_host',
  }
}
