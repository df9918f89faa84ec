import { type Command, Option } from 'commander'
import { collect, collectNames, pointToHelp } from '../command-options.ts'
import type { SetOptions, TestOptions } from './connections.ts'
import {
  aboutExitCodes,
  addRemoteOptions,
  type DeleteOptions,
  endWithNotPossible,
  type RemoteOptions,
  remote,
} from './remote-command.ts'

/** `tutti connections …` */
export function addConnectionsCommands(program: Command): void {
  const connections = program
    .command('connections')
    .description('Connections of HTTP steps on a platform: list, show, set, test, delete')
    .exitOverride(endWithNotPossible)
    .addHelpText('after', aboutExitCodes)

  const list = connections
    .command('list')
    .description('List your connections and those that are shared with you; credentials are never shown')
    .action(
      remote(async (options: RemoteOptions) => {
        const { listConnections } = await import('./connections.ts')
        return await listConnections(options)
      }),
    )
  addRemoteOptions(list, 'print them as JSON')

  const show = connections
    .command('show')
    .description('Show a connection and the flows that use it')
    .argument('<name>', 'the name of the connection')
    .action(
      remote(async (name: string, options: RemoteOptions) => {
        const { showConnection } = await import('./connections.ts')
        return await showConnection(name, options)
      }),
    )
  addRemoteOptions(show, 'print everything about the connection as JSON')

  addSet(connections)

  const test = connections
    .command('test')
    .description('Send one GET request with the credentials')
    .argument('<name>', 'the name of the connection')
    .option('--target <url>', 'a URL of an allowed host (default: the first allowed host)')
    .addHelpText('after', '\nEnds with 0 when the request succeeded, and with 1 when it did not.')
    .action(
      remote(async (name: string, options: TestOptions) => {
        const { testConnection } = await import('./connections.ts')
        return await testConnection(name, options)
      }),
    )
  addRemoteOptions(test, 'print the result as JSON')

  const remove = connections
    .command('delete')
    .description('Delete one of your connections; steps that use it fail from then on')
    .argument('<name>', 'the name of the connection')
    .option('--yes', 'do not ask; needed without a terminal')
    .action(
      remote(async (name: string, options: DeleteOptions) => {
        const { deleteStored } = await import('./secrets.ts')
        return await deleteStored('connections', name, options)
      }),
    )
  addRemoteOptions(remove, 'print the answer of the platform as JSON')

  pointToHelp(connections)
}

function addSet(connections: Command): void {
  const set = connections
    .command('set')
    .description(
      'Store a connection, or change one; its credential comes from standard input or is asked for',
    )
    .argument('<name>', 'lower-case letters, digits and underscores; steps name it in api.connection')
    .addOption(
      new Option('--kind <kind>', 'how requests send the credential; needed for a new connection').choices([
        'bearer',
        'basic',
        'api_key',
        'oauth2_client_credentials',
      ]),
    )
    .option(
      '--host <host>',
      'a host that may get it; may be repeated; needed for a new connection',
      collectNames,
    )
    .option('--setting <name=value>', 'a setting of the kind; may be repeated', collect)
    .option('--shared', 'let the runs of all accounts use it; needs the permission "manage workflows"')
    .option('--no-shared', 'keep it to your own runs')
    .addHelpText(
      'after',
      `
At a terminal the credential is asked for and not shown; it is never an argument.
Requests must have https; a host such as http://api.internal:8080 allows http.

  kind                       credential     settings
  bearer                     token          –
  basic                      password       username
  api_key                    key            in (header or query), name
  oauth2_client_credentials  client secret  token_url, client_id, scopes, audience,
                                            client_authentication (basic or body)

Examples:
  npx tutti connections set github --kind bearer --host api.github.com
  npx tutti connections set shop --kind api_key --host api.shop.example --setting in=header --setting name=X-Api-Key
  npx tutti connections set github < new-token.txt`,
    )
    .action(
      remote(async (name: string, options: SetOptions) => {
        const { setConnection } = await import('./connections.ts')
        return await setConnection(name, options)
      }),
    )
  addRemoteOptions(set, 'print the connection as JSON, without its credential')
}
