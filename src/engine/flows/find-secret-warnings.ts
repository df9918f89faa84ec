import { isAllowedHost, type SecretReader } from '#connections'
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
      host: kindOf(step).hostOf?.(step),
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
  return used.flatMap(({ part, name, at, host }) => {
    const warning = warningAbout(part, name, {
      hosts: (part === 'secret' ? secrets : connections).get(name),
      host,
    })
    return warning === undefined ? [] : [{ path: at, ...warning }]
  })
}

function warningAbout(
  part: UsedSecret['part'],
  name: string,
  { hosts, host }: { readonly hosts: readonly string[] | undefined; readonly host: string | undefined },
): Omit<Problem, 'path'> | undefined {
  if (hosts === undefined) {
    return {
      message: `you have no ${part} "${name}", and none is shared: the step fails until the account that runs the flow has one`,
      code: part === 'secret' ? 'unknown_secret' : 'unknown_connection',
    }
  }
  if (hosts.length === 0) {
    return {
      message: `the secret "${name}" may be sent to any host; limit it with allowed_hosts`,
      code: 'secret_any_host',
    }
  }
  if (host === undefined || !URL.canParse(`https://${host}`)) return undefined
  // Both default ports: the scheme is part of the URL, not of the host.
  if ([`https://${host}`, `http://${host}`].some((url) => isAllowedHost(url, hosts))) return undefined
  return {
    message: `the ${part} "${name}" may not be sent to ${host}, only to ${hosts.join(', ')}: the step fails`,
    code: 'secret_host',
  }
}
