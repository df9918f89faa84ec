import type { Command } from 'commander'
import { collectNames, pointToHelp } from '../command-options.ts'
import {
  aboutExitCodes,
  addRemoteOptions,
  type DeleteOptions,
  endWithNotPossible,
  type RemoteOptions,
  remote,
} from './remote-command.ts'
import type { SetOptions } from './secrets.ts'

/** `tutti secrets …` */
export function addSecretsCommands(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('Secrets for HTTP steps on a platform: list, set, delete')
    .exitOverride(endWithNotPossible)
    .addHelpText('after', aboutExitCodes)

  const list = secrets
    .command('list')
    .description('List your secrets and those that are shared with you; values are never shown')
    .action(
      remote(async (options: RemoteOptions) => {
        const { listSecrets } = await import('./secrets.ts')
        return await listSecrets(options)
      }),
    )
  addRemoteOptions(list, 'print them as JSON')

  const set = secrets
    .command('set')
    .description('Store a secret, or replace its value; the value comes from standard input or is asked for')
    .argument('<name>', 'lower-case letters, digits and underscores; steps use {{secrets.NAME}}')
    .option(
      '--host <host>',
      'a host that may get the value; may be repeated; needed for a new secret',
      collectNames,
    )
    .option('--shared', 'let the runs of all accounts use it; needs the permission "manage workflows"')
    .option('--no-shared', 'keep it to your own runs')
    .addHelpText(
      'after',
      `
At a terminal the value is asked for and not shown. It is never an argument: other
users of the machine could see it. Without --host, a replaced secret keeps its hosts.
Requests must have https; a host such as http://api.internal:8080 allows http.

Examples:
  npx tutti secrets set github --host api.github.com
  npx tutti secrets set github < token.txt
  pass show github | npx tutti secrets set github --host api.github.com --host uploads.github.com`,
    )
    .action(
      remote(async (name: string, options: SetOptions) => {
        const { setSecret } = await import('./secrets.ts')
        return await setSecret(name, options)
      }),
    )
  addRemoteOptions(set, 'print the secret as JSON, without its value')

  const remove = secrets
    .command('delete')
    .description('Delete one of your secrets; steps that use it fail from then on')
    .argument('<name>', 'the name of the secret')
    .option('--yes', 'do not ask; needed without a terminal')
    .action(
      remote(async (name: string, options: DeleteOptions) => {
        const { deleteStored } = await import('./secrets.ts')
        return await deleteStored('secrets', name, options)
      }),
    )
  addRemoteOptions(remove, 'print the answer of the platform as JSON')

  pointToHelp(secrets)
}
