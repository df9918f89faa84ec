import { type Command, Option } from 'commander'
import type { AddUserOptions, CreateKeyOptions } from './accounts.ts'
import type { PasswordOptions } from './choose-password.ts'
import { collectNames, pointToHelp } from './command-options.ts'

const generate = () =>
  new Option('--generate', 'make a password up and print it once').conflicts('passwordStdin')
const passwordStdin = () => new Option('--password-stdin', 'read the password from standard input')

const aboutPassword = `
The password is asked for twice and not shown. Without a terminal, standard
input has it.`

/** `tutti user …` */
export function addUserCommands(program: Command): void {
  const user = program.command('user').description('Accounts: add, list, change a password, disable, enable')

  user
    .command('add')
    .description('Add an account')
    .argument('<username>', "letters, digits, spaces and . _ @ + ' -")
    .option('--role <role>', 'a role it gets, such as administrator; may be repeated', collectNames)
    .option('--email <address>', 'its e-mail address')
    .option('--display-name <name>', 'what people see (default: the username)')
    .option('--tier <tier>', 'basic, professional, enterprise or custom (default: professional)')
    .addOption(generate())
    .addOption(passwordStdin())
    .addHelpText(
      'after',
      `${aboutPassword}

Examples:
  npx tutti user add clara --role author --email clara@example.org
  npx tutti user add robert --role administrator --generate
  npx tutti user add ci-runner --password-stdin < password.txt`,
    )
    .action(async (username: string, options: AddUserOptions) => {
      const { addUser } = await import('./accounts.ts')
      await addUser(username, options)
    })

  user
    .command('password')
    .description('Give an account a new password, and sign it out everywhere')
    .argument('<username>')
    .addOption(generate())
    .addOption(passwordStdin())
    .addHelpText(
      'after',
      `${aboutPassword}

Examples:
  npx tutti user password clara
  npx tutti user password admin --generate`,
    )
    .action(async (username: string, options: PasswordOptions) => {
      const { setPassword } = await import('./accounts.ts')
      await setPassword(username, options)
    })

  user
    .command('list')
    .description('List the accounts')
    .option('--json', 'everything about them, for scripts')
    .addHelpText(
      'after',
      `
Examples:
  npx tutti user list
  npx tutti user list --json | jq -r '.[] | select(.disabled) | .username'`,
    )
    .action(async (options: { readonly json?: true }) => {
      const { listUsers } = await import('./accounts.ts')
      await listUsers(options)
    })

  for (const [name, about] of [
    ['disable', 'Refuse every credential of an account, and sign it out everywhere'],
    ['enable', 'Let a disabled account in again'],
  ] as const) {
    user
      .command(name)
      .description(about)
      .argument('<username>')
      .action(async (username: string) => {
        const { setDisabled } = await import('./accounts.ts')
        await setDisabled(username, name === 'disable')
      })
  }

  pointToHelp(user)
}

/** `tutti key …` */
export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('Keys: create an API key, rotate the key that signs tokens')

  key
    .command('create')
    .description('Create an API key and print it, only this once')
    .requiredOption('--user <username>', 'the account it acts for')
    .requiredOption('--name <name>', 'the name of the key, such as the program that uses it')
    .option('--scope <scope>', 'limit it to a scope; may be repeated (default: no limit)', collectNames)
    .option('--expires <when>', 'such as 12h, 30d or 2031-12-31 (default: never)')
    .addHelpText(
      'after',
      `
Standard output has the key alone, so a script can take it from there.

Examples:
  npx tutti key create --user clara --name laptop
  KEY=$(npx tutti key create --user ci --name deploy --scope workflows.run)
  npx tutti key create --user clara --name trial --expires 30d`,
    )
    .action(async (options: CreateKeyOptions) => {
      const { createKey } = await import('./accounts.ts')
      await createKey(options)
    })

  key
    .command('rotate')
    .description('Sign access tokens with a new key; the platform also does so by itself')
    .option('--distrust-old', 'refuse at once what the old keys signed, for when one became known')
    .addHelpText(
      'after',
      `
Tokens signed before stay valid until they expire, an hour at most, unless
--distrust-old is given. API keys are not concerned.`,
    )
    .action(async (options: { readonly distrustOld?: true }) => {
      const { rotateKey } = await import('./accounts.ts')
      await rotateKey(options)
    })

  pointToHelp(key)
}
