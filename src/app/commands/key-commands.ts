import type { Command } from 'commander'
import { collectNames, pointToHelp } from './command-options.ts'
import type { CreateKeyOptions } from './keys.ts'

/** `tutti key …` */
export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('Keys: create an API key, rotate the key that signs tokens')

  key
    .command('create')
    .description('Create an API key and print it, only this once')
    .requiredOption('--user <username>', 'the account it acts for')
    .requiredOption('--name <name>', 'what it is for, to tell it by')
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
      const { createKey } = await import('./keys.ts')
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
      const { rotateKey } = await import('./keys.ts')
      await rotateKey(options)
    })

  pointToHelp(key)
}
